/// How a checkout ended, and what the app may now promise the customer.
public enum CheckoutOutcome: Sendable, Hashable {
    /// The server says that money moved: promise the goods.
    case succeeded(CheckoutPayment)
    /// Certainly no money moved; `code` is the server's or this library's stable code. The customer may try again.
    case failed(code: String, reason: String)
    /// Sent, and not decided yet. Say "being confirmed", never "failed"; ask again with ``CheckoutSession/recover(memory:server:configuration:)``.
    case undecided(CheckoutPayment?)
    /// The customer closed the sheet; nothing was sent.
    case cancelled
    /// The sheet did not appear.
    case notPresented
}
