import AlipayPlus
import BillfoldDiagnosis
import BillfoldJSON
import BillfoldMoney
import BillfoldServer
import Foundation
import HTTPTypes
import Logging
import PaymentCrypto
import ServiceLifecycle
import Synchronization

/// What the gateway's messages are verified with: from the configuration, or told at the registration, which every process does for itself.
final class AlipayPlusTrust: Sendable {
    private let known: Mutex<AlipayPlusKeyVersions?>

    init(_ keys: [Int: PublicKey]) throws { known = Mutex(keys.isEmpty ? nil : try AlipayPlusKeyVersions(keys)) }

    /// Nil until the gateway has said.
    var keys: AlipayPlusKeyVersions? { known.withLock { $0 } }

    func learn(_ keys: AlipayPlusKeyVersions) { known.withLock { $0 = keys } }
}

/// Registers the wallet at a gateway of test mode, until it is done. Doing it again changes nothing.
struct AlipayPlusEnrolment: Service {
    let context: WalletContext
    let side: WalletConfiguration.AlipayPlus
    let trust: AlipayPlusTrust

    /// While the gateway is not there; it may begin later than the wallet.
    private static let waits: [Duration] = [.milliseconds(200), .milliseconds(500), .seconds(1), .seconds(5)]

    func run() async throws {
        guard let enrolment = side.enrolment else { return try await gracefulShutdown() }
        await cancelWhenGracefulShutdown {
            var tries = 0
            while trust.keys == nil, !Task.isCancelled {
                do { try await register(enrolment) } catch {
                    context.logger.debug(
                        "Alipay+ does not register the wallet yet", metadata: ["error": "\(ErrorMapping.logDescription(of: error))"])
                    try? await Task.sleep(for: Self.waits[min(tries, Self.waits.count - 1)])
                    tries += 1
                }
            }
        }
        try await gracefulShutdown()
    }

    private struct Wish: Encodable {
        struct Key: Encodable {
            var version: Int
            var publicKey: String
        }
        struct Links: Encodable {
            var applink: String
            var normal: String
            var appIdentifier: String
        }
        var clientId: String
        var pspId: String
        var paymentMethodType: String
        var brand: String
        var region: String
        var currency: String
        var minimum: String
        var maximum: String
        var scenarios: [String]
        var keys: [Key]
        var origin: String
        var links: Links
        var codeIssuer: String
    }

    private struct Registered: Decodable {
        struct Key: Decodable {
            var version: Int
            /// PEM.
            var publicKey: String
        }
        var gatewayKeys: [Key]
    }

    /// Once. Throws where the gateway does not answer, or refuses.
    func register(_ enrolment: WalletConfiguration.AlipayPlus.Enrolment) async throws {
        let page = side.callOrigin + "/open"
        let wish = Wish(
            clientId: side.clientID, pspId: side.pspID, paymentMethodType: enrolment.type, brand: enrolment.brand, region: enrolment.region,
            currency: context.configuration.currency.alphabeticCode, minimum: String(side.limits.lowerBound),
            maximum: String(side.limits.upperBound), scenarios: AlipayPlusCollections.scenarios.map(\.rawValue),
            keys: [.init(version: side.keyVersion, publicKey: StrictBase64.encode(side.key.publicKey.subjectPublicKeyInfo))],
            origin: side.callOrigin,
            links: .init(applink: "\(page)?way=app", normal: page, appIdentifier: "example.billfold.\(enrolment.type.lowercased())"),
            codeIssuer: enrolment.codeIssuer)
        let answer = try await context.http.send(
            OutgoingRequest(
                method: .post, url: "\(side.gateway)/onboarding/v1/wallets",
                headers: [.authorization: "Bearer \(enrolment.bearer.reveal())", .contentType: "application/json"],
                body: try JSONDocument.encode(wish),
                destination: .configured))
        guard answer.status == .ok else {
            throw WalletError(code: .gatewayUnavailable, reason: "the gateway answered \(answer.status.code)")
        }
        var keys: [Int: PublicKey] = [:]
        for key in try JSONDocument.decode(Registered.self, answer.body).gatewayKeys {
            keys[key.version] = try PublicKey(pem: key.publicKey)
        }
        trust.learn(try AlipayPlusKeyVersions(keys))
        context.logger.debug("Alipay+ has registered the wallet", metadata: ["type": "\(enrolment.type)"])
    }
}
