public import AlipayPlusValues

/// Tells the acquirer that a wallet scanned a code which the acquirer issued. Idempotent by `codeValue`.
public struct UserInitiatedPayRequest: AlipayPlusRequest {
    public typealias Answer = UserInitiatedPayAnswer
    public static let api = "payments/userInitiatedPay"

    public var acquirerId: String
    public var pspId: String
    /// At most 512 characters.
    public var codeValue: String
    public var customerId: String?

    public init(acquirerId: String, pspId: String, codeValue: String, customerId: String? = nil) {
        self.acquirerId = acquirerId
        self.pspId = pspId
        self.codeValue = codeValue
        self.customerId = customerId
    }
}

/// What kind of code it is, and the payment to make of it.
public struct UserInitiatedPayAnswer: AlipayPlusAnswer {
    public var result: AlipayPlusResult
    public var codeType: CodeType?
    public var paymentRequestId: String?
    public var paymentAmount: WireAmount?
    public var order: WireOrder?
    public var paymentMethod: WirePaymentMethod?
    public var paymentFactor: WirePaymentFactor?
    public var paymentExpiryTime: AlipayPlusTime?
    public var paymentNotifyUrl: String?
    public var paymentRedirectUrl: String?
    public var settlementStrategy: WireSettlementStrategy?
    /// Two letters; orders the wallets, the nearest first.
    public var userRegion: String?
    /// Limits the wallets to those of these regions.
    public var allowedPspRegions: [String]?
    public var splitSettlementId: String?

    public init(
        result: AlipayPlusResult, codeType: CodeType? = nil, paymentRequestId: String? = nil, paymentAmount: WireAmount? = nil,
        order: WireOrder? = nil, paymentMethod: WirePaymentMethod? = nil, paymentFactor: WirePaymentFactor? = nil,
        paymentExpiryTime: AlipayPlusTime? = nil, paymentNotifyUrl: String? = nil, paymentRedirectUrl: String? = nil,
        settlementStrategy: WireSettlementStrategy? = nil, userRegion: String? = nil, allowedPspRegions: [String]? = nil,
        splitSettlementId: String? = nil
    ) {
        self.result = result
        self.codeType = codeType
        self.paymentRequestId = paymentRequestId
        self.paymentAmount = paymentAmount
        self.order = order
        self.paymentMethod = paymentMethod
        self.paymentFactor = paymentFactor
        self.paymentExpiryTime = paymentExpiryTime
        self.paymentNotifyUrl = paymentNotifyUrl
        self.paymentRedirectUrl = paymentRedirectUrl
        self.settlementStrategy = settlementStrategy
        self.userRegion = userRegion
        self.allowedPspRegions = allowedPspRegions
        self.splitSettlementId = splitSettlementId
    }

    public init(result: AlipayPlusResult) { self.init(result: result, codeType: nil) }
}
