/// `queryId`: UnionPay's own number of a transaction, 21 digits in every message seen. Void and refund name the original
/// by it (`origQryId`).
public struct QueryID: Sendable, Hashable, Codable, CustomStringConvertible {
    public let description: String

    public init(_ text: String) throws(UnionPayError) {
        guard text.utf8.count == 21, text.utf8.allSatisfy({ (48...57).contains($0) }) else {
            throw UnionPayError(code: .invalidField, reason: "queryId is not 21 digits")
        }
        description = text
    }
}
