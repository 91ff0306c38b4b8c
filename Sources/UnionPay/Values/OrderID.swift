/// `orderId`: the merchant's own number of one attempt, 8 to 40 ASCII letters and digits, no `-` or `_`, unique within
/// the trading day. It is chosen and stored before anything is sent; a resend repeats it.
public struct OrderID: Sendable, Hashable, Codable, CustomStringConvertible {
    public let description: String

    public init(_ text: String) throws(UnionPayError) {
        let allowed = text.utf8.allSatisfy { byte in
            (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
        }
        guard (8...40).contains(text.utf8.count), allowed else {
            throw UnionPayError(code: .invalidField, reason: "orderId is not 8 to 40 letters and digits")
        }
        description = text
    }
}
