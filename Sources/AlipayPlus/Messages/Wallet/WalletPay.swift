public import AlipayPlusValues

// What passes between Alipay+ and a wallet (alipay-plus.md#wallet-side [D]; members marked [I] are inferred).

/// Asks a wallet to collect. `paymentRequestId` is Alipay+'s own, another than on the acquirer's leg.
public struct WalletPayRequest: AlipayPlusRequest {
    public typealias Answer = WalletPayAnswer
    public static let api = "payments/pay"

    public var acquirerId: String
    public var pspId: String
    /// The idempotency key, at most 64 characters.
    public var paymentRequestId: String
    public var order: WireOrder
    public var paymentAmount: WireAmount
    /// What the wallet owes Alipay+, when its currency is another.
    public var payToAmount: WireAmount?
    public var paymentQuote: WireQuote?
    public var paymentMethod: WirePaymentMethod?
    public var paymentFactor: WirePaymentFactor?
    public var paymentExpiryTime: AlipayPlusTime?
    public var paymentNotifyUrl: String?
    public var paymentRedirectUrl: String?
    /// What Alipay+ takes off what the person pays; the wallet takes off its own beside [I].
    public var promoAmount: WireAmount?
    public var promoNames: [String]?
    /// The code that began it, when one did [I].
    public var codeValue: String?
    /// At most 20 000 characters.
    public var passThroughInfo: String?

    public init(
        acquirerId: String, pspId: String, paymentRequestId: String, order: WireOrder, paymentAmount: WireAmount,
        payToAmount: WireAmount? = nil, paymentQuote: WireQuote? = nil, paymentMethod: WirePaymentMethod? = nil,
        paymentFactor: WirePaymentFactor? = nil, paymentExpiryTime: AlipayPlusTime? = nil, paymentNotifyUrl: String? = nil,
        paymentRedirectUrl: String? = nil, promoAmount: WireAmount? = nil, promoNames: [String]? = nil, codeValue: String? = nil,
        passThroughInfo: String? = nil
    ) {
        self.acquirerId = acquirerId
        self.pspId = pspId
        self.paymentRequestId = paymentRequestId
        self.order = order
        self.paymentAmount = paymentAmount
        self.payToAmount = payToAmount
        self.paymentQuote = paymentQuote
        self.paymentMethod = paymentMethod
        self.paymentFactor = paymentFactor
        self.paymentExpiryTime = paymentExpiryTime
        self.paymentNotifyUrl = paymentNotifyUrl
        self.paymentRedirectUrl = paymentRedirectUrl
        self.promoAmount = promoAmount
        self.promoNames = promoNames
        self.codeValue = codeValue
        self.passThroughInfo = passThroughInfo
    }
}

/// `PAYMENT_IN_PROCESS` while the person is asked.
public struct WalletPayAnswer: AlipayPlusAnswer {
    public var result: AlipayPlusResult
    /// The wallet's; it reaches the acquirer as `mppPaymentId`.
    public var paymentId: String?
    public var paymentTime: AlipayPlusTime?
    public var paymentAmount: WireAmount?
    public var customerId: String?
    /// An https page; on a desktop what the QR code carries.
    public var normalUrl: String?
    public var schemeUrl: String?
    public var applinkUrl: String?
    public var appIdentifier: String?

    public init(
        result: AlipayPlusResult, paymentId: String? = nil, paymentTime: AlipayPlusTime? = nil, paymentAmount: WireAmount? = nil,
        customerId: String? = nil, normalUrl: String? = nil, schemeUrl: String? = nil, applinkUrl: String? = nil,
        appIdentifier: String? = nil
    ) {
        self.result = result
        self.paymentId = paymentId
        self.paymentTime = paymentTime
        self.paymentAmount = paymentAmount
        self.customerId = customerId
        self.normalUrl = normalUrl
        self.schemeUrl = schemeUrl
        self.applinkUrl = applinkUrl
        self.appIdentifier = appIdentifier
    }

    public init(result: AlipayPlusResult) { self.init(result: result, paymentId: nil) }
}

/// Asks a wallet what became of a payment.
public struct WalletInquiryRequest: AlipayPlusRequest {
    public typealias Answer = WalletInquiryAnswer
    public static let api = "payments/inquiryPayment"

    public var acquirerId: String?
    public var pspId: String?
    /// Either this or ``paymentId``.
    public var paymentRequestId: String?
    public var paymentId: String?

    public init(acquirerId: String? = nil, pspId: String? = nil, paymentRequestId: String? = nil, paymentId: String? = nil) {
        self.acquirerId = acquirerId
        self.pspId = pspId
        self.paymentRequestId = paymentRequestId
        self.paymentId = paymentId
    }
}

/// ``result`` says whether the inquiry worked, ``paymentResult`` what became of the payment.
public struct WalletInquiryAnswer: AlipayPlusAnswer {
    public var result: AlipayPlusResult
    public var paymentResult: AlipayPlusResult?
    public var paymentRequestId: String?
    public var paymentId: String?
    public var paymentAmount: WireAmount?
    public var payToAmount: WireAmount?
    public var paymentTime: AlipayPlusTime?
    public var customerId: String?
    public var transactions: [WireTransaction]?

    public init(
        result: AlipayPlusResult, paymentResult: AlipayPlusResult? = nil, paymentRequestId: String? = nil,
        paymentId: String? = nil, paymentAmount: WireAmount? = nil, payToAmount: WireAmount? = nil,
        paymentTime: AlipayPlusTime? = nil, customerId: String? = nil, transactions: [WireTransaction]? = nil
    ) {
        self.result = result
        self.paymentResult = paymentResult
        self.paymentRequestId = paymentRequestId
        self.paymentId = paymentId
        self.paymentAmount = paymentAmount
        self.payToAmount = payToAmount
        self.paymentTime = paymentTime
        self.customerId = customerId
        self.transactions = transactions
    }

    public init(result: AlipayPlusResult) { self.init(result: result, paymentResult: nil) }
}

/// Takes a payment back as a whole.
public struct WalletCancelRequest: AlipayPlusRequest {
    public typealias Answer = PlainAnswer
    public static let api = "payments/cancelPayment"

    public var acquirerId: String?
    public var pspId: String?
    /// Either this or ``paymentId``.
    public var paymentRequestId: String?
    public var paymentId: String?

    public init(acquirerId: String? = nil, pspId: String? = nil, paymentRequestId: String? = nil, paymentId: String? = nil) {
        self.acquirerId = acquirerId
        self.pspId = pspId
        self.paymentRequestId = paymentRequestId
        self.paymentId = paymentId
    }
}
