import ApplePay
import BillfoldJSON
import BillfoldTestSupport
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import PassKitSimulator
import PaymentCrypto
import PaymentCryptoOpenSSL
import Synchronization
import Testing

/// A bank in a few lines: it seals pass data, and decides by what the network tells it of scores and reasons.
final class IssuerStub: Sendable {
    struct State {
        var codes: [String] = []
        var events: [[String: Any]] = []
        var decisions: [[String: Any]] = []
        var isDown = false
        /// What every code is answered with, instead of being taken.
        var codeRefusal: (status: Int, code: String)?
    }

    static let zoneKey: [UInt8] = Array(0x20..<0x30)
    static let credential = "network-at-the-bank"

    let decisionKey: P256PrivateKey
    let tavKey: RSAPrivateKey
    // What tests look at; dictionaries of JSON never change once they are in.
    private nonisolated(unsafe) var state = State()
    private let lock = Mutex(())

    init() throws {
        var generator = SeededGenerator(seed: 5, label: "issuer")
        decisionKey = try P256PrivateKey(using: &generator)
        tavKey = try RSAPrivateKey(bits: 2048)
    }

    func with<Value>(_ body: (inout State) -> Value) -> Value { lock.withLock { _ in body(&state) } }

    /// What the bank tells the network of itself.
    func enrolment(decisionURL: String, accountKey: String) throws -> String {
        let key = try PublicKey(subjectPublicKeyInfo: StrictBase64.decode(accountKey))
        let zone = try HybridEncryption.seal(Self.zoneKey, to: key, info: "billfold zone key")
        let body: [String: Any] = [
            "issuer": "bank", "decisionURL": decisionURL,
            "decisionKey": StrictBase64.encode(decisionKey.publicKey.subjectPublicKeyInfo),
            "credentials": ["visa": Self.credential, "mastercard": Self.credential, "unionPay": Self.credential],
            "zoneKeys": [["id": "405551.1", "key": StrictBase64.encode(zone)]],
            "tavKeys": [StrictBase64.encode(tavKey.publicKey.subjectPublicKeyInfo)],
        ]
        return String(decoding: try JSONSerialization.data(withJSONObject: body), as: UTF8.self)
    }

    func addRoutes(to router: Router<BasicRequestContext>) {
        let group = router.group("network/v1")
        group.post("decisions") { request, _ in
            let body = try await Self.read(request)
            guard !self.with({ $0.isDown }), request.headers[.authorization] == "Bearer \(Self.credential)" else {
                return Response(status: .internalServerError)
            }
            self.with { $0.decisions.append(body) }
            let recommendation = body["recommendation"] as? [String: Any] ?? [:]
            let activation = body["activation"] as? [String: Any] ?? [:]
            let reasons = recommendation["reasons"] as? [String] ?? []
            let colour: DecisionColour =
                if recommendation["accountScore"] as? Int == 1 {
                    .red
                } else if reasons.contains("0G") {
                    .orange
                } else if recommendation["outcome"] as? String == "APPROVED",
                    activation["present"] as? Bool != true || activation["valid"] as? Bool == true
                {
                    .green
                } else {
                    .yellow
                }
            let methods =
                colour == .yellow
                ? [
                    ["identifier": "c-1-text", "type": "TEXT_TO_CARDHOLDER_NUMBER", "value": "•••34"],
                    ["identifier": "c-1-email", "type": "EMAIL_TO_CARDHOLDER_ADDRESS", "value": "m•••@example.com"],
                ] : []
            return try Self.json([
                "requestId": body["requestId"] ?? "", "decision": colour.outcome.rawValue, "colour": colour.rawValue, "reasons": [String](),
                "verificationMethods": methods,
            ])
        }
        group.post("codes") { request, _ in
            let body = try await Self.read(request)
            if let refusal = self.with({ $0.codeRefusal }) {
                return try Self.json(
                    ["error": ["code": refusal.code, "reason": "no"]], status: HTTPResponse.Status(code: refusal.status))
            }
            self.with { $0.codes.append(body["code"] as? String ?? "") }
            return try Self.json(["delivered": true], status: .accepted)
        }
        group.post("events") { request, _ in
            let body = try await Self.read(request)
            let isDown = self.with { state in
                if !state.isDown { state.events.append(body) }
                return state.isDown
            }
            return isDown ? Response(status: .serviceUnavailable) : try Self.json([String: String]())
        }
    }

    private static func read(_ request: Request) async throws -> [String: Any] {
        let buffer = try await request.body.collect(upTo: 65_536)
        return try JSONSerialization.jsonObject(with: Data(buffer.readableBytesView)) as? [String: Any] ?? [:]
    }

    private static func json(_ value: [String: Any], status: HTTPResponse.Status = .ok) throws -> Response {
        Response(
            status: status, headers: [.contentType: "application/json"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: try JSONSerialization.data(withJSONObject: value))))
    }

    // MARK: Pass data

    struct Card: Sendable {
        var number: String
        var expiration = "12/30"
        /// `Visa`, `MasterCard` or `ChinaUnionPay`.
        var network: String
    }

    enum ActivationData: Sendable { case none, right, forAnotherNonce, damaged }

    /// What the bank hands back for one challenge.
    func submission(
        _ card: Card, _ challenge: BrokerChallenge, activation: ActivationData = .right, at instant: Date,
        sealedFor leaf: PublicKey? = nil, nonce: [UInt8]? = nil
    ) async throws -> CardSubmission {
        var generator = SystemRandomNumberGenerator()
        let pair = try ProvisioningChallenge(nonce: nonce ?? Array(challenge.nonce), nonceSignature: Array(challenge.nonceSignature))
        let expiration = try CardExpiration(slashed: card.expiration)
        let data: PassData
        if card.network == "Visa" {
            let block = VisaAccountBlock(primaryAccountNumber: try CardNumber(card.number), expiration: expiration, instant: instant)
            let text = try await block.sealed(keySet: VisaKeySet("405551.1"), key: OpenSSLTripleDESKey(Self.zoneKey), using: &generator)
            data = .encryptedFPAN(
                try EncryptedFPANPassData(
                    primaryAccountNumberPrefix: String(card.number.prefix(6)), encryptedPrimaryAccountNumber: text.description,
                    name: "MEI LIN", challenge: pair))
        } else {
            data = .fpan(
                try FPANPassData(
                    primaryAccountNumber: CardNumber(card.number), expiration: expiration, name: "MEI LIN", challenge: pair))
        }
        let first = try ParsedCertificate(der: Array(try #require(challenge.certificates.first)))
        let sealed = try PassDataSealer(leaf: leaf ?? first.publicKey).seal(data.json(), using: &generator)
        return CardSubmission(
            scheme: .ECC_V2, encryptedPassData: Data(sealed.encryptedPassData),
            activationData: try await activationData(card, activation, pair.nonce, instant),
            ephemeralPublicKey: sealed.ephemeralPublicKey.map { Data($0) }, publicKeyHash: challenge.publicKeyHash,
            app: SignedApp(applicationIdentifier: "TEAM123456.example.bank.app", adamID: 1_234_567_890, mayAddPasses: true),
            cardholderName: "MEI LIN", primaryAccountSuffix: String(card.number.suffix(4)),
            paymentNetwork: PKPaymentNetwork(rawValue: card.network))
    }

    private func activationData(_ card: Card, _ kind: ActivationData, _ nonce: [UInt8], _ instant: Date) async throws -> Data? {
        if kind == .none { return nil }
        var generator = SystemRandomNumberGenerator()
        if card.network == "Visa" {
            let block = VisaActivationBlock(
                nonce: kind == .forAnotherNonce ? [0, 0, 0, 0] : nonce, authenticationCode: try AuthenticationCode("A1B2C3"))
            let text = try await block.sealed(keySet: VisaKeySet("405551.1"), key: OpenSSLTripleDESKey(Self.zoneKey), using: &generator)
            return Data((kind == .damaged ? String(text.description.dropLast(16)) : text.description).utf8)
        }
        let value = try await TokenizationAuthenticationValue(
            .version3(
                fields: [.accountNumber, .accountExpiry, .dataValidUntilTimestamp],
                validUntil: AuthenticationValueTimestamp(instant.addingTimeInterval(1_800))),
            for: .init(accountNumber: try CardNumber(card.number), expiration: try CardExpiration(slashed: card.expiration)), at: instant,
            signer: tavKey)
        return Data(value.json())
    }
}
