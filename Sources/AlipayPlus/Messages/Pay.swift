public import AlipayPlusValues

/// Pays, in one of five scenarios (``WirePaymentFactor/scenario``). A repeated one reports the payment's progress and never pays twice.
public struct PayRequest: AlipayPlusRequest {
    public typealias Answer = PayAnswer
    public static let api = "payments/pay"

    /// The idempotency key, at most 64 characters.
    public var paymentRequestId: String
    public var paymentAmount: WireAmount
    public var order: WireOrder
    public var paymentMethod: WirePaymentMethod
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
        paymentRequestId: String, paymentAmount: WireAmount, order: WireOrder, paymentMethod: WirePaymentMethod,
        paymentFactor: WirePaymentFactor? = nil, paymentExpiryTime: AlipayPlusTime? = nil, paymentNotifyUrl: String? = nil,
        paymentRedirectUrl: String? = nil, settlementStrategy: WireSettlementStrategy? = nil, userRegion: String? = nil,
        allowedPspRegions: [String]? = nil, splitSettlementId: String? = nil
    ) {
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
}

/// What became of `pay`. `PAYMENT_IN_PROCESS` says that the order was taken in, not that it was paid.
public struct PayAnswer: AlipayPlusAnswer {
    public var result: AlipayPlusResult
    public var acquirerId: String?
    /// Names the wallet.
    public var pspId: String?
    public var paymentId: String?
    public var paymentTime: AlipayPlusTime?
    public var paymentAmount: WireAmount?
    public var customerId: String?
    public var walletBrandName: String?
    public var settlementAmount: WireAmount?
    public var settlementQuote: WireQuote?
    public var customsDeclarationAmount: WireAmount?
    /// The wallet's own number.
    public var mppPaymentId: String?
    /// An https page; on a desktop what the QR code carries.
    public var normalUrl: String?
    public var schemeUrl: String?
    public var applinkUrl: String?
    public var appIdentifier: String?
    /// For the app client's sheet.
    public var paymentData: String?
    /// Where the entry code's page sends the browser.
    public var paymentUrl: String?
    public var orderCodeForm: WireOrderCodeForm?

    public init(
        result: AlipayPlusResult, acquirerId: String? = nil, pspId: String? = nil, paymentId: String? = nil,
        paymentTime: AlipayPlusTime? = nil, paymentAmount: WireAmount? = nil, customerId: String? = nil,
        walletBrandName: String? = nil, settlementAmount: WireAmount? = nil, settlementQuote: WireQuote? = nil,
        customsDeclarationAmount: WireAmount? = nil, mppPaymentId: String? = nil, normalUrl: String? = nil,
        schemeUrl: String? = nil, applinkUrl: String? = nil, appIdentifier: String? = nil, paymentData: String? = nil,
        paymentUrl: String? = nil, orderCodeForm: WireOrderCodeForm? = nil
    ) {
        self.result = result
        self.acquirerId = acquirerId
        self.pspId = pspId
        self.paymentId = paymentId
        self.paymentTime = paymentTime
        self.paymentAmount = paymentAmount
        self.customerId = customerId
        self.walletBrandName = walletBrandName
        self.settlementAmount = settlementAmount
        self.settlementQuote = settlementQuote
        self.customsDeclarationAmount = customsDeclarationAmount
        self.mppPaymentId = mppPaymentId
        self.normalUrl = normalUrl
        self.schemeUrl = schemeUrl
        self.applinkUrl = applinkUrl
        self.appIdentifier = appIdentifier
        self.paymentData = paymentData
        self.paymentUrl = paymentUrl
        self.orderCodeForm = orderCodeForm
    }

    public init(result: AlipayPlusResult) { self.init(result: result, acquirerId: nil) }
}

/// An order code in the forms in which it may be shown.
public struct WireOrderCodeForm: WireMessage {
    public var paymentMethodType: PaymentMethodType?
    public var expireTime: AlipayPlusTime?
    public var codeDetails: [WireCodeDetail]?
    public var extendInfo: String?

    public init(
        paymentMethodType: PaymentMethodType? = nil, expireTime: AlipayPlusTime? = nil, codeDetails: [WireCodeDetail]? = nil,
        extendInfo: String? = nil
    ) {
        self.paymentMethodType = paymentMethodType
        self.expireTime = expireTime
        self.codeDetails = codeDetails
        self.extendInfo = extendInfo
    }
}

/// One form of a code.
public struct WireCodeDetail: WireMessage {
    public var codeValueType: CodeValueType?
    public var codeValue: String
    public var displayType: CodeDisplayType?

    public init(codeValueType: CodeValueType? = nil, codeValue: String, displayType: CodeDisplayType? = nil) {
        self.codeValueType = codeValueType
        self.codeValue = codeValue
        self.displayType = displayType
    }
}
