public import Alipay
public import Foundation

/// What a payment needs of the phone. `UIKitSurroundings` is the system's; ``SimulatedSurroundings`` runs anywhere.
@MainActor
public protocol PaymentSurroundings: AnyObject {
    /// Whether some app takes this URL. On iOS always false for a scheme that `LSApplicationQueriesSchemes` does not list.
    func canOpen(_ url: URL) -> Bool

    /// Hands the URL to its app; false when the system would not.
    func open(_ url: URL) async -> Bool

    /// Shows the web cashier until it ends or the customer closes it. A page that is closed is asked what it knows
    /// (``CashierRequest/closing(_:)``): 6001, or 8000 where the payment was already submitted. Nil: nobody knows.
    func showCashier(_ request: CashierRequest) async -> PaymentResult?
}
