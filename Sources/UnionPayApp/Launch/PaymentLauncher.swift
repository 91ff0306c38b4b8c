public import Foundation

/// What lets the customer pay: UnionPay's app or page, or one in software. UnionPay's library does that on a device; how it hands an
/// order to its app is not published, so it is behind this protocol (unionpay-tn.md#start [I]).
public protocol PaymentLauncher: Sendable {
    /// Whether UnionPay's app is there: a hint for the button, not a condition.
    func isPaymentAppInstalled() -> Bool

    /// Shows the payment. False when nothing was shown, and then `end` is not called.
    ///
    /// - Parameters:
    ///   - order: What is to be paid.
    ///   - end: How it ended, once, on whatever thread. Not called where the result comes as a URL from another app, or never.
    func launch(_ order: PluginOrder, end: @escaping @Sendable (PluginEnd) -> Void) -> Bool
}

/// Opens a page where the customer pays, such as the sandbox's. The page comes back to the app's scheme by itself.
///
/// The page is asked for as `<base>/<tn>?scheme=<scheme>&mode=<mode>`. It shows payments of ``UPPaymentControl`` alone: a page cannot call
/// a delegate. [I]
public struct PageLauncher: PaymentLauncher {
    private let base: URL
    private let open: @Sendable (URL) -> Bool
    private let isInstalled: @Sendable () -> Bool

    /// - Parameters:
    ///   - base: Where the pages are.
    ///   - open: Opens a page, and says whether it did.
    ///   - isInstalled: Whether UnionPay's app counts as installed.
    public init(base: URL, open: @escaping @Sendable (URL) -> Bool, isInstalled: @escaping @Sendable () -> Bool = { false }) {
        self.base = base
        self.open = open
        self.isInstalled = isInstalled
    }

    public func isPaymentAppInstalled() -> Bool { isInstalled() }

    public func launch(_ order: PluginOrder, end: @escaping @Sendable (PluginEnd) -> Void) -> Bool {
        guard order.way == .control, let page = Self.page(of: order, below: base) else { return false }
        return open(page)
    }

    /// The page of an order; nil for a number or scheme that no address can hold.
    public static func page(of order: PluginOrder, below base: URL) -> URL? {
        var parts = URLComponents(url: base.appendingPathComponent(order.number), resolvingAgainstBaseURL: false)
        parts?.queryItems = [
            URLQueryItem(name: "scheme", value: order.scheme), URLQueryItem(name: "mode", value: order.mode.rawValue),
        ]
        return parts?.url
    }
}
