public import Alipay
public import Foundation

/// A phone in software: which wallets it has, which URLs were opened, and the cashier on its screen.
@MainActor
public final class SimulatedSurroundings: PaymentSurroundings {
    /// The schemes that some app on this phone takes; `alipay` is the wallet's.
    public var installedSchemes: Set<String>
    /// Whether the system opens what it can; false is the customer who says no to "Open in …?".
    public var opens = true
    /// Called when an app was opened with a URL.
    public var onOpen: (@MainActor (URL) -> Void)?
    /// Called when the cashier comes up and, with nil, when it goes.
    public var onCashier: (@MainActor (CashierRequest?) -> Void)?
    public private(set) var openedURLs: [URL] = []
    /// The cashier on the screen.
    public private(set) var cashier: CashierRequest?
    private var cashierEnd: CheckedContinuation<PaymentResult?, Never>?

    public init(installedSchemes: Set<String> = []) { self.installedSchemes = installedSchemes }

    public func canOpen(_ url: URL) -> Bool { installedSchemes.contains(url.scheme?.lowercased() ?? "") }

    public func open(_ url: URL) async -> Bool {
        guard opens, canOpen(url) else { return false }
        openedURLs.append(url)
        onOpen?(url)
        return true
    }

    public func showCashier(_ request: CashierRequest) async -> PaymentResult? {
        endCashier(nil)
        cashier = request
        return await withCheckedContinuation { end in
            cashierEnd = end
            onCashier?(request)
        }
    }

    /// Takes the cashier away with what it said; nil when nobody knows.
    public func endCashier(_ reply: PaymentResult?) {
        guard let end = cashierEnd else { return }
        cashierEnd = nil
        cashier = nil
        onCashier?(nil)
        end.resume(returning: reply)
    }
}
