public import BillfoldMoney

/// Order push (获取tn): hands an order to UnionPay, whose client on the phone then takes the payment
/// (unionpay-tn.md#order-push).
///
/// Nothing is taken by this message: the reply holds a ``TransactionNumber``, and money moves once a customer pays by it. What became of
/// the order is told by a notification, or by a query with the same ``key``, as for any consume.
public struct OrderPushRequest: UnionPayRequest {
    public static let transactionType = TransactionType.consume

    public var profile: MessageProfile
    public var key: TransactionKey
    /// What the customer is to pay; above zero.
    public var amount: Amount
    /// Public HTTPS address of the notification.
    public var backURL: String
    /// `frontUrl`: samples send it, and the client on the phone does not use it.
    public var frontURL: String?
    /// What the order is for, as the client shows it.
    public var orderDescription: String?
    /// Afterwards UnionPay does not take the payment, or gives the money back by itself without a notification.
    public var payTimeout: BeijingTime?
    /// Comes back in the notification; at most 1024 characters, none of `& = { } [ ] " '`.
    public var reserved: String?
    /// The product: that of the client on the phone, unless the contract names another.
    public var businessType: String

    public init(
        profile: MessageProfile = MessageProfile(), key: TransactionKey, amount: Amount, backURL: String, frontURL: String? = nil,
        orderDescription: String? = nil, payTimeout: BeijingTime? = nil, reserved: String? = nil,
        businessType: String = BusinessType.orderPush
    ) {
        self.profile = profile
        self.key = key
        self.amount = amount
        self.backURL = backURL
        self.frontURL = frontURL
        self.orderDescription = orderDescription
        self.payTimeout = payTimeout
        self.reserved = reserved
        self.businessType = businessType
    }

    public func fields() throws(UnionPayError) -> UnionPayFields {
        try requirePositive()
        var fields = UnionPayFields()
        profile.write(to: &fields)
        fields["txnType"] = Self.transactionType.rawValue
        fields["txnSubType"] = "01"
        fields["bizType"] = businessType
        key.write(to: &fields)
        fields["currencyCode"] = amount.currency.numericCode
        fields["txnAmt"] = try amount.unionPayText()
        fields["backUrl"] = backURL
        fields["frontUrl"] = frontURL
        fields["orderDesc"] = orderDescription
        fields["payTimeout"] = payTimeout?.description
        if let reserved { fields["reqReserved"] = try RequestReserved.checked(reserved) }
        return fields
    }

    public init(_ verified: VerifiedFields) throws(UnionPayError) {
        let fields = verified.fields
        try fields.require("txnType", Self.transactionType.rawValue)
        try fields.require("txnSubType", "01")
        businessType = try fields.required("bizType")
        guard businessType != BusinessType.walletDeduct else {
            throw UnionPayError(code: .invalidField, reason: "a deduct with a wallet's token is no order push")
        }
        profile = try MessageProfile(fields)
        key = try TransactionKey(fields)
        amount = try Amount(unionPay: fields.required("txnAmt"), currencyCode: fields.required("currencyCode"))
        backURL = try fields.required("backUrl")
        frontURL = fields.optional("frontUrl")
        orderDescription = fields.optional("orderDesc")
        if let text = fields.optional("payTimeout") { payTimeout = try BeijingTime(text) }
        reserved = fields.optional("reqReserved")
        try requirePositive()
    }

    private func requirePositive() throws(UnionPayError) {
        guard amount.isPositive else { throw UnionPayError(code: .invalidField, reason: "an order push needs an amount above zero") }
    }
}
