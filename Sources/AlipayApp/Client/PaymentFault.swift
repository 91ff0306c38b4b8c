/// What went wrong around a payment and was survived. For a developer's log: it decides nothing.
public struct PaymentFault: Sendable, Hashable {
    /// What happened. Stable, for logs and tests.
    public enum Code: String, Sendable, Hashable {
        /// The list of pending payments could not be read; orders begun before can be told only from what comes back.
        case storeDamaged = "store-damaged"
        /// The list could not be read or written; it is kept in memory.
        case storeUnavailable = "store-unavailable"
        /// A result says "paid" and its signature does not verify under the keys at hand.
        case signatureRefused = "signature-refused"
        /// A verified result is not of the order that was sent: another order, merchant or amount.
        case otherOrder = "result-of-other-order"
        /// The app holds no key to check results with.
        case noResultKey = "no-result-key"
        /// A URL that is meant for this client and cannot be read.
        case returnMalformed = "return-malformed"
        /// A URL that fits no payment.
        case returnUnmatched = "return-unmatched"
        /// A URL that was delivered before.
        case returnRepeated = "return-repeated"
        /// Something came back without a proof for a payment whose proof is here: it was put aside, and the server asked.
        case replyUnproven = "reply-unproven"
        /// The system has the wallet and would not open it.
        case walletNotOpened = "wallet-not-opened"
    }

    public var code: Code
    public var orderNumber: String?

    public init(_ code: Code, orderNumber: String? = nil) {
        self.code = code
        self.orderNumber = orderNumber
    }
}
