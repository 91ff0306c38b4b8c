/// `tn`: UnionPay's number of an order that a merchant pushed, by which its client on the phone takes the payment
/// (unionpay-tn.md#transaction-number [D]). 21 digits.
///
/// Whoever holds it may pay the order and nothing else: it goes to the customer's own app alone.
public struct TransactionNumber: Sendable, Hashable, Codable, CustomStringConvertible {
    public let description: String

    /// `invalid-field` unless it is 21 digits; an empty text and one with a line break are refused too.
    public init(_ text: String) throws(UnionPayError) {
        guard text.utf8.count == 21, text.utf8.allSatisfy({ (48...57).contains($0) }) else {
            throw UnionPayError(code: .invalidField, reason: "tn is not 21 digits")
        }
        description = text
    }
}
