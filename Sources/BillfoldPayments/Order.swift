public import BillfoldMoney
public import BillfoldStorage

/// What a merchant wants to be paid for. Everything but the attempts is frozen when it is made.
public struct Order: Sendable, Hashable {
    public var merchant: MerchantID
    public var id: TimeOrderedID
    /// The merchant's own number. Unique for ever, so that even a forgotten idempotency key cannot pay twice.
    public var reference: String
    /// What the order comes to as listed. An attempt's amount is frozen with the attempt (shipping and coupons included).
    public var amount: Amount
    /// No attempt may begin at or after this instant. An attempt that began earlier runs to its end.
    public var expiresAt: Timestamp
    /// Recognises the secret that the shopper's app was given; see ``KeyedHash``.
    public var clientSecret: KeyedHash
    /// Opaque bytes that a wallet binds into the shopper's authorisation.
    public var applicationData: [UInt8]
    /// The protocol's own description of the order, frozen: lines, shipping methods and the like.
    public var detail: [UInt8]
    public var createdAt: Timestamp
    /// The attempt that is neither failed, reversed nor closed, if any.
    public internal(set) var livePayment: TimeOrderedID?
    /// How many attempts were made.
    public internal(set) var attempts: Int64
    /// Cancelled by the merchant; expiry alone does not set this.
    public internal(set) var isClosed: Bool

    public init(
        merchant: MerchantID, id: TimeOrderedID, reference: String, amount: Amount, expiresAt: Timestamp, clientSecret: KeyedHash,
        applicationData: [UInt8], detail: [UInt8], createdAt: Timestamp
    ) {
        self.merchant = merchant
        self.id = id
        self.reference = reference
        self.amount = amount
        self.expiresAt = expiresAt
        self.clientSecret = clientSecret
        self.applicationData = applicationData
        self.detail = detail
        self.createdAt = createdAt
        livePayment = nil
        attempts = 0
        isClosed = false
    }
}
