/// The synchronous reply to a consume, void, refund or reversal.
///
/// ``code`` 00 says that UnionPay has the message. It is never evidence of payment.
public struct AcceptanceReply: UnionPayMessage {
    /// Absent when the gateway could not read the request far enough to repeat it.
    public let key: TransactionKey?
    public let transactionType: TransactionType?
    public let code: ReplyCode
    public let message: ReplyText
    /// UnionPay's number, where it was given at once.
    public let queryID: QueryID?
    public let fields: UnionPayFields

    public init(_ verified: VerifiedFields) throws(UnionPayError) {
        fields = verified.fields
        code = ReplyCode(rawValue: try fields.required("respCode"))
        message = ReplyText(fields.optional("respMsg") ?? "")
        let named = fields.optional("orderId") != nil && fields.optional("txnTime") != nil
        key = named ? try TransactionKey(fields) : nil
        transactionType = fields.optional("txnType").flatMap(TransactionType.init(rawValue:))
        queryID = try fields.optional("queryId").map { text throws(UnionPayError) in try QueryID(text) }
    }
}
