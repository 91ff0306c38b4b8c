import ApplePayApp
import BillfoldJSON
import Foundation
import PaymentCrypto

/// Registers the author and its clients at the wallet, and knows what the wallet signs with.
actor AuthorRegistration {
    private struct Registered: Decodable {
        var keyVersion: Int
        /// PEM.
        var publicKey: String
    }

    private let line: PartyLine
    /// The onboarding key, which author and wallet share through the data folder.
    private let credential: String
    private let wish: JSONObject
    private var known: [Int: PublicKey]?

    init(line: PartyLine, credential: String, keys: AuthorKeys, programs: [AuthorProgram]) {
        self.line = line
        self.credential = credential
        wish = Self.wish(keys, programs)
    }

    private static func wish(_ keys: AuthorKeys, _ programs: [AuthorProgram]) -> JSONObject {
        let packageKey = JSONValue.texts([
            "keyId": AuthorKeys.packageKeyID.description,
            "publicKey": StrictBase64.encode(keys.packages.publicKey.subjectPublicKeyInfo),
        ])
        let workspaces = Set(programs.map(\.workspace)).sorted().map { JSONValue.string($0) }
        let author = JSONObject([
            .init("authorId", .string(keys.author.id)), .init("name", .string("Two Leaves Mini Programs")),
            .init("keys", keys.author.keysText), .init("packageKeys", .array([packageKey])), .init("workspaces", .array(workspaces)),
        ])
        let clients = programs.compactMap { program -> JSONValue? in
            guard let client = keys.clients[program.clientID] else { return nil }
            return .object(
                JSONObject([
                    .init("authClientId", .string(client.id)), .init("name", .string(program.name)), .init("keys", client.keysText),
                    .init("apps", .array([.string(program.appID)])),
                ]))
        }
        return JSONObject([.init("authors", .array([.object(author)])), .init("clients", .array(clients))])
    }

    /// What the wallet's answers are verified with. Throws while the wallet does not answer. Registering twice is harmless.
    func walletKeys() async throws -> [Int: PublicKey] {
        if let known { return known }
        let registered = try JSONDecoder().decode(Registered.self, from: try await ask(wish, "register author"))
        let keys = [registered.keyVersion: try PublicKey(pem: registered.publicKey)]
        known = keys
        return keys
    }

    /// After an answer that was not believed the wallet may have other keys.
    func disbelieve() { known = nil }

    /// Asks the platform for what the mini programs need. Only test installations give it without a second person.
    func askForGrants(_ programs: [AuthorProgram]) async throws {
        let grants = programs.map { program in
            JSONValue.object(JSONObject([.init("appId", .string(program.appID)), .init("grant", .object(program.grant))]))
        }
        _ = try await ask(JSONObject([.init("grants", .array(grants))]), "ask for permissions")
    }

    /// Asks the platform to approve and release a build that was submitted.
    func askForRelease(_ appID: String, _ version: String) async throws {
        let release = JSONValue.texts(["appId": appID, "releaseVersion": version])
        _ = try await ask(JSONObject([.init("releases", .array([release]))]), "ask for a release")
    }

    private func ask(_ body: JSONObject, _ title: String) async throws -> Data {
        let answer = try await line.ask(
            "POST", "/onboarding/v1/super-app", title: title, credential: credential, raw: Data(JSONWriter.write(body)), correlation: [:])
        guard answer.status == 200 else {
            throw SandboxError(code: .noAnswer, reason: "\(title): the wallet answered \(answer.status)")
        }
        return answer.body
    }
}
