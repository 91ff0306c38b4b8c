import BillfoldConcurrency
import Foundation

/// The add-pass flow on the screen: what the customer sees (``state``) and does (``perform(_:)``).
///
/// A tap on what the present phase does not offer does nothing.
@MainActor
public final class AddPassSheet {
    /// A tap or an entry of the customer.
    public enum Action: Sendable, Hashable {
        case next
        case chooseDevice(AddPassState.Device.ID)
        case acceptTerms
        case declineTerms
        case chooseMethod(AddPassState.Method.ID)
        case enterCode(String)
        /// Proves nothing now: the pass stays in the wallet and cannot be used.
        case later
        case done
        case cancel
    }

    /// Within which the app's handler must be called. Afterwards its answer is ignored and the flow ends with an error.
    public static let requestLimit = Duration.seconds(20)

    /// Between two looks at the broker's passes after an answer to enabling was lost.
    static let lookUpPause = Duration.seconds(2)

    public private(set) var state: AddPassState {
        didSet { if state != oldValue { feed.tell(state, isLast: state.phase.isOver) } }
    }

    let configuration: PKAddPaymentPassRequestConfiguration
    let device: SimulatedDevice
    /// The devices that the card is for, where that was chosen before.
    let targets: [SimulatedDevice]?
    private weak var requester: (any AddPassRequester)?
    private let feed = Feed<AddPassState>()
    private var tapped: CheckedContinuation<Action?, Never>?
    private var settling: [CheckedContinuation<Void, Never>] = []
    private var abandon: (() -> Void)?

    init(
        configuration: PKAddPaymentPassRequestConfiguration, requester: any AddPassRequester, device: SimulatedDevice,
        targets: [SimulatedDevice]? = nil
    ) {
        self.configuration = configuration
        self.requester = requester
        self.device = device
        self.targets = targets
        state = AddPassState()
        state.description = configuration.localizedDescription ?? ""
        state.cardholderName = configuration.cardholderName ?? ""
        state.suffix = configuration.primaryAccountSuffix ?? ""
        state.network = configuration.paymentNetwork?.rawValue ?? ""
        state.details = configuration.cardDetails.map { .init(label: $0.label, value: $0.value) }
    }

    func begin() {
        device.addPassSheet = self
        Task { await run() }
    }

    /// Does what the customer tapped. Where nobody can turn back any more, `cancel` means `later` or `done`.
    public func perform(_ action: Action) {
        if action == .cancel, !state.phase.canCancel {
            // The cross beside a pass that is in the wallet already means "later" or "done".
            return perform(state.phase == .added || state.phase == .failed ? .done : .later)
        }
        guard state.phase.offers(action) else { return }
        if action == .cancel || action == .declineTerms { return finish(nil, PKAddPaymentPassError.userCancelled.passKitError) }
        let waiting = tapped
        tapped = nil
        waiting?.resume(returning: action)
    }

    /// Returns when the flow waits for the customer, or is over.
    public func settle() async {
        guard tapped == nil, !state.phase.isOver else { return }
        await withCheckedContinuation { settling.append($0) }
    }

    /// Every state from now on, the current one first; ends when the flow is over.
    public func states() -> AsyncStream<AddPassState> { feed.values(from: state, isLast: state.phase.isOver) }

    // MARK: For the steps

    /// Shows a phase together with what `change` adds to it, so that nobody sees the one without the other.
    func show(_ phase: AddPassState.Phase, _ change: (inout AddPassState) -> Void = { _ in }) {
        guard !state.phase.isOver else { return }
        var next = state
        next.phase = phase
        change(&next)
        state = next
    }

    /// Shows a phase and waits for a tap that it offers. Nil: the flow is over.
    func tap(_ phase: AddPassState.Phase, _ change: (inout AddPassState) -> Void = { _ in }) async -> Action? {
        guard !state.phase.isOver else { return nil }
        show(phase, change)
        return await withCheckedContinuation {
            tapped = $0
            wake()
        }
    }

    /// Asks the app for its request. Nil: none came in time, or the flow is over.
    func ask(_ challenge: BrokerChallenge) async -> PKAddPaymentPassRequest? {
        guard let requester, requester.isThere else { return nil }
        let reply = SheetReply<PKAddPaymentPassRequest?>(callback: requester.callback, device: device)
        abandon = { reply.abandon() }
        let request = await reply.wait(atMost: Self.requestLimit) { requester.generate(for: challenge, handler: $0) }
        abandon = nil
        return state.phase.isOver ? nil : request ?? nil
    }

    /// The bundle that asks for the card.
    var bundle: SignedApp { requester?.bundle ?? device.configuration.app }

    /// "Could Not Add Card"; the app hears of it when the customer has read it.
    func fail(_ error: NSError, message: String = "Could Not Add Card") async {
        guard await tap(.failed, { $0.message = message }) != nil else { return }
        finish(nil, error)
    }

    func finish(_ pass: PKPaymentPass?, _ error: NSError?) {
        guard !state.phase.isOver else { return }
        close()
        requester?.finished(pass, error)
    }

    /// The controller left the screen: by the app's hand, after the flow or in its middle. The app hears nothing more.
    func leave() {
        close()
        if device.addPassSheet === self { device.addPassSheet = nil }
    }

    private func close() {
        guard !state.phase.isOver else { return }
        show(.closed)
        abandon?()
        abandon = nil
        let waiting = tapped
        tapped = nil
        waiting?.resume(returning: nil)
        wake()
    }

    private func wake() {
        let waiting = settling
        settling = []
        for continuation in waiting { continuation.resume() }
    }
}

/// Whom the flow asks for the sealed card, and tells how it ended: a screen of the app's, or its extension of Wallet.
@MainActor
protocol AddPassRequester: AnyObject {
    /// The callback's name, for faults.
    var callback: String { get }
    /// Whether anybody would hear the question.
    var isThere: Bool { get }
    /// The bundle that the broker is told: the app's, or its extension's [I].
    var bundle: SignedApp { get }
    /// - Parameter handler: Takes nil where there is no sealed card.
    func generate(for challenge: BrokerChallenge, handler: @escaping @Sendable (PKAddPaymentPassRequest?) -> Void)
    func finished(_ pass: PKPaymentPass?, _ error: NSError?)
}

extension SimulatedDevice {
    /// The add-pass sheet on the screen, if any.
    @MainActor public internal(set) var addPassSheet: AddPassSheet? {
        get { addPassSheetOnScreen as? AddPassSheet }
        set { addPassSheetOnScreen = newValue }
    }
}
