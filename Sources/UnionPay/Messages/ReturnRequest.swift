public import BillfoldMoney

/// Refund (退货): gives back a known success, in part and several times up to the total, for about eleven months
/// (apple-pay.md#refund). Its 00 is again only "accepted"; it has a notification and a query of its own.
public typealias RefundRequest = ReturnRequest<RefundOfConsume>

/// Void (消费撤销): takes back a known success of the same settlement day, in full, once, and not after a refund
/// (apple-pay.md#void). Its 00 is again only "accepted".
public typealias VoidRequest = ReturnRequest<VoidOfConsume>

/// The `txnType` by which a consume is given back.
public protocol ReturnOfConsume: Sendable {
    /// `04` or `31`.
    static var transactionType: TransactionType { get }
}

/// Makes a ``ReturnRequest`` a ``RefundRequest``.
public enum RefundOfConsume: ReturnOfConsume {
    public static let transactionType = TransactionType.refund
}

/// Makes a ``ReturnRequest`` a ``VoidRequest``.
public enum VoidOfConsume: ReturnOfConsume {
    public static let transactionType = TransactionType.void
}

/// Gives back what a consume took: a ``RefundRequest`` or a ``VoidRequest``, which differ on the wire in their `txnType` alone.
public struct ReturnRequest<Kind: ReturnOfConsume>: UnionPayRequest {
    public static var transactionType: TransactionType { Kind.transactionType }

    public var profile: MessageProfile
    /// A key of its own: a new `orderId`, and the time of this message.
    public var key: TransactionKey
    /// The consume.
    public var original: OriginalReference
    /// What is given back: the original's amount in full by a void; by refunds together at most that.
    public var amount: Amount
    /// Public HTTPS address of the notification.
    public var backURL: String
    public var reserved: String?
    public var businessType: String

    public init(
        profile: MessageProfile = MessageProfile(), key: TransactionKey, original: OriginalReference, amount: Amount, backURL: String,
        reserved: String? = nil, businessType: String = BusinessType.walletDeduct
    ) {
        self.profile = profile
        self.key = key
        self.original = original
        self.amount = amount
        self.backURL = backURL
        self.reserved = reserved
        self.businessType = businessType
    }

    public func fields() throws(UnionPayError) -> UnionPayFields {
        try Self.requirePositive(amount)
        var fields = UnionPayFields()
        profile.write(to: &fields)
        fields["txnType"] = Self.transactionType.rawValue
        fields["txnSubType"] = "00"
        fields["bizType"] = businessType
        key.write(to: &fields)
        fields["currencyCode"] = amount.currency.numericCode
        fields["txnAmt"] = try amount.unionPayText()
        original.write(to: &fields)
        fields["backUrl"] = backURL
        if let reserved { fields["reqReserved"] = try RequestReserved.checked(reserved) }
        return fields
    }

    public init(_ verified: VerifiedFields) throws(UnionPayError) {
        let fields = verified.fields
        try fields.require("txnType", Self.transactionType.rawValue)
        profile = try MessageProfile(fields)
        key = try TransactionKey(fields)
        original = try OriginalReference(fields)
        amount = try Amount(unionPay: fields.required("txnAmt"), currencyCode: fields.optional("currencyCode") ?? "156")
        try Self.requirePositive(amount)
        backURL = try fields.required("backUrl")
        reserved = fields.optional("reqReserved")
        businessType = try fields.required("bizType")
    }

    private static func requirePositive(_ amount: Amount) throws(UnionPayError) {
        guard amount.isPositive else {
            throw UnionPayError(code: .invalidField, reason: "a \(transactionType.title) needs an amount above zero")
        }
    }
}
