public import BillfoldMoney

/// Void (消费撤销): takes back a known success of the same settlement day, in full, once, and not after a refund (reference
/// section 8.7). Its 00 is again only "accepted".
public struct VoidRequest: UnionPayRequest {
    public static let transactionType = TransactionType.void

    public var profile: MessageProfile
    /// A key of its own: a new `orderId`, and the time of this message.
    public var key: TransactionKey
    /// The consume.
    public var original: OriginalReference
    /// The original's amount, in full.
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
        guard amount.isPositive else { throw UnionPayError(code: .invalidField, reason: "a void needs an amount above zero") }
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
        guard amount.isPositive else { throw UnionPayError(code: .invalidField, reason: "a void needs an amount above zero") }
        backURL = try fields.required("backUrl")
        reserved = fields.optional("reqReserved")
        businessType = try fields.required("bizType")
    }
}
