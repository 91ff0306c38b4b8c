public import CustomerLanguages

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

    /// A plain sentence for the customer. What is undecided never reads as a failure.
    public func customerText(in language: CustomerLanguage) -> String {
        let texts = CustomerTexts(language)
        switch self {
        case .succeeded: return texts[.paid]
        case .failed: return texts[.notPaid]
        case .undecided: return texts[.beingConfirmed]
        case .cancelled: return texts[.paymentClosed]
        case .notPresented: return texts[.noSheet]
        }
    }
}
