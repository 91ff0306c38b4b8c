import AlipayPlus
import ApplePayApp
import Foundation
import PaymentCrypto

/// Registers a party at the gateway, once, and knows what the gateway signs with.
actor AlipayPlusRegistration {
    private struct Registered: Decodable {
        struct Key: Decodable {
            var version: Int
            /// PEM.
            var publicKey: String
        }
        var gatewayKeys: [Key]
    }

    /// A key as a party registers it.
    struct Key: Encodable {
        var version: Int
        /// Base64 of the SubjectPublicKeyInfo.
        var publicKey: String

        init(_ identity: AlipayPlusIdentity) {
            version = AlipayPlusIdentity.keyVersion
            publicKey = identity.publicKeyText
        }
    }

    private let ask: @Sendable () async throws -> HTTPAnswer
    private var known: AlipayPlusKeyVersions?

    /// - Parameters:
    ///   - side: `acquirers` or `wallets`.
    ///   - credential: The onboarding key, which the party and the gateway share through the data folder.
    ///   - wish: What is registered.
    init<Wish: Encodable & Sendable>(side: String, line: PartyLine, credential: String, wish: @escaping @Sendable () -> Wish) {
        ask = {
            try await line.ask(
                "POST", "/onboarding/v1/\(side)", title: "register", credential: credential, body: wish(), correlation: [:])
        }
    }

    var isRegistered: Bool { known != nil }
    /// How many messages passed between the party and the gateway that one of them did not believe, since this process began.
    private(set) var disbelieved = 0

    func disbelieve() { disbelieved += 1 }

    /// What the gateway's messages are verified with. Refuses with `gateway-unavailable` while the gateway does not answer. Registering
    /// twice is harmless: it is idempotent.
    func gatewayKeys() async throws -> AlipayPlusKeyVersions {
        if let known { return known }
        do {
            let answer = try await ask()
            guard answer.status == 200 else { throw SandboxError(code: .noAnswer, reason: "the gateway answered \(answer.status)") }
            let registered = try JSONDecoder().decode(Registered.self, from: answer.body)
            var keys: [Int: PublicKey] = [:]
            for key in registered.gatewayKeys { keys[key.version] = try PublicKey(pem: key.publicKey) }
            let ring = try AlipayPlusKeyVersions(keys)
            known = ring
            return ring
        } catch {
            throw SandboxRefusal(
                code: "gateway-unavailable", reason: "the gateway does not register the party at the moment", status: 503)
        }
    }
}
