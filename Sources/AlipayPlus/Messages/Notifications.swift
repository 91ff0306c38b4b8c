public import AlipayPlusValues

/// Tells the acquirer, at the path of its own address, that a payment is final: `S` or `F`, never `U`. Repeated until it is acknowledged.
public struct NotifyPaymentRequest: AlipayPlusRequest {
    public typealias Answer = PlainAnswer
    public static let api = "payments/notifyPayment"

    public var paymentResult: AlipayPlusResult
    public var acquirerId: String
    public var paymentRequestId: String
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

    public init(
        paymentResult: AlipayPlusResult, acquirerId: String, paymentRequestId: String, pspId: String? = nil,
        paymentId: String? = nil, paymentTime: AlipayPlusTime? = nil, paymentAmount: WireAmount? = nil, customerId: String? = nil,
        walletBrandName: String? = nil, settlementAmount: WireAmount? = nil, settlementQuote: WireQuote? = nil,
        customsDeclarationAmount: WireAmount? = nil, mppPaymentId: String? = nil
    ) {
        self.paymentResult = paymentResult
        self.acquirerId = acquirerId
        self.paymentRequestId = paymentRequestId
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
    }
}

/// Tells the acquirer what happened to an authorisation.
public struct AuthNotifyRequest: AlipayPlusRequest {
    public typealias Answer = PlainAnswer
    public static let api = "authorizations/authNotify"

    public var authorizationNotifyType: AuthorizationNotifyType
    public var authClientId: String?
    public var accessToken: String?
    public var authCode: String?
    public var authState: String?
    public var customerId: String?
    public var pspId: String?
    public var acquirerId: String?
    public var tokenExpiryTime: AlipayPlusTime?
    public var reason: String?

    public init(
        authorizationNotifyType: AuthorizationNotifyType, authClientId: String? = nil, accessToken: String? = nil,
        authCode: String? = nil, authState: String? = nil, customerId: String? = nil, pspId: String? = nil,
        acquirerId: String? = nil, tokenExpiryTime: AlipayPlusTime? = nil, reason: String? = nil
    ) {
        self.authorizationNotifyType = authorizationNotifyType
        self.authClientId = authClientId
        self.accessToken = accessToken
        self.authCode = authCode
        self.authState = authState
        self.customerId = customerId
        self.pspId = pspId
        self.acquirerId = acquirerId
        self.tokenExpiryTime = tokenExpiryTime
        self.reason = reason
    }
}
