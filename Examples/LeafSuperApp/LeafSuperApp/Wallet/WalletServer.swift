import AppContainer
import BillfoldJSON
import Foundation
import MiniPrograms
import PaymentCrypto

/// The super app's own server: users, the platform of mini programs, and what the Wallet services ask.
struct WalletServer: Sendable {
    /// Somebody who is signed in.
    struct User: Decodable, Sendable {
        let session: String
        let name: String
        /// Stands for the user in what the device keeps.
        let number: String
    }

    /// A mini program as the platform lists it.
    struct Listing: Decodable, Sendable {
        let appId: String
        let name: String
    }

    /// The server answered, and said no.
    struct Refusal: Error {
        let status: Int
        let code: String
    }

    let origin: String
    let network: Network
    /// The container's own version, which the platform wants to know.
    static let container = MiniProgramVersion(1, 0, 0)

    // MARK: The user

    func signIn(_ name: String, _ password: String) async throws -> User {
        let body = try JSONEncoder().encode(["name": name, "password": password])
        return try JSONDecoder().decode(User.self, from: Data(try await send("POST", "/v1/users/sessions", as: nil, Array(body)).body))
    }

    // MARK: The platform

    func programs(for user: User) async throws -> [Listing] {
        struct Listed: Decodable { let apps: [Listing] }
        let answer = try await send("GET", "/mini-programs/v1/apps?container=\(Self.container)", as: user)
        return try JSONDecoder().decode(Listed.self, from: Data(answer.body)).apps
    }

    /// What metadata and packages are verified with. Build your platform's keys into your app: the sandbox makes its own when it first
    /// starts, and so this app asks for them.
    func platformKeys() async throws -> KeyRing<PublicKey> {
        struct Published: Decodable {
            struct Key: Decodable { let keyId: String, publicKey: String }
            let keys: [Key]
        }
        let answer = try await send("GET", "/mini-programs/v1/keys", as: nil)
        var ring = KeyRing<PublicKey>()
        for key in try JSONDecoder().decode(Published.self, from: Data(answer.body)).keys {
            try ring.add(KeyID(key.keyId), try PublicKey(pem: key.publicKey))
        }
        return ring
    }

    // MARK: Calls

    /// Sends a call in the name of a user. A refusal is thrown.
    func send(_ method: String, _ path: String, as user: User?, _ body: [UInt8] = []) async throws -> RequestingHost.Response {
        let answer = try await exchange(method, path, as: user, body, type: "application/json")
        guard answer.status < 400 else {
            let error = try? JSONReader.readObject(answer.body, maximumBytes: 65_536)["error"]
            throw Refusal(status: answer.status, code: error?["code"]?.string ?? "")
        }
        return answer
    }

    /// The answer as it came, whatever it says.
    func exchange(
        _ method: String, _ path: String, as user: User?, _ body: [UInt8], type: String
    ) async throws -> RequestingHost.Response {
        guard let address = URL(string: path.hasPrefix("http") ? path : origin + path) else { throw URLError(.badURL) }
        var headers: [String: String] = body.isEmpty ? [:] : ["content-type": type]
        if let user { headers["authorization"] = "Bearer \(user.session)" }
        return try await network.send(.init(method: method, address: address, headers: headers, body: body, timeout: .seconds(20)))
    }
}

/// The platform as the container asks it for one user. The container verifies what it gives.
struct WalletPlatform: MiniProgramPlatform {
    let server: WalletServer
    let user: WalletServer.User

    func metadata(of appID: String, container: MiniProgramVersion) async throws -> UnverifiedMiniProgramMetadata {
        let path = "/mini-programs/v1/apps/\(appID)/metadata?container=\(container)"
        do {
            let answer = try await server.send("GET", path, as: user)
            let header = answer.headers.first { $0.name == MetadataSignature.headerName.lowercased() }?.value ?? ""
            return UnverifiedMiniProgramMetadata(bytes: answer.body, signature: try MetadataSignature(header: header))
        } catch let refusal as WalletServer.Refusal where refusal.status < 500 {
            throw PlatformRefusal(code: refusal.code, reason: "the platform has no such version for this user")
        }
    }

    func archive(of package: MiniProgramMetadata.Package) async throws -> [UInt8] {
        try await server.send("GET", package.url, as: nil).body
    }
}
