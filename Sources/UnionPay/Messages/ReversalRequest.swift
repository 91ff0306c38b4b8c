public import BillfoldMoney

/// Reversal (冲正): takes back a transaction whose state is unknown, under the **same** `orderId` and `txnTime`, repeated until
/// it is answered (apple-pay.md#reversal).
///
/// Whether it is open for `bizType` 000802 was not seen in an owner's document [I]: ask the acquirer, and set
/// ``businessType`` where the contract names another.
public struct ReversalRequest: UnionPayRequest {
    public static let transactionType = TransactionType.reversal

    public var profile: MessageProfile
    /// The original's key.
    public var key: TransactionKey
    /// The original's amount.
    public var amount: Amount
    public var businessType: String

    public init(
        profile: MessageProfile = MessageProfile(), key: TransactionKey, amount: Amount,
        businessType: String = BusinessType.walletDeduct
    ) {
        self.profile = profile
        self.key = key
        self.amount = amount
        self.businessType = businessType
    }

    public func fields() throws(UnionPayError) -> UnionPayFields {
        var fields = UnionPayFields()
        profile.write(to: &fields)
        fields["txnType"] = Self.transactionType.rawValue
        fields["txnSubType"] = "01"
        fields["bizType"] = businessType
        key.write(to: &fields)
        fields["currencyCode"] = amount.currency.numericCode
        fields["txnAmt"] = try amount.unionPayText()
        return fields
    }

    public init(_ verified: VerifiedFields) throws(UnionPayError) {
        let fields = verified.fields
        try fields.require("txnType", Self.transactionType.rawValue)
        profile = try MessageProfile(fields)
        key = try TransactionKey(fields)
        amount = try Amount(unionPay: fields.required("txnAmt"), currencyCode: fields.required("currencyCode"))
        businessType = try fields.required("bizType")
    }
}
