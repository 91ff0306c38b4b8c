/// What identifies a transaction at UnionPay: the triple of `merId`, `orderId` and `txnTime`.
///
/// All three are written before the message is sent. A query with another `txnTime` finds nothing (34).
public struct TransactionKey: Sendable, Hashable, Codable, CustomStringConvertible {
    public var merchant: MerchantID
    public var order: OrderID
    /// Beijing time of sending.
    public var time: BeijingTime

    public init(merchant: MerchantID, order: OrderID, time: BeijingTime) {
        self.merchant = merchant
        self.order = order
        self.time = time
    }

    init(_ fields: UnionPayFields) throws(UnionPayError) {
        merchant = try MerchantID(fields.required("merId"))
        order = try OrderID(fields.required("orderId"))
        time = try BeijingTime(fields.required("txnTime"))
    }

    func write(to fields: inout UnionPayFields) {
        fields["merId"] = merchant.description
        fields["orderId"] = order.description
        fields["txnTime"] = time.description
    }

    public var description: String { "\(merchant)/\(order)/\(time)" }
}
