/// An account of the merchant's books.
///
/// Debits are positive and credits negative, so a receivable grows by positive postings and sales by negative ones.
public struct LedgerAccount: Sendable, Hashable, Codable {
    /// Which side of the books it belongs to.
    public enum Kind: String, Sendable, Hashable, Codable {
        case asset
        case liability
        case income
        case expense
    }

    /// Unique in the books, for example `receivable:unionpay`.
    public let name: String
    public let kind: Kind

    public init(_ name: String, _ kind: Kind) {
        self.name = name
        self.kind = kind
    }

    /// What an acquirer took for the merchant and has not paid out.
    public static func receivable(from acquirer: String) -> Self { Self("receivable:\(acquirer)", .asset) }
    public static let sales = Self("sales", .income)
    /// Sales given back: kept apart from ``sales``, so that both totals stay visible.
    public static let refunds = Self("refunds", .income)
    public static let acquirerFees = Self("acquirer-fees", .expense)
    public static let bank = Self("bank", .asset)
}
