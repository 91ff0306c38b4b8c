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
    // PassKit keeps a presented controller alive; so does the sheet, until it is dismissed.
    var controller: PKPaymentAuthorizationController?
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

    static func make(
        for request: PKPaymentRequest, controller: PKPaymentAuthorizationController, on device: SimulatedDevice
    ) -> PaymentSheet? {
        guard device.presentedSheet == nil else {
            device.record(.presentedOverAnother, "a sheet is on the screen, or was dismissed in the same instant")
            return nil
        }
        guard device.canMakePayments else {
            device.record(.requestRefused, "the device cannot pay")
            return nil
        }
        if let rule = RequestRule.broken(by: request, entitled: device.configuration.entitledMerchantIdentifiers) {
            device.record(.requestRefused, rule.rawValue)
            return nil
        }
        return PaymentSheet(request: request, controller: controller, device: device)
    }

    private init(request: PKPaymentRequest, controller: PKPaymentAuthorizationController, device: SimulatedDevice) {
        self.request = request
        self.controller = controller
        self.device = device
        items = request.paymentSummaryItems
        shippingMethods = request.shippingMethods ?? []
        let configuration = device.configuration
        cards = configuration.cards.filter {
            $0.isOffered(networks: request.supportedNetworks, capabilities: request.merchantCapabilities)
        }
        contacts = request.requiredShippingContactFields.isEmpty ? [] : configuration.contacts
        state = initialState()
    }

    func begin() {
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
        controller = nil
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
        if tellsApp, let controller { controller.delegate?.paymentAuthorizationControllerDidFinish(controller) }
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
