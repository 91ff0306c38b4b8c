import AppContainer
import BillfoldDiagnosis
import BillfoldJSON
import BillfoldTrace
import Foundation
import MiniPrograms
import PaymentCrypto

extension Party {
    static let superApp: Party = "super-app"
}

/// The super app's own server, as its app on a phone asks it: the wallet's platform and OAuth server, over HTTP.
struct SuperAppServer: Sendable {
    /// Somebody who is signed in.
    struct User: Sendable {
        var session: Secret<String>
        var name: String
        /// Stands for the user in partitions and caches.
        var number: String
    }

    let origin: String
    let network: any PhoneNetwork
    let reporter: PartyReporter
    /// The container's own version.
    static let container = MiniProgramVersion(1, 0, 0)

    // MARK: The user

    /// Refuses with the wallet's own code, `login-refused` for every name and password that do not fit.
    func signIn(_ name: String, _ password: Secret<String>) async throws -> User {
        let body = JSONWriter.write(JSONObject([.init("name", .string(name)), .init("password", .string(password.reveal()))]))
        let object = try object(try await send("POST", "/v1/users/sessions", as: nil, body: body))
        guard let session = object["session"]?.string, let name = object["name"]?.string, let number = object["number"]?.string else {
            throw Self.unreadable
        }
        return User(session: Secret(session), name: name, number: number)
    }

    /// Ends the session at the wallet. What goes wrong is passed over: the phone has forgotten it.
    func signOut(_ user: User) async { _ = try? await send("POST", "/v1/users/sessions/end", as: user, body: Array("{}".utf8)) }

    // MARK: The platform

    func apps(for user: User) async throws -> [SuperAppScreen.App] {
        let answer = try await send("GET", "/mini-programs/v1/apps?container=\(Self.container)", as: user)
        return try (try object(answer)["apps"]?.array ?? []).map { line in
            guard let id = line["appId"]?.string, let name = line["name"]?.string, let version = line["releaseVersion"]?.string else {
                throw Self.unreadable
            }
            return SuperAppScreen.App(
                appId: id, name: name, slogan: line["slogan"]?.string, logo: line["logo"]?.string.flatMap { $0.isEmpty ? nil : $0 },
                version: version)
        }
    }

    /// What metadata and packages are verified with. An app is built with these keys; a phone of the sandbox asks for them once.
    func platformKeys() async throws -> KeyRing<PublicKey> {
        var ring = KeyRing<PublicKey>()
        for key in try object(try await send("GET", "/mini-programs/v1/keys", as: nil))["keys"]?.array ?? [] {
            guard let id = key["keyId"]?.string, let pem = key["publicKey"]?.string else { throw Self.unreadable }
            try ring.add(KeyID(id), try PublicKey(pem: pem))
        }
        return ring
    }

    // MARK: Calls

    /// Sends a call in the name of a user. Calls that belong to a story are reported.
    func send(
        _ method: String, _ path: String, as user: User?, body: [UInt8] = [], title: String? = nil, about: [String: String] = [:],
        fields: [TraceEntry.Field] = [], answered: (JSONObject) -> [TraceEntry.Field] = { _ in [] }
    ) async throws -> RequestingHost.Response {
        guard let address = URL(string: path.hasPrefix("http") ? path : origin + path) else { throw Self.unreadable }
        var headers: [String: String] = body.isEmpty ? [:] : ["content-type": "application/json"]
        if let user { headers["authorization"] = "Bearer \(user.session.reveal())" }
        let request = RequestingHost.Request(method: method, address: address, headers: headers, body: body, timeout: .seconds(20))
        guard let title else { return try Self.taken(try await network.send(request)) }
        let exchange = reporter.report(.request, from: .superApp, to: .wallet, title, correlation: about, fields: fields)
        do {
            let answer = try await Exchange.$reported.withValue(exchange) { try await network.send(request) }
            let object = try? JSONReader.readObject(answer.body, maximumBytes: 1 << 20)
            let result = object?["result"]?["resultCode"]?.string
            let isRefused = answer.status >= 400 || result.map { $0 != "SUCCESS" } == true
            let problem = isRefused ? object?["error"]?["code"]?.string ?? result ?? "status \(answer.status)" : nil
            reporter.report(
                .response, from: .wallet, to: .superApp, title, correlation: about,
                fields: (result.map { [.init("resultCode", $0)] } ?? []) + (object.map(answered) ?? []), problem: problem)
            return try Self.taken(answer)
        } catch let error as RequestingHost.NoAnswer {
            reporter.report(.note, from: .superApp, to: .superApp, "\(title): no answer", correlation: about, problem: "no answer")
            throw error
        }
    }

    func object(_ answer: RequestingHost.Response) throws -> JSONObject {
        do { return try JSONReader.readObject(answer.body, maximumBytes: 1 << 20) } catch { throw Self.unreadable }
    }

    /// A refusal is thrown as it came.
    private static func taken(_ answer: RequestingHost.Response) throws -> RequestingHost.Response {
        guard answer.status >= 400 else { return answer }
        let error = (try? JSONReader.readObject(answer.body, maximumBytes: 65_536))?["error"]
        throw SandboxRefusal(
            code: error?["code"]?.string ?? "wallet-unavailable",
            reason: error?["reason"]?.string ?? "the wallet answered \(answer.status)", status: answer.status)
    }

    static let unreadable = SandboxRefusal(code: "wallet-unreadable", reason: "the wallet’s answer cannot be read", status: 502)
}

/// The platform as the container asks it for one user.
struct PhonePlatform: MiniProgramPlatform {
    let server: SuperAppServer
    let user: SuperAppServer.User

    func metadata(of appID: String, container: MiniProgramVersion) async throws -> UnverifiedMiniProgramMetadata {
        let answer: RequestingHost.Response
        do {
            answer = try await server.send("GET", "/mini-programs/v1/apps/\(appID)/metadata?container=\(container)", as: user)
        } catch let refusal as SandboxRefusal where (400..<500).contains(refusal.status) {
            throw PlatformRefusal(code: refusal.code, reason: refusal.reason)
        }
        guard let header = answer.headers.first(where: { $0.name == MetadataSignature.headerName.lowercased() })?.value else {
            throw MiniProgramError(code: .malformedSignature, reason: "the metadata came without their signature")
        }
        return UnverifiedMiniProgramMetadata(bytes: answer.body, signature: try MetadataSignature(header: header))
    }

    func archive(of package: MiniProgramMetadata.Package) async throws -> [UInt8] {
        try await server.send("GET", package.url, as: nil).body
    }
}
