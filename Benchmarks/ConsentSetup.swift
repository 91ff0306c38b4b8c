import Foundation
import MiniPrograms
import NIOCore
import PaymentCrypto

/// What the super app's process is told: one mini program of one author, and its users.
struct ConsentSetup: Codable {
    static let app = "2026112200000001"
    static let client = "bench-client"
    static let author = "bench-author"
    static let workspace = "wallet"
    static let scopes = ["USER_NAME", "USER_AVATAR"]
    static let loginPassword = "two-leaves-tea"
    static let paymentPassword = "246810"

    /// PKCS#8 of the key that author and client sign with.
    var key: Data
    var users: Int

    func number(_ user: Int) -> String { String(2_088_000_000_100_000 + user) }
    func email(_ user: Int) -> String { "user\(user)@example.test" }

    /// The author's call that puts the mini program onto the platform.
    func registration(port: Int, at now: Date) throws -> ByteBuffer {
        let path = "/mini-programs/v1/author/apps"
        let body = Array(
            #"{"appId":"\#(Self.app)","workspaceId":"\#(Self.workspace)","name":"Tea house","authClientId":"\#(Self.client)"}"#.utf8)
        let time = now.formatted(.iso8601)
        let signature = try OpenAPISignature(
            path: path, clientID: Self.author, time: time, body: body, by: RSAPrivateKey(der: Array(key)), keyVersion: 1)
        return HTTPBytes.request(
            "POST", path, port: port,
            headers: [
                ("Content-Type", "application/json"), ("Client-Id", Self.author), ("Request-Time", time),
                ("Signature", signature.description),
            ], body: body)
    }

    /// A signed-in user's calls: agree to the scopes, get a code for them, take the agreement back.
    enum Call: String {
        case agree = "/v1/authorizations/agreements"
        case code = "/v1/authorizations/applyAuthCode"
        case withdraw = "/v1/authorizations/revoke"
    }

    func request(_ call: Call, session: String, port: Int) -> ByteBuffer {
        let scopes = call == .withdraw ? "" : #","scopes":["\#(Self.scopes.joined(separator: #"",""#))"]"#
        return HTTPBytes.request(
            "POST", call.rawValue, port: port,
            headers: [("Authorization", "Bearer \(session)"), ("Content-Type", "application/json")],
            body: Array(#"{"appId":"\#(Self.app)","authClientId":"\#(Self.client)"\#(scopes)}"#.utf8))
    }
}
