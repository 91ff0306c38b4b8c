import ApplePayApp
import BillfoldDiagnosis
import BillfoldSandbox
import Foundation
import PassKitSimulator
import Synchronization

/// What the wallet's broker and the bank say in a test, and what they were asked.
final class StandInBank: Sendable {
    /// How the bank and the network decide.
    enum Colour: Sendable { case green, yellow, orange, red }

    struct State {
        var colour = Colour.green
        var isSwitchedOn = true
        /// Whether the customer has a second card with the same last digits.
        var hasTwin = false
        /// Cards whose identifier the bank has not heard yet.
        var isBehind = false
        /// Whoever stands behind the broker does not answer.
        var isNetworkSilent = false
        var passes: [String: [WalletPass]] = [:]
        var messages: [BankScreen.Message] = []
        var asked: [String] = []
    }

    static let code = "482913"
    /// As long as an uncompressed point.
    static let point = Data([4] + [UInt8](repeating: 1, count: 64)).base64EncodedString()
    static let methods = [
        VerificationMethod(identifier: "text", type: "TEXT_TO_CARDHOLDER_NUMBER", value: "+86 •••• 0134"),
        VerificationMethod(identifier: "app", type: "CARDHOLDER_TO_USE_MOBILE_APP", value: "Bank app"),
    ]
    let state = Mutex(State())

    var asked: [String] { state.withLock { $0.asked } }
    func set(_ change: (inout State) -> Void) { state.withLock { change(&$0) } }

    fileprivate func change(_ card: String, on device: BrokerDevice, to activation: PKSecureElementPass.PassActivationState) {
        set { state in
            let key = device.secureElementID
            state.passes[key] = state.passes[key]?.map { old in
                var new = old
                if old.cardID == card { new.activationState = activation }
                return new
            }
        }
    }
}

extension StandInBank: ProvisioningBroker {
    func challenge(for device: BrokerDevice, scheme: PKEncryptionScheme) -> BrokerChallenge {
        BrokerChallenge(
            certificates: [Data("leaf".utf8), Data("sub".utf8)], nonce: Data([1, 2, 3, 4]), nonceSignature: Data(repeating: 7, count: 81),
            publicKeyHash: Data(repeating: 1, count: 32))
    }

    func add(_ card: CardSubmission, to device: BrokerDevice) -> AcceptedCard {
        AcceptedCard(
            cardID: "\(card.paymentNetwork == .visa ? "card" : "twin")-\(card.primaryAccountSuffix ?? "")-\(device.kind.rawValue)",
            termsURL: "https://terms.example")
    }

    func enable(card: String, on device: BrokerDevice) throws -> WalletPass {
        let colour = state.withLock { $0.colour }
        guard colour != .red, !state.withLock({ $0.isNetworkSilent }) else { throw BrokerError(status: 500, code: 40456) }
        let pass = WalletPass(
            serialNumber: "serial-\(card)", cardID: card, primaryAccountIdentifier: card.hasPrefix("twin") ? "M-4242" : "V-4242",
            primaryAccountNumberSuffix: "4242",
            deviceAccountIdentifier: "token-\(card)", deviceAccountNumberSuffix: "0193",
            activationState: colour == .green ? .activated : .requiresActivation, associatedApplicationIdentifiers: ["TEAM.bank"],
            localizedDescription: "Everyday", verificationMethods: colour == .yellow ? Self.methods : [], appLaunchURL: "bank://verify")
        set { $0.passes[device.secureElementID, default: []].append(pass) }
        return pass
    }

    func requestCode(card: String, method: String, on device: BrokerDevice) {
        set {
            $0.messages.append(
                BankScreen.Message(
                    id: "m-\($0.messages.count)", channel: "SMS", to: "+86 •••• 0134", text: "Code \(Self.code)", at: 1_790_000_000_000))
        }
    }

    func enterCode(_ code: String, card: String, on device: BrokerDevice) throws -> PKSecureElementPass.PassActivationState {
        guard code == Self.code else { throw BrokerError(status: 403, reason: CodeRefusal.wrong.rawValue) }
        change(card, on: device, to: .activated)
        return .activated
    }

    func activate(card: String, activationData: Data, on device: BrokerDevice) -> PKSecureElementPass.PassActivationState { .activated }
    func passes(on device: BrokerDevice) throws -> [WalletPass] {
        guard !state.withLock({ $0.isNetworkSilent }) else { throw BrokerError(status: 500) }
        return state.withLock { $0.passes[device.secureElementID] ?? [] }
    }
    func remove(card: String, from device: BrokerDevice) {
        set { $0.passes[device.secureElementID]?.removeAll { $0.cardID == card } }
    }
}

extension StandInBank: BankBackEnd, MessageReader {
    func openSession(customer: String, device: String) throws -> BankSession {
        guard customer == "c-1" || customer == "own-c-1" else {
            throw SandboxRefusal(code: "log-in-refused", reason: "the bank's server could not log you in")
        }
        return BankSession(id: "session-1", token: Secret("token-of-the-session"))
    }

    func messages(of customer: String) -> [BankScreen.Message] { state.withLock { $0.messages } }
}

extension StandInBank: MerchantConnection {
    func send(_ question: HTTPQuestion) throws -> HTTPAnswer {
        let state = state.withLock { state in
            state.asked.append("\(question.method) \(question.path)")
            return state
        }
        func account(_ identifier: String) -> String {
            state.isBehind || !state.passes.values.joined().contains { $0.primaryAccountIdentifier == identifier } ? "" : identifier
        }
        func card(_ id: String, _ network: String, _ name: String, _ identifier: String) -> String {
            #"{"id":"\#(id)","network":"\#(network)","suffix":"4242","displayName":"\#(name)","cardholderName":"MEI LIN","#
                + #""primaryAccountIdentifier":"\#(account(identifier))","status":"active"}"#
        }
        switch question.path {
        case "/provisioning/v1/cards":
            let twin = state.hasTwin ? "," + card("mastercard-1", "mastercard", "Travel", "M-4242") : ""
            return answer(#"{"cards":["# + card("visa-1", "visa", "Everyday", "V-4242") + twin + "]}")
        case "/provisioning/v1/cards/mastercard-1/eligibility": return answer(#"{"enabled":true}"#)
        case "/provisioning/v1/cards/mastercard-1/configuration":
            return answer(
                #"{"encryptionScheme":"EV_ECC_v2","cardholderName":"MEI LIN","primaryAccountSuffix":"4242","localizedDescription":"Travel","#
                    + #""primaryAccountIdentifier":"\#(account("M-4242"))","paymentNetwork":"MasterCard","style":"payment","#
                    + #""cardDetails":[],"requiresFelicaSecureElement":false,"productIdentifiers":[]}"#)
        case "/provisioning/v1/cards/visa-1/eligibility":
            return answer(state.isSwitchedOn ? #"{"enabled":true}"# : #"{"enabled":false,"code":"switched-off","reason":"off"}"#)
        case "/provisioning/v1/cards/visa-1/configuration":
            return answer(
                #"{"encryptionScheme":"EV_ECC_v2","cardholderName":"MEI LIN","primaryAccountSuffix":"4242","localizedDescription":"Everyday","#
                    + #""primaryAccountIdentifier":"\#(account("V-4242"))","paymentNetwork":"Visa","style":"payment","cardDetails":[],"#
                    + #""requiresFelicaSecureElement":false,"productIdentifiers":[]}"#)
        case "/provisioning/v1/cards/visa-1/pass-data", "/provisioning/v1/cards/mastercard-1/pass-data":
            return answer(#"{"encryptedPassData":"AQ==","activationData":"AQ==","ephemeralPublicKey":"\#(Self.point)"}"#)
        case "/provisioning/v1/cards/visa-1/activations", "/provisioning/v1/cards/mastercard-1/activations":
            let account = question.path.contains("visa") ? "V-4242" : "M-4242"
            set { state in
                for key in state.passes.keys {
                    for index in state.passes[key, default: []].indices
                    where state.passes[key]?[index].primaryAccountIdentifier == account {
                        state.passes[key]?[index].activationState = .activated
                    }
                }
            }
            return answer("{}", status: 202)
        default: return answer(#"{"error":{"code":"not-found","reason":"no"}}"#, status: 404)
        }
    }

    private func answer(_ text: String, status: Int = 200) -> HTTPAnswer { HTTPAnswer(status: status, body: Data(text.utf8)) }
}

/// A phone with the bank's app and a watch, and everybody whom they ask.
@MainActor
struct BankFixture {
    let bank = StandInBank()
    let trace = RecordedTrace()
    let directory: BankPhoneDirectory

    init(limit: Int = 10, canHoldCards: Bool = true) {
        let count = Counter()
        let reporter = PartyReporter(sink: trace, now: { 1_790_000_000_000_000 }, makeName: { count.next() })
        let app = SignedApp(applicationIdentifier: "TEAM.bank", adamID: 1, mayAddPasses: true)
        var surroundings = BankSurroundings(issuer: bank, backEnd: bank, messages: bank, reporter: reporter) { [bank] model, owner in
            let watch = SimulatedDevice(
                .init(kind: .watch, name: "Mei's watch", secureElementID: String(repeating: owner == nil ? "b" : "d", count: 48), app: app),
                broker: bank)
            return SimulatedDevice(
                .init(
                    hasSecureElement: model != .withoutWallet, name: "Mei's phone",
                    secureElementID: String(repeating: owner == nil ? "a" : "c", count: 48),
                    app: app), broker: bank, pairedWatch: watch)
        }
        surroundings.pause = { try await Task.sleep(for: .milliseconds(20)) }
        surroundings.attempt = { _ in "attempt-1" }
        surroundings.story = { "http://127.0.0.1:8081/stories/\($0)" }
        directory = BankPhoneDirectory(surroundings: surroundings, limit: limit)
    }

    /// A phone with Mei Lin logged in and her cards on the screen.
    func phone(_ model: BankPhoneModel = .trusted) async throws -> BankPhoneSession {
        let phone = directory.open(model)
        try phone.perform(BankTap(.logIn, "c-1"))
        await phone.until { !$0.cards.isEmpty }
        return phone
    }

    private final class Counter: Sendable {
        private let count = Atomic(0)
        func next() -> String { "name-0000-0000-\(count.wrappingAdd(1, ordering: .relaxed).newValue)" }
    }
}

extension BankPhoneSession {
    /// The first screen, the present one included, that is as wanted.
    @discardableResult
    func until(_ isWanted: (BankScreen) -> Bool) async -> BankScreen {
        for await screen in screens() where isWanted(screen) { return screen }
        return screen
    }

    /// From the card's button to the sheet's next rest after the terms.
    func add(_ card: String = "visa-1", to device: DeviceKind = .phone) async throws {
        try perform(BankTap(.add, card))
        await until { $0.sheet?.phase == .introduction }
        try perform(BankTap(.next))
        let choosing = await until { $0.sheet?.phase == .choosingDevice || $0.sheet?.phase == .terms }
        if choosing.sheet?.phase == .choosingDevice {
            try perform(BankTap(.chooseDevice, choosing.sheet?.devices.first { $0.kind == device }?.id))
        }
        await until { $0.sheet?.phase == .terms || $0.sheet?.phase == .failed }
        if screen.sheet?.phase == .terms { try perform(BankTap(.acceptTerms)) }
        await until { [.added, .failed, .choosingMethod].contains($0.sheet?.phase) }
    }

    /// Closes the sheet, and returns what the app says then.
    func finish() async throws -> BankScreen {
        try perform(BankTap(.done))
        return await until { $0.outcome != nil || $0.prompt != nil }
    }
}
