/// `merId`: the fifteen characters under which UnionPay knows a merchant. Digits only.
public struct MerchantID: Sendable, Hashable, Codable, CustomStringConvertible {
    public let description: String

    public init(_ text: String) throws(UnionPayError) {
        guard text.utf8.count == 15, text.utf8.allSatisfy({ (48...57).contains($0) }) else {
            throw UnionPayError(code: .invalidField, reason: "merId is not fifteen digits")
        }
        description = text
    }
}
