public import BillfoldMoney
public import BillfoldStorage

/// One attempt to pay an order.
public struct Payment: Sendable, Hashable {
    public var merchant: MerchantID
    public var id: TimeOrderedID
    public var order: TimeOrderedID
    public var currency: Currency
    public var standing: PaymentStanding
    /// What refunds, voids and reversals under way or done have laid hands on, in minor units. Never above the amount.
    public internal(set) var reserved: Int64
    /// Counts the changes; every update names the version it follows.
    public internal(set) var version: Int64
    /// How the acquirer knows the message, unique for ever: for UnionPay merId, orderId and txnTime.
    public var externalKey: String
    /// The acquirer's own number for the transaction, once known.
    public internal(set) var acquirerReference: String?
    /// The acquirer's settlement day with its year, `yyyyMMdd`, once known.
    public internal(set) var settlementDay: String?
    /// The last reason given by the acquirer or by us, for people.
    public internal(set) var reason: String?
    /// The last alarm that is open; ``AlarmRecords`` has all of them.
    public internal(set) var alarm: PaymentTransition.Alarm?
    /// The protocol's own frozen data. Sealed where it holds card data.
    public var detail: [UInt8]
    public internal(set) var auditHead: AuditHead
    public var createdAt: Timestamp
    public internal(set) var updatedAt: Timestamp

    public var state: PaymentState { standing.state }
    public var amount: Amount { Amount(minorUnits: standing.amount, currency: currency) }
    public var refunded: Amount { Amount(minorUnits: standing.refunded, currency: currency) }
    /// The audit chain of this payment.
    public var auditChain: String { Self.auditChainPrefix + id.description }

    /// What the name of every payment's audit chain begins with; the payment's id follows.
    public static let auditChainPrefix = "payment:"

    /// A new attempt, before any event.
    public init(
        merchant: MerchantID, id: TimeOrderedID, order: TimeOrderedID, amount: Amount, externalKey: String, detail: [UInt8], at: Timestamp
    ) throws(PaymentsError) {
        guard amount.isPositive else {
            throw PaymentsError(code: .invalidAmount, reason: "a payment takes more than zero")
        }
        self.init(
            merchant: merchant, id: id, order: order, currency: amount.currency,
            standing: PaymentStanding(amount: amount.minorUnits), externalKey: externalKey, detail: detail, createdAt: at)
    }

    init(
        merchant: MerchantID, id: TimeOrderedID, order: TimeOrderedID, currency: Currency, standing: PaymentStanding, externalKey: String,
        detail: [UInt8], createdAt: Timestamp
    ) {
        self.merchant = merchant
        self.id = id
        self.order = order
        self.currency = currency
        self.standing = standing
        self.externalKey = externalKey
        self.detail = detail
        self.createdAt = createdAt
        reserved = 0
        version = 1
        auditHead = .start
        updatedAt = createdAt
    }
}

/// Who says so, and what they said beside the bare event.
public struct EventDetail: Sendable, Hashable {
    /// The caller or counterparty whose word it is, for the audit trail.
    public var actor: String
    public var reason: String?
    public var acquirerReference: String?
    public var settlementDay: String?

    public init(actor: String, reason: String? = nil, acquirerReference: String? = nil, settlementDay: String? = nil) {
        self.actor = Self.storable(actor)
        self.reason = reason.map(Self.storable)
        self.acquirerReference = acquirerReference.map(Self.storable)
        self.settlementDay = settlementDay.map(Self.storable)
    }

    /// Shortens what strangers wrote and drops U+0000, which not every store can hold: evidence must never fail to be stored
    /// because of its wording.
    public static func storable(_ text: String) -> String {
        // Nearly every text: short, and without that character.
        if text.utf8.count <= 500, !text.utf8.contains(0) { return text }
        return String(String.UnicodeScalarView(text.unicodeScalars.lazy.filter { $0 != "\0" }.prefix(500)))
    }
}
