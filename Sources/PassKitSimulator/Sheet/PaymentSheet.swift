import BillfoldConcurrency
import Foundation

/// The payment sheet: what the customer sees (``state``) and does (``perform(_:)``), and what the app is asked.
///
/// Callbacks are made one at a time. Each must be answered within ``callbackLimit``; until then the sheet is frozen, and
/// afterwards it fails by itself.
@MainActor
public final class PaymentSheet {
    /// What the customer, or the system, does.
    public enum Action: Sendable, Hashable {
        case selectCard(WalletCard.ID)
        case selectContact(SimulatedContact.ID)
        case selectShippingMethod(String)
        case enterCouponCode(String)
        /// Double click and a face, or a fingerprint.
        case authorize
        case enterPIN(String)
        case cancel
        /// A Mac's sheet lost its merchant session and wants another.
        case requestMerchantSession
    }

    /// About thirty seconds is the usual figure [I].
    public static let callbackLimit = Duration.seconds(30)

    public internal(set) var state = SheetState() {
        didSet { if state != oldValue { publish() } }
    }

    let request: PKPaymentRequest
    let device: SimulatedDevice
    private(set) weak var app: (any SheetApp)?
    /// What the sheet keeps alive until it is dismissed.
    private var kept: AnyObject?
    var items: [PKPaymentSummaryItem]
    var shippingMethods: [PKShippingMethod]
    var cards: [WalletCard]
    var contacts: [SimulatedContact]
    var pin: EnteredPIN?
    /// Gives up the callback that is under way, when the sheet goes away first.
    var abandon: (() -> Void)?
    var pinEntry: CheckedContinuation<Void, Never>?

    private var queue: [Action] = []
    private var isWorking = false
    private var idle: [CheckedContinuation<Void, Never>] = []
    private let feed = Feed<SheetState>()

    /// Whether the device can show a request; if not, it records why.
    static func canShow(_ request: PKPaymentRequest, on device: SimulatedDevice) -> Bool {
        guard device.canMakePayments else {
            device.record(.requestRefused, "the device cannot pay")
            return false
        }
        guard let rule = RequestRule.broken(by: request, entitled: device.configuration.entitledMerchantIdentifiers) else { return true }
        device.record(.requestRefused, rule.rawValue)
        return false
    }

    /// Nil when another sheet is in the way or the request is unfit; the device records which.
    static func make(for request: PKPaymentRequest, app: any SheetApp, on device: SimulatedDevice) -> PaymentSheet? {
        guard device.presentedSheet == nil else {
            device.record(.presentedOverAnother, "a sheet is on the screen, or was dismissed in the same instant")
            return nil
        }
        return canShow(request, on: device) ? PaymentSheet(request: request, app: app, device: device) : nil
    }

    private init(request: PKPaymentRequest, app: any SheetApp, device: SimulatedDevice) {
        self.request = request
        self.app = app
        self.device = device
        items = request.paymentSummaryItems
        shippingMethods = request.shippingMethods ?? []
        let configuration = device.configuration
        cards = configuration.cards.filter {
            $0.isOffered(networks: request.supportedNetworks, capabilities: request.merchantCapabilities)
        }
        contacts = request.shippingFields.isEmpty ? [] : configuration.contacts
        state = initialState()
    }

    /// - Parameter kept: Lives as long as the sheet is on the screen.
    func begin(keeping kept: AnyObject? = nil) {
        self.kept = kept
        device.presentedSheet = self
        checkItems(items)
        // A device announces the default card and address when the sheet appears [I].
        if let card = cards.first { queue.append(.selectCard(card.id)) }
        if state.asksAddress, let contact = contacts.first { queue.append(.selectContact(contact.id)) }
        if let code = request.couponCode, !code.isEmpty { queue.append(.enterCouponCode(code)) }
        rest()
        work()
    }

    /// Queues what the customer does; it happens when the app has answered what came before. Cancelling and typing a PIN
    /// do not wait. A sheet that is over ignores everything.
    public func perform(_ action: Action) {
        guard !state.phase.isOver else { return }
        switch action {
        case .cancel: cancel()
        case .enterPIN(let digits): enterPIN(digits)
        default:
            queue.append(action)
            work()
        }
    }

    /// Returns when nothing is queued, no answer is awaited and no PIN is being typed.
    public func settle() async {
        while isWorking && state.phase != .enteringPIN && !state.phase.isOver {
            await withCheckedContinuation { idle.append($0) }
        }
    }

    /// Every state from now on, the current one first; ends when the sheet is over.
    public func states() -> AsyncStream<SheetState> { feed.values(from: state, isLast: state.phase.isOver) }

    /// Takes the sheet from the screen. It is gone a moment later: a new one presented in the same instant is refused.
    func dismiss() {
        if !state.phase.isOver { end(.dismissed, message: nil, tellsApp: false) }
        kept = nil
        let device = device
        Task { if device.presentedSheet === self { device.presentedSheet = nil } }
    }

    func end(_ phase: SheetState.Phase, message: String?, tellsApp: Bool = true) {
        guard !state.phase.isOver else { return }
        queue = []
        state.message = message
        state.phase = phase
        abandon?()
        abandon = nil
        pinEntry?.resume()
        pinEntry = nil
        if tellsApp { app?.didFinish() }
    }

    private func cancel() {
        // Authorised is authorised: the sheet offers no way back while the app is at work.
        guard state.phase != .processing else { return }
        end(.cancelled, message: nil)
    }

    /// The phase between two callbacks: ready only when nothing else is queued, so that nobody acts on figures about to change.
    var restingPhase: SheetState.Phase { queue.isEmpty ? .ready : .updating }

    func rest() { state.phase = restingPhase }

    private func work() {
        guard !isWorking else { return }
        isWorking = true
        Task {
            while !state.phase.isOver, !queue.isEmpty { await carryOut(queue.removeFirst()) }
            isWorking = false
            wakeIdle()
        }
    }

    private func wakeIdle() {
        let waiting = idle
        idle = []
        for continuation in waiting { continuation.resume() }
    }

    private func publish() {
        feed.tell(state, isLast: state.phase.isOver)
        if state.phase.isOver || state.phase == .enteringPIN { wakeIdle() }
    }
}

extension SimulatedDevice {
    /// The sheet on the screen, if any.
    @MainActor public internal(set) var presentedSheet: PaymentSheet? {
        get { paymentSheetOnScreen as? PaymentSheet }
        set { paymentSheetOnScreen = newValue }
    }
}
