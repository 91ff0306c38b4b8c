import BillfoldJSON
import BillfoldServer
import BillfoldTestSupport
import HTTPTypes
import HummingbirdTesting
import MiniPrograms
import Testing

@testable import WalletServer

/// How the super app's own app signs its users in and out.
struct UserSessionTests {
    private static let path = "/v1/users/sessions"

    private static func signIn(_ scene: SuperAppScene, _ name: String, _ password: String) async throws -> SuperAppScene.Raw {
        let body = JSONWriter.write(.texts(["name": name, "password": password]))
        return try await scene.asUser(nil, .post, path, body)
    }

    @Test func aSessionTakesTheUsersCallsUntilItEnds() async throws {
        try await SuperAppScene.open { scene in
            let answer = try await Self.signIn(scene, "mei@example.test", "two-leaves-tea")
            #expect(answer.status == 201 && answer.headers[.cacheControl] == "no-store" && answer.headers[.setCookie] == nil)
            let object = try JSONReader.readObject(answer.body)
            #expect(object["number"]?.string == TestWallet.mei.number && object["name"]?.string?.isEmpty == false)
            let session = try #require(object["session"]?.string)
            #expect(try await scene.applyAuthCode(session, ["auth_base"]).authCode != nil)
            #expect(try await scene.asUser(nil, .post, "\(Self.path)/end").status == 401)
            #expect(try await scene.asUser(String(session.reversed()), .post, "\(Self.path)/end").status == 401)
            #expect(try await scene.asUser(session, .post, "\(Self.path)/end").status == 204)
            for path in ["\(Self.path)/end", "/v1/authorizations/applyAuthCode"] {
                #expect(try await scene.asUser(session, .post, path, Array("{}".utf8)).status == 401, "\(path)")
            }
        }
    }

    @Test func everyRefusalLooksTheSame() async throws {
        try await SuperAppScene.open { scene in
            var seen: Set<[UInt8]> = []
            for (name, password) in [
                ("mei@example.test", "two-leaves-coffee"), ("nobody@example.test", "two-leaves-tea"), ("no name", "two-leaves-tea"),
            ] {
                let answer = try await Self.signIn(scene, name, password)
                #expect(answer.status == 401)
                seen.insert(answer.body)
            }
            #expect(seen.count == 1)
            let refusal = try JSONReader.readObject(try #require(seen.first))
            #expect(refusal["error"]?["code"]?.string == "login-refused")
            for broken in ["{}", #"{"name":"mei@example.test"}"#, #"{"name":"a","password":"b","remember":true}"#, "["] {
                #expect(try await scene.asUser(nil, .post, Self.path, Array(broken.utf8)).status == 400, "\(broken)")
            }
        }
    }
}
