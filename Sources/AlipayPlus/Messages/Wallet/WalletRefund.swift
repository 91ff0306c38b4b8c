public import AlipayPlusValues

// What passes between Alipay+ and a wallet (alipay-plus.md#wallet-side [D]; members marked [I] are inferred).

/// Has a wallet pay back.
public struct WalletRefundRequest: AlipayPlusRequest {
    public typealias Answer = WalletRefundAnswer
    public static let api = "payments/refund"

    public var acquirerId: String?
    public var pspId: String?
    /// Either this or ``paymentId``.
    public var paymentRequestId: String?
    public var paymentId: String?
    public var refundRequestId: String
    public var refundAmount: WireAmount
    /// In the currency of `payToAmount`, when that is another [I].
    public var refundFromAmount: WireAmount?
    public var refundQuote: WireQuote?
    public var refundReason: String?

    public init(
        acquirerId: String? = nil, pspId: String? = nil, paymentRequestId: String? = nil, paymentId: String? = nil,
        refundRequestId: String, refundAmount: WireAmount, refundFromAmount: WireAmount? = nil, refundQuote: WireQuote? = nil,
        refundReason: String? = nil
    ) {
        self.acquirerId = acquirerId
        self.pspId = pspId
        self.paymentRequestId = paymentRequestId
        self.paymentId = paymentId
        self.refundRequestId = refundRequestId
        self.refundAmount = refundAmount
        self.refundFromAmount = refundFromAmount
        self.refundQuote = refundQuote
        self.refundReason = refundReason
    }
}

/// What became of a refund.
public struct WalletRefundAnswer: AlipayPlusAnswer {
    public var result: AlipayPlusResult
    public var refundId: String?
    public var refundTime: AlipayPlusTime?
    public var refundAmount: WireAmount?

    public init(result: AlipayPlusResult, refundId: String? = nil, refundTime: AlipayPlusTime? = nil, refundAmount: WireAmount? = nil) {
        self.result = result
        self.refundId = refundId
        self.refundTime = refundTime
        self.refundAmount = refundAmount
    }

    public init(result: AlipayPlusResult) { self.init(result: result, refundId: nil) }
}

/// Tells Alipay+ that a wallet's payment is final.
public struct WalletNotifyPaymentRequest: AlipayPlusRequest {
    public typealias Answer = PlainAnswer
    public static let api = "payments/notifyPayment"

    public var paymentResult: AlipayPlusResult
    public var paymentRequestId: String
    /// Due on success.
    public var paymentId: String?
    public var paymentAmount: WireAmount?
    /// Where the currencies differ.
    public var payToAmount: WireAmount?
    public var paymentTime: AlipayPlusTime?
    public var customerId: String?
    /// At most 20 000 characters.
    public var passThroughInfo: String?

    public init(
        paymentResult: AlipayPlusResult, paymentRequestId: String, paymentId: String? = nil, paymentAmount: WireAmount? = nil,
        payToAmount: WireAmount? = nil, paymentTime: AlipayPlusTime? = nil, customerId: String? = nil,
        passThroughInfo: String? = nil
    ) {
        self.paymentResult = paymentResult
        self.paymentRequestId = paymentRequestId
        self.paymentId = paymentId
        self.paymentAmount = paymentAmount
        self.payToAmount = payToAmount
        self.paymentTime = paymentTime
        self.customerId = customerId
        self.passThroughInfo = passThroughInfo
    }
}
