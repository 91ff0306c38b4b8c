import ApplePayApp
import BillfoldTrace
package import Foundation
package import PassKitSimulator
import PaymentCrypto
import Synchronization

/// The devices of one customer on their way to the broker, over HTTP: what PassKit's add-pass flow asks of a broker. Reports what is
/// said as the party `device`, but for the questions after passes, which are asked over and over.
///
/// An attempt is named when its certificates are asked for; the name goes with everything that belongs to it, as a test aid.
package final class WalletDevice: ProvisioningBroker {
    private struct Names {
        /// The attempt that a secure element is at.
        var current: [String: String] = [:]
        /// Card to attempt.
        var cards: [String: String] = [:]
    }

    private let line: PartyLine
    private let connection: any MerchantConnection
    private let reporter: PartyReporter
    private let names = Mutex(Names())

    /// - Parameter connection: Leads to the broker's origin.
    package init(broker connection: any MerchantConnection, reporter: PartyReporter) {
        self.connection = connection
        self.reporter = reporter
        line = PartyLine(from: .device, to: .broker, connection: connection, reporter: reporter)
    }

    /// The name of the attempt that a secure element began last, for the requests of the app that belong to it.
    package func attempt(on device: BrokerDevice) -> String? { names.withLock { $0.current[device.secureElementID] } }

    package func challenge(for device: BrokerDevice, scheme: PKEncryptionScheme) async throws -> BrokerChallenge {
        let attempt = reporter.makeName()
        names.withLock { $0.current[device.secureElementID] = attempt }
        let account = PartyLine.encoded(device.appleAccount)
        let answer = try await ask(
            "GET", for: device, path: "issuerProvisioningCertificates?encryptionVersion=\(scheme.rawValue)&appleAccount=\(account)",
            title: "certificates",
            attempt: attempt)
        let told = try read(BrokerWire.Certificates.self, answer)
        return BrokerChallenge(
            certificates: try told.certificates.map { Data(try StrictBase64.decode($0)) },
            nonce: Data(try Hexadecimal.decode(told.nonce)), nonceSignature: Data(try Hexadecimal.decode(told.nonceSignature)),
            publicKeyHash: Data(try Hexadecimal.decode(told.publicKeyHash)))
    }

    package func add(_ card: CardSubmission, to device: BrokerDevice) async throws -> AcceptedCard {
        let attempt = attempt(on: device)
        let body = BrokerWire.Card(
            encryptedPassData: StrictBase64.encode(card.encryptedPassData),
            activationData: card.activationData.map { StrictBase64.encode($0) },
            ephemeralPublicKey: card.ephemeralPublicKey.map { StrictBase64.encode($0) },
            wrappedKey: card.wrappedKey.map { StrictBase64.encode($0) }, publicKeyHash: Hexadecimal.encode(card.publicKeyHash),
            encryptionVersion: card.scheme.rawValue, appleAccount: device.appleAccount, deviceName: device.name,
            productType: device.productType, deviceKind: device.kind,
            configuration: .init(
                cardholderName: card.cardholderName, primaryAccountSuffix: card.primaryAccountSuffix,
                primaryAccountIdentifier: card.primaryAccountIdentifier, paymentNetwork: card.paymentNetwork?.rawValue,
                localizedDescription: card.localizedDescription),
            bundleIdentifier: card.app.applicationIdentifier, adamID: card.app.adamID)
        let answer = try await ask(
            "POST", for: device, path: "cards", title: "cards", body: body, attempt: attempt,
            fields: [
                .init("encryptionVersion", card.scheme.rawValue), .init("encryptedPassData", "‹\(card.encryptedPassData.count) bytes›"),
                .init("activationData", card.activationData.map { "‹\($0.count) bytes›" } ?? "none"),
                .init("network", card.paymentNetwork?.rawValue ?? "none"), .init("suffix", card.primaryAccountSuffix ?? "none"),
                .init("device", device.kind.rawValue), .init("account", device.appleAccount),
            ])
        let accepted = try read(BrokerWire.Accepted.self, answer)
        if let attempt { names.withLock { $0.cards[accepted.cardId] = attempt } }
        return AcceptedCard(cardID: accepted.cardId, termsURL: accepted.termsURL)
    }

    package func enable(card: String, on device: BrokerDevice) async throws -> WalletPass {
        let answer = try await ask(
            "POST", for: device, path: "cards/\(card)/enable", title: "enable", body: BrokerWire.Terms(termsAccepted: true),
            attempt: attempt(of: card))
        return try read(NetworkService.Enabled.self, answer).pass
    }

    package func requestCode(card: String, method: String, on device: BrokerDevice) async throws {
        let answer = try await ask(
            "POST", for: device, path: "cards/\(card)/verification", title: "verification",
            body: NetworkWire.CodeWish(methodIdentifier: method),
            attempt: attempt(of: card), fields: [.init("method", method)])
        try check(answer)
    }

    package func enterCode(_ code: String, card: String, on device: BrokerDevice) async throws -> PKSecureElementPass.PassActivationState {
        let answer = try await ask(
            "POST", for: device, path: "cards/\(card)/activation", title: "activation", body: NetworkWire.Proof(code: code),
            attempt: attempt(of: card))
        return try read(NetworkWire.ActivationAnswer.self, answer).activationState
    }

    package func activate(
        card: String, activationData: Data, on device: BrokerDevice
    ) async throws -> PKSecureElementPass.PassActivationState {
        let answer = try await ask(
            "POST", for: device, path: "cards/\(card)/activation", title: "activation",
            body: NetworkWire.Proof(activationData: StrictBase64.encode(activationData)), attempt: attempt(of: card))
        return try read(NetworkWire.ActivationAnswer.self, answer).activationState
    }

    package func passes(on device: BrokerDevice) async throws -> [WalletPass] {
        let answer = try await connection.send(
            HTTPQuestion(method: "GET", path: Self.path(device, "passes"), headers: [], body: nil))
        return try read(NetworkWire.Passes.self, answer).passes
    }

    package func remove(card: String, from device: BrokerDevice) async throws {
        try check(try await ask("DELETE", for: device, path: "cards/\(card)", title: "remove", attempt: attempt(of: card)))
    }

    /// The owner lost the device, or found it again.
    package func setLost(_ isLost: Bool, _ device: BrokerDevice) async throws {
        try check(
            try await ask(
                "POST", for: device, path: "lost", title: isLost ? "device lost" : "device found", body: NetworkWire.LostWish(lost: isLost),
                attempt: nil))
    }

    // MARK: Asking

    private func attempt(of card: String) -> String? { names.withLock { $0.cards[card] } }

    private static func path(_ device: BrokerDevice, _ rest: String) -> String {
        "/broker/v4/devices/\(device.secureElementID)/\(rest)"
    }

    private func ask(
        _ method: String, for device: BrokerDevice, path: String, title: String, body: (some Encodable)? = String?.none,
        attempt: String?, fields: [TraceEntry.Field] = []
    ) async throws -> HTTPAnswer {
        try await line.ask(
            method, Self.path(device, path), title: title, body: body,
            correlation: attempt.map { [Correlation.attempt: $0] } ?? [:], fields: fields)
    }

    private func check(_ answer: HTTPAnswer) throws(BrokerError) {
        guard answer.status >= 300 else { return }
        let told = try? JSONDecoder().decode(BrokerWire.Refusal.self, from: answer.body)
        throw BrokerError(status: answer.status, code: told?.code, reason: told?.message ?? "")
    }

    private func read<Value: Decodable>(_ type: Value.Type, _ answer: HTTPAnswer) throws -> Value {
        try check(answer)
        do { return try JSONDecoder().decode(type, from: answer.body) } catch {
            throw SandboxError(code: .noAnswer, reason: "the broker's answer cannot be read")
        }
    }
}
