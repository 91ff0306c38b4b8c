public import AlipayPlusValues

/// Asks what became of a payment and its refunds.
public struct InquiryPaymentRequest: AlipayPlusRequest {
    public typealias Answer = InquiryPaymentAnswer
    public static let api = "payments/inquiryPayment"

    /// Either this or ``paymentId``.
    public var paymentRequestId: String?
    public var paymentId: String?

    public init(paymentRequestId: String? = nil, paymentId: String? = nil) {
        self.paymentRequestId = paymentRequestId
        self.paymentId = paymentId
    }
}

/// ``result`` says whether the inquiry worked, ``paymentResult`` what became of the payment.
public struct InquiryPaymentAnswer: AlipayPlusAnswer {
    public var result: AlipayPlusResult
    public var paymentResult: AlipayPlusResult?
    public var paymentRequestId: String?
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
    /// The payment, its refunds and its cancellation.
    public var transactions: [WireTransaction]?

    public init(
        result: AlipayPlusResult, paymentResult: AlipayPlusResult? = nil, paymentRequestId: String? = nil,
        acquirerId: String? = nil, pspId: String? = nil, paymentId: String? = nil, paymentTime: AlipayPlusTime? = nil,
        paymentAmount: WireAmount? = nil, customerId: String? = nil, walletBrandName: String? = nil,
        settlementAmount: WireAmount? = nil, settlementQuote: WireQuote? = nil, customsDeclarationAmount: WireAmount? = nil,
        mppPaymentId: String? = nil, transactions: [WireTransaction]? = nil
    ) {
        self.result = result
        self.paymentResult = paymentResult
        self.paymentRequestId = paymentRequestId
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
        self.transactions = transactions
    }

    public init(result: AlipayPlusResult) { self.init(result: result, paymentResult: nil) }
}
