public import AlipayPlusValues

/// Cancels a whole payment in whatever state it is, until 00:15 (UTC+8) of the next day.
public struct CancelPaymentRequest: AlipayPlusRequest {
    public typealias Answer = CancelPaymentAnswer
    public static let api = "payments/cancelPayment"

    /// Either this or ``paymentId``.
    public var paymentRequestId: String?
    public var paymentId: String?

    public init(paymentRequestId: String? = nil, paymentId: String? = nil) {
        self.paymentRequestId = paymentRequestId
        self.paymentId = paymentId
    }
}

/// Cancelled stays cancelled, even when a success comes in later.
public struct CancelPaymentAnswer: AlipayPlusAnswer {
    public var result: AlipayPlusResult
    public var acquirerId: String?
    public var pspId: String?

    public init(result: AlipayPlusResult, acquirerId: String? = nil, pspId: String? = nil) {
        self.result = result
        self.acquirerId = acquirerId
        self.pspId = pspId
    }

    public init(result: AlipayPlusResult) { self.init(result: result, acquirerId: nil) }
}

/// Pays a part or all of a payment back. Without an answer, or with `U`, the same `refundRequestId` is sent again.
public struct RefundRequest: AlipayPlusRequest {
    public typealias Answer = RefundAnswer
    public static let api = "payments/refund"

    /// Either this or ``paymentId``.
    public var paymentRequestId: String?
    public var paymentId: String?
    /// The idempotency key, at most 64 characters.
    public var refundRequestId: String
    public var refundAmount: WireAmount
    /// At most 256 characters.
    public var refundReason: String?

    public init(
        paymentRequestId: String? = nil, paymentId: String? = nil, refundRequestId: String, refundAmount: WireAmount,
        refundReason: String? = nil
    ) {
        self.paymentRequestId = paymentRequestId
        self.paymentId = paymentId
        self.refundRequestId = refundRequestId
        self.refundAmount = refundAmount
        self.refundReason = refundReason
    }
}

/// What became of a refund.
public struct RefundAnswer: AlipayPlusAnswer {
    public var result: AlipayPlusResult
    public var refundId: String?
    public var refundTime: AlipayPlusTime?
    public var refundAmount: WireAmount?
    public var settlementAmount: WireAmount?
    public var settlementQuote: WireQuote?
    public var acquirerId: String?
    public var pspId: String?

    public init(
        result: AlipayPlusResult, refundId: String? = nil, refundTime: AlipayPlusTime? = nil, refundAmount: WireAmount? = nil,
        settlementAmount: WireAmount? = nil, settlementQuote: WireQuote? = nil, acquirerId: String? = nil, pspId: String? = nil
    ) {
        self.result = result
        self.refundId = refundId
        self.refundTime = refundTime
        self.refundAmount = refundAmount
        self.settlementAmount = settlementAmount
        self.settlementQuote = settlementQuote
        self.acquirerId = acquirerId
        self.pspId = pspId
    }

    public init(result: AlipayPlusResult) { self.init(result: result, refundId: nil) }
}
