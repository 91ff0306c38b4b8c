import ApplePay
import ApplePayApp
import BillfoldTestSupport
import Foundation
import PaymentCrypto
import PaymentCryptoOpenSSL
import Synchronization

/// What the issuer and its network share, and what the card is.
struct SealedCard: Sendable {
    static let instant = Date(timeIntervalSince1970: 1_795_000_000)

    let number = "4055510000001234"
    let keySet: VisaKeySet
    let zoneKey: OpenSSLTripleDESKey

    init() throws {
        keySet = try VisaKeySet("405551.1")
        zoneKey = try OpenSSLTripleDESKey((0..<16).map { UInt8($0 * 7 + 1) })
    }
}

/// An issuer's host behind the contract's paths, which checks the chain and seals with ECC_V2 for real.
final class SealingHost: Sendable {
    struct Behaviour: Sendable {
        var number: String
        /// Visa's proof that the issuer's own app asked.
        var hasActivationData = true
        /// Sealed for a stranger instead of the broker.
        var otherLeaf: P256PrivateKey?
        /// Answers with the challenge of an earlier session.
        var otherChallenge: ProvisioningChallenge?
    }

    private let card: SealedCard
    private let policy: ProvisioningChainPolicy
    private let behaviour: Mutex<Behaviour>
    private let count = Mutex(UInt64(0))

    init(_ card: SealedCard, trust: ProvisioningTrust, _ change: (inout Behaviour) -> Void = { _ in }) {
        self.card = card
        policy = ProvisioningChainPolicy(trust: trust)
        var first = Behaviour(number: card.number)
        change(&first)
        behaviour = Mutex(first)
    }

    func answer(_ question: HTTPQuestion) async throws -> HTTPAnswer {
        let suffix = card.number.suffix(4)
        switch (question.method, question.path) {
        case ("GET", "/provisioning/v1/cards"):
            return Self.json(
                #"{"cards":[{"id":"card-1","network":"visa","suffix":"\#(suffix)","displayName":"Example Visa","cardholderName":"MEI LIN","primaryAccountIdentifier":"V-1","status":"active"}]}"#
            )
        case ("GET", "/provisioning/v1/cards/card-1/eligibility"): return Self.json(#"{"enabled":true}"#)
        case ("GET", "/provisioning/v1/cards/card-1/configuration"):
            return Self.json(
                #"{"encryptionScheme":"EV_ECC_v2","cardholderName":"MEI LIN","primaryAccountSuffix":"\#(suffix)","localizedDescription":"Example Visa","primaryAccountIdentifier":"V-1","paymentNetwork":"Visa","style":"payment","cardDetails":[],"requiresFelicaSecureElement":false,"productIdentifiers":[]}"#
            )
        case ("POST", "/provisioning/v1/cards/card-1/pass-data"): return try await seal(question.body ?? Data())
        default: return HTTPAnswer(status: 404, body: Data())
        }
    }

    private struct PassDataBody: Decodable {
        var certificates: [Data]
        var nonce: String
        var nonceSignature: String
        var encoding: String
    }

    private func seal(_ body: Data) async throws -> HTTPAnswer {
        let asked = try JSONDecoder().decode(PassDataBody.self, from: body)
        let behaviour = behaviour.withLock { $0 }
        let report = policy.check(asked.certificates.map(Array.init), at: SealedCard.instant)
        guard report.isAccepted, let encoding = ProvisioningChallenge.Encoding(rawValue: asked.encoding) else {
            return Self.json(#"{"error":{"code":"chain-refused","reason":"the certificates are not the broker's"}}"#, status: 400)
        }
        let received = try ProvisioningChallenge(nonce: asked.nonce, nonceSignature: asked.nonceSignature, encoding: encoding)
        let challenge = behaviour.otherChallenge ?? received
        let seed = count.withLock { count in
            count += 1
            return count
        }
        var generator = SeededGenerator(seed: seed, label: "sealing host")
        let payload = PassData.fpan(
            try FPANPassData(
                primaryAccountNumber: CardNumber(behaviour.number), expiration: CardExpiration(month: 12, year: 30), name: "MEI LIN",
                challenge: challenge))
        let sealer = try PassDataSealer(leaf: behaviour.otherLeaf?.publicKey ?? report.leafKey())
        let sealed = try sealer.seal(payload.json(), using: &generator)
        var answer = [
            "encryptedPassData": Data(sealed.encryptedPassData).base64EncodedString(),
            "ephemeralPublicKey": Data(sealed.ephemeralPublicKey ?? []).base64EncodedString(),
        ]
        if behaviour.hasActivationData {
            let block = VisaActivationBlock(nonce: challenge.nonce, authenticationCode: try AuthenticationCode("A1B2C3"))
            let text = try await block.sealed(keySet: card.keySet, key: card.zoneKey, using: &generator)
            answer["activationData"] = Data(text.description.utf8).base64EncodedString()
        }
        return HTTPAnswer(status: 200, body: try JSONEncoder().encode(answer))
    }

    private static func json(_ text: String, status: Int = 200) -> HTTPAnswer { HTTPAnswer(status: status, body: Data(text.utf8)) }
}

/// The bank's back end of the sample, in front of the host.
struct HostBackend: CardBackend {
    struct Refusal: Error {}
    let host: SealingHost

    func enroll(card: String, certificates: [String], nonce: String, nonceSignature: String) async throws -> [String: String] {
        struct Body: Encodable {
            var certificates: [String]
            var nonce: String
            var nonceSignature: String
            var encoding = "base64"
        }
        let body = try JSONEncoder().encode(Body(certificates: certificates, nonce: nonce, nonceSignature: nonceSignature))
        let answer = try await host.answer(
            HTTPQuestion(method: "POST", path: "/provisioning/v1/cards/\(card)/pass-data", headers: [], body: body))
        guard answer.status == 200 else { throw Refusal() }
        return try JSONDecoder().decode([String: String].self, from: answer.body)
    }
}
