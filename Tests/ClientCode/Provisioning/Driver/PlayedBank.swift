import Foundation
import PassKitSimulator

/// The bank's host, in the form of the documented calls, and the wallet's broker behind the phone.
final class PlayedBank: ProvisioningBroker, @unchecked Sendable {
    struct Unreachable: Error {}

    struct State {
        /// The status of each call; another than 200 refuses it.
        var statuses: [String: Int] = [:]
        /// Whether the host answers at all.
        var isReachable = true
        var asked: [(path: String, body: [String: String])] = []
        var activationState = PKSecureElementPass.PassActivationState.activated
        /// Steps that nobody answers.
        var silent: Set<String> = []
        /// Steps whose work is done and whose answer is lost.
        var lost: Set<String> = []
        /// Steps that are refused.
        var refused: Set<String> = []
        var cards = 0
        var passes: [String: [WalletPass]] = [:]
        var submissions: [CardSubmission] = []
    }

    static let account = "V-4242"
    static let certificates = [Data([0x30, 0x82, 0x01]), Data([0x30, 0x82, 0x02])]
    static let nonce = Data([0xA1, 0xB2, 0xC3, 0xD4])

    private let lock = NSLock()
    private var state = State()

    var now: State { lock.withLock { state } }
    func change(_ body: (inout State) -> Void) { lock.withLock { body(&state) } }

    // MARK: The host

    func answer(_ path: String, _ body: Data) -> (status: Int, body: Data)? {
        let asked = (try? JSONSerialization.jsonObject(with: body)) as? [String: Any] ?? [:]
        let texts = asked.mapValues { ($0 as? String) ?? ($0 as? [String])?.joined(separator: ",") ?? "" }
        let (isReachable, status) = lock.withLock {
            state.asked.append((path, texts))
            return (state.isReachable, state.statuses[path] ?? 200)
        }
        guard isReachable else { return nil }
        guard status == 200 else { return (status, Data(#"{"error":{"code":"switched-off","reason":"not now"}}"#.utf8)) }
        switch path {
        case "documented/configuration":
            return json([
                "cardHolderName": "MEI LIN", "paymentNetwork": "Visa", "primaryAccountNumberSuffix": "4242",
                "primaryAccountIdentifier": "", "localizedDescription": "Two Leaves Visa",
            ])
        case "documented/pass-data":
            let point = Data([4] + [UInt8](repeating: 9, count: 64))
            return json([
                "encryptedPassData": Data([1, 2, 3]).base64EncodedString(), "ephemeralPublicKey": point.base64EncodedString(),
                "activationData": Data("MBPAC".utf8).base64EncodedString(),
            ])
        default: return (404, Data())
        }
    }

    private func json(_ value: [String: String]) -> (status: Int, body: Data) {
        (200, (try? JSONSerialization.data(withJSONObject: ["value": value])) ?? Data())
    }

    // MARK: The broker

    private func step(_ name: String) throws {
        let now = now
        if now.silent.contains(name) { throw Unreachable() }
        if now.refused.contains(name) { throw BrokerError(status: 500, code: 40456, reason: name) }
    }

    func challenge(for device: BrokerDevice, scheme: PKEncryptionScheme) async throws -> BrokerChallenge {
        try step("challenge")
        return BrokerChallenge(
            certificates: Self.certificates, nonce: Self.nonce, nonceSignature: Data(repeating: 0x40, count: 81), publicKeyHash: Data([7]))
    }

    func add(_ card: CardSubmission, to device: BrokerDevice) async throws -> AcceptedCard {
        try step("add")
        return lock.withLock {
            state.submissions.append(card)
            state.cards += 1
            return AcceptedCard(cardID: "card-\(state.cards)", termsURL: "https://bank.example/terms")
        }
    }

    func enable(card: String, on device: BrokerDevice) async throws -> WalletPass {
        try step("enable")
        let (pass, isLost) = lock.withLock {
            let pass = WalletPass(
                serialNumber: "serial-\(card)", cardID: card, primaryAccountIdentifier: Self.account, primaryAccountNumberSuffix: "4242",
                deviceAccountIdentifier: "D-\(card)", deviceAccountNumberSuffix: "0017", activationState: state.activationState,
                associatedApplicationIdentifiers: ["TEAM.example.bank"], localizedDescription: "Two Leaves Visa",
                appLaunchURL: "twoleaves://wallet", organizationName: "Two Leaves Bank")
            state.passes[device.secureElementID, default: []].append(pass)
            return (pass, state.lost.contains("enable"))
        }
        if isLost { throw Unreachable() }
        return pass
    }

    func requestCode(card: String, method: String, on device: BrokerDevice) async throws { try step("code") }

    func enterCode(_ code: String, card: String, on device: BrokerDevice) async throws -> PKSecureElementPass.PassActivationState {
        try step("code")
        return .activated
    }

    func activate(
        card: String, activationData: Data, on device: BrokerDevice
    ) async throws -> PKSecureElementPass.PassActivationState {
        try step("activate")
        return .activated
    }

    func passes(on device: BrokerDevice) async throws -> [WalletPass] {
        try step("passes")
        return lock.withLock { state.passes[device.secureElementID] ?? [] }
    }

    func remove(card: String, from device: BrokerDevice) async throws {
        try step("remove")
        lock.withLock { state.passes[device.secureElementID]?.removeAll { $0.cardID == card } }
    }
}
