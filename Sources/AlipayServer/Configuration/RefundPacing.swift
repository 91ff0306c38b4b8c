/// How closely a merchant's refunds may follow each other, and when they may be asked about (alipay.md#refunds).
///
/// The waits are documented [D]; what a faster caller is answered is not [I]: a refund that comes too soon is refused with the
/// documented code for calls that come too often, and a question that comes too soon is answered as long as nothing were done.
package struct RefundPacing: Sendable, Hashable, Codable {
    /// Seconds between two refunds of one trade.
    package var betweenRefunds: Int64
    /// Seconds from a refund to the first question about it.
    package var beforeQuery: Int64

    package init(betweenRefunds: Int64, beforeQuery: Int64) {
        self.betweenRefunds = betweenRefunds
        self.beforeQuery = beforeQuery
    }

    package static let documented = RefundPacing(betweenRefunds: 3, beforeQuery: 10)
}
