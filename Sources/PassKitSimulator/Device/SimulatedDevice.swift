import BillfoldConcurrency
public import UIKitSimulator

/// A phone: model, system, restrictions, cards and owner. PassKit's class-level questions ask the ``current`` one.
///
/// Bind a device to a task with `SimulatedDevice.$current.withValue(device) { … }`; many phones then live in one process. A program that plays one
/// phone names it once instead, with ``useForProcess(_:)``: what an app puts on a queue of Dispatch is bound to nothing.
public final class SimulatedDevice: Sendable {
    /// The device of the current task. Outside any binding it is the process's, which cannot pay unless ``useForProcess(_:)`` named another.
    @TaskLocal public static var current = unbound()

    private enum OfProcess {
        case open
        case named(SimulatedDevice)
        case settled
    }

    private static let ofProcess = Locked(OfProcess.open)

    private static func unbound() -> SimulatedDevice {
        let named = ofProcess.withLock { state -> SimulatedDevice? in
            defer { state = .settled }
            if case .named(let device) = state { return device }
            return nil
        }
        return named ?? SimulatedDevice(Configuration(model: "none", hasSecureElement: false), screen: .ofProcess)
    }

    /// Makes a device the one that ``current`` is outside any binding.
    ///
    /// - Parameter device: The phone that the process plays.
    /// - Returns: False where something asked for ``current`` before: that answer stands for the life of the process.
    public static func useForProcess(_ device: SimulatedDevice) -> Bool {
        ofProcess.withLock { state in
            if case .settled = state { return false }
            state = .named(device)
            return true
        }
    }

    /// Whoever asks for the current screen gets the current device's, once there is a device.
    private static let givesItsScreen: Void = SimulatedScreen.find { current.screen }

    /// The extension of the app whose code the current task runs; nil in the app itself. The library shows it the passes that name it.
    @TaskLocal static var callingExtension: SignedApp?

    /// What the device is. All of it can change while the app is in the background.
    public struct Configuration: Sendable {
        public var model: String
        public var kind: DeviceKind
        /// The owner's name for the device.
        public var name: String
        /// The account that the owner signed in with.
        public var appleAccount: String
        /// The secure element's identifier (SEID): 48 hex digits.
        public var secureElementID: String
        public var hasFelica: Bool
        /// A watch that is out of reach counts for nothing until it is back.
        public var isReachable: Bool
        /// How long a phone takes to learn what passes its watch holds.
        public var watchSyncDelay: Duration
        /// Some systems answer "cannot add" for the phone alone, although its watch could still take the pass
        /// (provisioning.md#eligibility [O]).
        public var libraryForgetsWatch: Bool
        /// The app that asks, as it is signed.
        public var app: SignedApp
        /// iPhone 6 and later, for example.
        public var hasSecureElement: Bool
        /// Such as `18.2`.
        public var systemVersion: String
        /// Parental control, or a region without the service.
        public var isRestricted: Bool
        /// Xcode's simulator: its tokens have an empty `paymentData` (apple-pay.md#token [I]).
        public var isXcodeSimulator: Bool
        public var cards: [WalletCard]
        public var contacts: [SimulatedContact]
        /// The merchant identifiers in the app's entitlement; nil leaves them unchecked.
        public var entitledMerchantIdentifiers: Set<String>?
        /// Schemes that came with a later system than the device's.
        public var unknownNetworks: Set<PKPaymentNetwork>

        public init(
            model: String = "iPhone", hasSecureElement: Bool = true, systemVersion: String = "18.0", isRestricted: Bool = false,
            isXcodeSimulator: Bool = false, cards: [WalletCard] = [], contacts: [SimulatedContact] = [],
            entitledMerchantIdentifiers: Set<String>? = nil, unknownNetworks: Set<PKPaymentNetwork> = [], kind: DeviceKind = .phone,
            name: String = "iPhone", appleAccount: String = "", secureElementID: String = "", hasFelica: Bool = false,
            isReachable: Bool = true, watchSyncDelay: Duration = .zero, libraryForgetsWatch: Bool = false, app: SignedApp = SignedApp()
        ) {
            self.model = model
            self.kind = kind
            self.name = name
            self.appleAccount = appleAccount
            self.secureElementID = secureElementID
            self.hasFelica = hasFelica
            self.isReachable = isReachable
            self.watchSyncDelay = watchSyncDelay
            self.libraryForgetsWatch = libraryForgetsWatch
            self.app = app
            self.hasSecureElement = hasSecureElement
            self.systemVersion = systemVersion
            self.isRestricted = isRestricted
            self.isXcodeSimulator = isXcodeSimulator
            self.cards = cards
            self.contacts = contacts
            self.entitledMerchantIdentifiers = entitledMerchantIdentifiers
            self.unknownNetworks = unknownNetworks
        }
    }

    let tokenSource: any PaymentTokenSource
    let broker: any ProvisioningBroker
    public let pairedWatch: SimulatedDevice?
    /// What is shown on the device, and the app as UIKit's names know it. Its faults are the device's too.
    public let screen: SimulatedScreen
    let timer: DeviceTimer
    let state: Locked<State>
    private let onPaymentSetup: @Sendable (SimulatedDevice) -> Void

    struct State {
        var configuration: Configuration
        var faults: [DeviceFault] = []
        var setupOpenings = 0
        var passes: [WalletPass]
        /// The watch's passes as far as the phone has heard.
        var remotePasses: [WalletPass]
        /// On a watch: its phone.
        weak var companion: SimulatedDevice?
        var libraries: [LibraryReference] = []
        var openedLinks: [String] = []
        var shownPasses: [WalletPass.ID] = []
        var suppressions = Suppressions()
    }

    /// Which sheets are on the screen, their owners say: `presentedSheet` and `addPassSheet`.
    @MainActor weak var paymentSheetOnScreen: AnyObject?
    @MainActor weak var addPassSheetOnScreen: AnyObject?

    /// `passes` are in the secure element from the start. A phone speaks to the broker for its watch too. `onPaymentSetup`
    /// plays the customer in the wallet: it may add a card.
    public init(
        _ configuration: Configuration, tokenSource: (any PaymentTokenSource)? = nil, timer: DeviceTimer = .continuous,
        broker: (any ProvisioningBroker)? = nil, pairedWatch: SimulatedDevice? = nil, passes: [WalletPass] = [],
        screen: SimulatedScreen = SimulatedScreen(), onPaymentSetup: @escaping @Sendable (SimulatedDevice) -> Void = { _ in }
    ) {
        _ = Self.givesItsScreen
        self.screen = screen
        self.tokenSource = tokenSource ?? NoTokenSource()
        self.timer = timer
        self.onPaymentSetup = onPaymentSetup
        self.broker = broker ?? NoBroker()
        self.pairedWatch = pairedWatch
        state = Locked(State(configuration: configuration, passes: passes, remotePasses: pairedWatch?.passes ?? []))
        pairedWatch?.state.withLock { $0.companion = self }
        screen.takeVersion { [weak self] in self?.configuration.systemVersion ?? "" }
        screen.hear { [weak self] fault in self?.record(DeviceFault.Code(rawValue: fault.code.rawValue), fault.reason) }
    }

    public var configuration: Configuration { state.withLock { $0.configuration } }

    /// Changes several settings at once: no reader sees a part of it.
    public func update(_ change: (inout Configuration) -> Void) { state.withLock { change(&$0.configuration) } }

    /// What apps did wrong on this device, in order.
    public var faults: [DeviceFault] { state.withLock { $0.faults } }

    /// How often an app opened the wallet's set-up.
    public var paymentSetupOpenings: Int { state.withLock { $0.setupOpenings } }

    func record(_ code: DeviceFault.Code, _ reason: String) {
        state.withLock { $0.faults.append(DeviceFault(code: code, reason: reason)) }
    }

    var canMakePayments: Bool {
        let configuration = configuration
        return configuration.hasSecureElement && !configuration.isRestricted
    }

    func canMakePayments(networks: [PKPaymentNetwork], capabilities: PKMerchantCapability) -> Bool {
        canMakePayments && configuration.cards.contains { $0.fits(networks: networks, capabilities: capabilities) }
    }

    func openPaymentSetup() {
        state.withLock { $0.setupOpenings += 1 }
        onPaymentSetup(self)
    }
}
