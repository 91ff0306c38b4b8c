import Foundation
import Synchronization

@testable import PassKitSimulator

/// A broker whose answers a test writes, and which keeps the passes of every secure element.
final class FakeBroker: ProvisioningBroker {
    struct State {
        var submissions: [(card: CardSubmission, device: BrokerDevice)] = []
        var schemes: [PKEncryptionScheme] = []
        var requestedMethods: [String] = []
        var removed: [String] = []
        var passes: [String: [WalletPass]] = [:]
        var challenges = 0
        var tries = 0
        /// What each step throws, in order; an empty list throws nothing.
        var refusals: [String: [any Error]] = [:]
        /// Steps whose work is done and whose answer is lost on its way.
        var lost: Set<String> = []
        /// Of the next passes.
        var activationState = PKSecureElementPass.PassActivationState.activated
        var methods: [VerificationMethod] = []
        var applications = ["TEAM.example.bank"]
        var account = "V-1"
    }

    static let certificates = [Data([0x30, 0x01]), Data([0x30, 0x02])]
    static let sms = VerificationMethod(identifier: "m-1", type: "TEXT_TO_CARDHOLDER_NUMBER", value: "+86 *** 01")
    static let mail = VerificationMethod(identifier: "m-2", type: "EMAIL_TO_CARDHOLDER_ADDRESS", value: "m***@example.com")
    static let app = VerificationMethod(identifier: "m-3", type: "CARDHOLDER_TO_USE_MOBILE_APP", value: "Example Bank")

    private let state = Mutex(State())

    /// Called with each wish to enable before it is carried out.
    private let beforeEnabling: @Sendable () async -> Void

    init(_ change: (inout State) -> Void = { _ in }, beforeEnabling: @escaping @Sendable () async -> Void = {}) {
        self.beforeEnabling = beforeEnabling
        self.change(change)
    }

    var now: State { state.withLock { $0 } }

    func change(_ change: (inout State) -> Void) { state.withLock { change(&$0) } }

    private func step(_ name: String) throws {
        let refusal = state.withLock { state -> (any Error)? in
            guard let first = state.refusals[name]?.first else { return nil }
            state.refusals[name]?.removeFirst()
            return first
        }
        if let refusal { throw refusal }
    }

    func challenge(for device: BrokerDevice, scheme: PKEncryptionScheme) async throws -> BrokerChallenge {
        try step("challenge")
        let count = state.withLock { state in
            state.schemes.append(scheme)
            state.challenges += 1
            return state.challenges
        }
        return BrokerChallenge(
            certificates: Self.certificates, nonce: Data([0, 0, 0, UInt8(count)]), nonceSignature: Data(repeating: 0x40, count: 81),
            publicKeyHash: Data([7]))
    }

    func add(_ card: CardSubmission, to device: BrokerDevice) async throws -> AcceptedCard {
        try step("add")
        return state.withLock { state in
            state.submissions.append((card, device))
            return AcceptedCard(cardID: "card-\(state.submissions.count)", termsURL: "https://bank.example/terms")
        }
    }

    func enable(card: String, on device: BrokerDevice) async throws -> WalletPass {
        await beforeEnabling()
        try step("enable")
        let (pass, isLost) = state.withLock { state in
            let pass = WalletPass(
                serialNumber: "serial-\(card)", cardID: card, primaryAccountIdentifier: state.account, primaryAccountNumberSuffix: "1234",
                deviceAccountIdentifier: "D-\(card)", deviceAccountNumberSuffix: "9876", activationState: state.activationState,
                associatedApplicationIdentifiers: state.applications, localizedDescription: "Example Visa",
                verificationMethods: state.methods.isEmpty ? nil : state.methods, appLaunchURL: "examplebank://wallet")
            state.passes[device.secureElementID, default: []].append(pass)
            return (pass, state.lost.contains("enable"))
        }
        if isLost { throw NoBroker.Unreachable() }
        return pass
    }

    func requestCode(card: String, method: String, on device: BrokerDevice) async throws {
        try step("requestCode")
        state.withLock { $0.requestedMethods.append(method) }
    }

    func enterCode(_ code: String, card: String, on device: BrokerDevice) async throws -> PKSecureElementPass.PassActivationState {
        state.withLock { $0.tries += 1 }
        try step("enterCode")
        guard code == "123456" else { throw BrokerError(status: 403, reason: CodeRefusal.wrong.rawValue) }
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
        return state.withLock { $0.passes[device.secureElementID] ?? [] }
    }

    func remove(card: String, from device: BrokerDevice) async throws {
        try step("remove")
        state.withLock { $0.removed.append(card) }
    }
}

extension Fixture {
    static let phoneID = String(repeating: "0A", count: 24)
    static let watchID = String(repeating: "0B", count: 24)
    static let bankApp = SignedApp(applicationIdentifier: "TEAM.example.bank", adamID: 1, mayAddPasses: true)

    static func phone(
        _ broker: FakeBroker = FakeBroker(), watch: SimulatedDevice? = nil, passes: [WalletPass] = [], timer: ManualTimer = ManualTimer(),
        adjust: (inout SimulatedDevice.Configuration) -> Void = { _ in }
    ) -> SimulatedDevice {
        var configuration = SimulatedDevice.Configuration(appleAccount: "trusted@example.com", secureElementID: phoneID, app: bankApp)
        adjust(&configuration)
        return SimulatedDevice(configuration, timer: timer.device, broker: broker, pairedWatch: watch, passes: passes)
    }

    static func watch(passes: [WalletPass] = [], adjust: (inout SimulatedDevice.Configuration) -> Void = { _ in }) -> SimulatedDevice {
        var configuration = SimulatedDevice.Configuration(
            model: "Watch", kind: .watch, name: "Mei's watch", secureElementID: watchID)
        adjust(&configuration)
        return SimulatedDevice(configuration, passes: passes)
    }

    static func pass(
        _ serial: String = "s-1", account: String = "V-1", state: PKSecureElementPass.PassActivationState = .activated,
        applications: [String] = ["TEAM.example.bank"]
    ) -> WalletPass {
        WalletPass(
            serialNumber: serial, cardID: "c-\(serial)", primaryAccountIdentifier: account, primaryAccountNumberSuffix: "1234",
            deviceAccountIdentifier: "D-\(serial)", deviceAccountNumberSuffix: "9876", activationState: state,
            associatedApplicationIdentifiers: applications, verificationMethods: [FakeBroker.sms])
    }
}

/// A bank's screen whose answers a test writes; what is not written is left unanswered.
@MainActor
final class BankScreen: UIViewController, PKAddPaymentPassViewControllerDelegate {
    struct Challenge: Equatable {
        var certificates: [Data]
        var nonce: Data
        var nonceSignature: Data
    }

    var challenges: [Challenge] = []
    var finishes: [(pass: PKPaymentPass?, error: NSError?)] = []
    var handler: ((PKAddPaymentPassRequest) -> Void)?
    var onRequest: ((@escaping (PKAddPaymentPassRequest) -> Void) -> Void)?

    static func request() -> PKAddPaymentPassRequest {
        let request = PKAddPaymentPassRequest()
        request.encryptedPassData = Data([1])
        request.activationData = Data([2])
        request.ephemeralPublicKey = Data([4])
        return request
    }

    func addPaymentPassViewController(
        _ controller: PKAddPaymentPassViewController, generateRequestWithCertificateChain certificates: [Data], nonce: Data,
        nonceSignature: Data, completionHandler handler: @escaping (PKAddPaymentPassRequest) -> Void
    ) {
        challenges.append(Challenge(certificates: certificates, nonce: nonce, nonceSignature: nonceSignature))
        self.handler = handler
        onRequest?(handler)
    }

    func addPaymentPassViewController(
        _ controller: PKAddPaymentPassViewController, didFinishAdding pass: PKPaymentPass?, error: (any Error)?
    ) {
        finishes.append((pass, error.map { $0 as NSError }))
        controller.dismiss(animated: true)
    }
}
