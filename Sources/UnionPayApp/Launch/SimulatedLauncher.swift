import BillfoldConcurrency

/// UnionPay's app and sheet in software: it shows nothing, and ends each payment when and as it is told.
public final class SimulatedLauncher: PaymentLauncher {
    private struct State {
        var isInstalled = true
        var refuses = false
        var shown: [PluginOrder] = []
        var open: (order: PluginOrder, end: @Sendable (PluginEnd) -> Void)?
    }

    private let state = Locked(State())

    public init() {}

    /// Whether UnionPay's app counts as installed; true at first.
    public var isInstalled: Bool {
        get { state.withLock { $0.isInstalled } }
        set { state.withLock { $0.isInstalled = newValue } }
    }

    /// Whether it fails to show anything, as without a fitting card; false at first.
    public var refuses: Bool {
        get { state.withLock { $0.refuses } }
        set { state.withLock { $0.refuses = newValue } }
    }

    /// Every order that was shown, in order.
    public var shown: [PluginOrder] { state.withLock { $0.shown } }

    public func isPaymentAppInstalled() -> Bool { isInstalled }

    public func launch(_ order: PluginOrder, end: @escaping @Sendable (PluginEnd) -> Void) -> Bool {
        state.withLock { state in
            guard !state.refuses else { return false }
            state.shown.append(order)
            state.open = (order, end)
            return true
        }
    }

    /// Ends what is shown. False where nothing is.
    @discardableResult
    public func finish(_ end: PluginEnd) -> Bool {
        let open = state.withLock { state in
            defer { state.open = nil }
            return state.open
        }
        open?.end(end)
        return open != nil
    }

    /// Takes what is shown away without a word: the app was killed, or the switch back never came.
    @discardableResult
    public func lose() -> Bool {
        state.withLock { state in
            defer { state.open = nil }
            return state.open != nil
        }
    }
}
