public import BillfoldMoney

/// The reply to a query, on two levels: ``code`` is about the query itself, and only when it is 00 does
/// ``original`` say what became of the transaction (apple-pay.md#query).
public struct QueryReply: UnionPayMessage {
    /// What UnionPay knows of the transaction that was asked for.
    public struct Original: Sendable, Hashable {
        /// `origRespCode`.
        public let code: ReplyCode
        /// `origRespMsg`.
        public let message: ReplyText
        public let queryID: QueryID?
        public let amount: Amount?
        public let settlementAmount: Amount?
        public let settlementDay: SettlementDay?
        public let traceNumber: String?
        public let traceTime: String?
    }

    public let key: TransactionKey?
    public let code: ReplyCode
    public let message: ReplyText
    /// Present exactly when ``code`` is 00.
    public let original: Original?
    public let fields: UnionPayFields

    public init(_ verified: VerifiedFields) throws(UnionPayError) {
        fields = verified.fields
        code = ReplyCode(rawValue: try fields.required("respCode"))
        message = ReplyText(fields.optional("respMsg") ?? "")
        let named = fields.optional("orderId") != nil && fields.optional("txnTime") != nil
        key = named ? try TransactionKey(fields) : nil
        guard code == .accepted else {
            original = nil
            return
        }
        var amount: Amount?
        if let text = fields.optional("txnAmt") {
            amount = try Amount(unionPay: text, currencyCode: fields.optional("currencyCode") ?? "156")
        }
        original = Original(
            code: ReplyCode(rawValue: try fields.required("origRespCode")), message: ReplyText(fields.optional("origRespMsg") ?? ""),
            queryID: try fields.optional("queryId").map { text throws(UnionPayError) in try QueryID(text) }, amount: amount,
            settlementAmount: try Self.settlement(fields), settlementDay: try Settlement.day(fields),
            traceNumber: fields.optional("traceNo"), traceTime: fields.optional("traceTime"))
    }

    /// Real replies have a `settleAmt` [V], and not always its currency: it is then that of the payment, or the network's own [I].
    private static func settlement(_ fields: UnionPayFields) throws(UnionPayError) -> Amount? {
        guard let text = fields.optional("settleAmt") else { return nil }
        return try Amount(
            unionPay: text, currencyCode: fields.optional("settleCurrencyCode") ?? fields.optional("currencyCode") ?? "156")
    }
}
