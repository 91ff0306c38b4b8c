public import BillfoldMoney

/// What UnionPay posts to `backUrl` once a transaction has **succeeded** (apple-pay.md#notification); failures are not
/// notified.
///
/// The same notification may come up to five times. Compare ``amount`` and ``transactionType`` with the order found under
/// ``key`` before believing it, and answer HTTP 200 only once it is stored.
public struct PaymentNotification: UnionPayMessage {
    public let key: TransactionKey
    public let transactionType: TransactionType
    public let code: ReplyCode
    public let message: ReplyText
    public let queryID: QueryID
    public let amount: Amount
    /// In the currency of settlement, where it is stated.
    public let settlementAmount: Amount?
    public let settlementDay: SettlementDay?
    /// `traceNo`: six digits.
    public let traceNumber: String?
    /// `traceTime`: `MMDDhhmmss`.
    public let traceTime: String?
    /// `reqReserved` as it was sent.
    public let reserved: String?
    public let fields: UnionPayFields

    public init(_ verified: VerifiedFields) throws(UnionPayError) {
        fields = verified.fields
        key = try TransactionKey(fields)
        guard let type = TransactionType(rawValue: try fields.required("txnType")) else {
            throw UnionPayError(code: .invalidField, reason: "txnType is none that is notified")
        }
        transactionType = type
        code = ReplyCode(rawValue: try fields.required("respCode"))
        message = ReplyText(fields.optional("respMsg") ?? "")
        queryID = try QueryID(fields.required("queryId"))
        amount = try Amount(unionPay: fields.required("txnAmt"), currencyCode: fields.required("currencyCode"))
        settlementAmount = try Settlement.amount(fields)
        settlementDay = try Settlement.day(fields)
        traceNumber = fields.optional("traceNo")
        traceTime = fields.optional("traceTime")
        reserved = fields.optional("reqReserved")
    }

    /// Whether it says that the money moved: 00 or A6, as in the owner's query rule.
    public var isSuccess: Bool { code.meansPaidWhenOriginal }
}

/// The settlement fields that notifications and query replies share.
enum Settlement {
    static func amount(_ fields: UnionPayFields) throws(UnionPayError) -> Amount? {
        guard let text = fields.optional("settleAmt"), let currency = fields.optional("settleCurrencyCode") else { return nil }
        return try Amount(unionPay: text, currencyCode: currency)
    }

    static func day(_ fields: UnionPayFields) throws(UnionPayError) -> SettlementDay? {
        guard let text = fields.optional("settleDate") else { return nil }
        return try SettlementDay(text)
    }
}
