/// How a void or refund names the consume that it undoes (apple-pay.md#undoing).
public enum OriginalReference: Sendable, Hashable {
    /// `origQryId`: UnionPay's number of the consume.
    case queryID(QueryID)
    /// `origOrderId` and `origTxnTime`, where UnionPay's number was never heard. The merchant is the message's own.
    case key(TransactionKey)

    init(_ fields: UnionPayFields) throws(UnionPayError) {
        if let number = fields.optional("origQryId") {
            self = .queryID(try QueryID(number))
        } else {
            self = .key(
                TransactionKey(
                    merchant: try MerchantID(fields.required("merId")), order: try OrderID(fields.required("origOrderId")),
                    time: try BeijingTime(fields.required("origTxnTime"))))
        }
    }

    func write(to fields: inout UnionPayFields) {
        switch self {
        case .queryID(let number): fields["origQryId"] = number.description
        case .key(let key):
            fields["origOrderId"] = key.order.description
            fields["origTxnTime"] = key.time.description
        }
    }
}
