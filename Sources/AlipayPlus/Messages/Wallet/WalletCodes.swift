public import AlipayPlusValues

// What passes between Alipay+ and a wallet (alipay-plus.md#wallet-side [D]; members marked [I] are inferred).

/// A wallet asks for codes that its user will show.
public struct GetPaymentCodeRequest: AlipayPlusRequest {
    public typealias Answer = GetPaymentCodeAnswer
    public static let api = "codes/getPaymentCode"

    public var customerId: String
    /// Due for CN.
    public var region: String?
    /// 1 to 10; 1 when absent.
    public var codeQuantity: Int?
    public var env: WireEnv

    public init(customerId: String, region: String? = nil, codeQuantity: Int? = nil, env: WireEnv) {
        self.customerId = customerId
        self.region = region
        self.codeQuantity = codeQuantity
        self.env = env
    }
}

/// Codes that live one minute.
public struct GetPaymentCodeAnswer: AlipayPlusAnswer {
    public var result: AlipayPlusResult
    public var paymentCodes: [WirePaymentCode]?

    public init(result: AlipayPlusResult, paymentCodes: [WirePaymentCode]? = nil) {
        self.result = result
        self.paymentCodes = paymentCodes
    }

    public init(result: AlipayPlusResult) { self.init(result: result, paymentCodes: nil) }
}

/// One code and when it ends [I].
public struct WirePaymentCode: WireMessage {
    public var paymentCode: String
    public var expireTime: AlipayPlusTime?

    public init(paymentCode: String, expireTime: AlipayPlusTime? = nil) {
        self.paymentCode = paymentCode
        self.expireTime = expireTime
    }
}

/// A wallet's user scanned a code: Alipay+ decides whose it is and starts the payment.
public struct WalletUserInitiatedPayRequest: AlipayPlusRequest {
    public typealias Answer = WalletUserInitiatedPayAnswer
    public static let api = "payments/userInitiatedPay"

    public var pspId: String?
    /// At most 512 characters.
    public var codeValue: String
    public var customerId: String?
    public var env: WireEnv?
    public var passThroughInfo: String?

    public init(pspId: String? = nil, codeValue: String, customerId: String? = nil, env: WireEnv? = nil, passThroughInfo: String? = nil) {
        self.pspId = pspId
        self.codeValue = codeValue
        self.customerId = customerId
        self.env = env
        self.passThroughInfo = passThroughInfo
    }
}

/// What the code leads to: a payment to confirm, or the acquirer's page that asks the amount.
public struct WalletUserInitiatedPayAnswer: AlipayPlusAnswer {
    public var result: AlipayPlusResult
    public var codeType: CodeType?
    public var acquirerId: String?
    public var paymentRequestId: String?
    public var order: WireOrder?
    public var paymentAmount: WireAmount?
    public var payToAmount: WireAmount?
    public var paymentQuote: WireQuote?
    public var paymentExpiryTime: AlipayPlusTime?
    public var paymentRedirectUrl: String?

    public init(
        result: AlipayPlusResult, codeType: CodeType? = nil, acquirerId: String? = nil, paymentRequestId: String? = nil,
        order: WireOrder? = nil, paymentAmount: WireAmount? = nil, payToAmount: WireAmount? = nil, paymentQuote: WireQuote? = nil,
        paymentExpiryTime: AlipayPlusTime? = nil, paymentRedirectUrl: String? = nil
    ) {
        self.result = result
        self.codeType = codeType
        self.acquirerId = acquirerId
        self.paymentRequestId = paymentRequestId
        self.order = order
        self.paymentAmount = paymentAmount
        self.payToAmount = payToAmount
        self.paymentQuote = paymentQuote
        self.paymentExpiryTime = paymentExpiryTime
        self.paymentRedirectUrl = paymentRedirectUrl
    }

    public init(result: AlipayPlusResult) { self.init(result: result, codeType: nil) }
}

/// A wallet asks, at least daily, which scanned texts are Alipay+'s.
public struct InquiryCodeRulesRequest: AlipayPlusRequest {
    public typealias Answer = InquiryCodeRulesAnswer
    public static let api = "codes/inquiryCodeRules"

    public var pspId: String?

    public init(pspId: String? = nil) {
        self.pspId = pspId
    }
}

/// The rules, as data.
public struct InquiryCodeRulesAnswer: AlipayPlusAnswer {
    public var result: AlipayPlusResult
    public var codeRules: [WireCodeRule]?

    public init(result: AlipayPlusResult, codeRules: [WireCodeRule]? = nil) {
        self.result = result
        self.codeRules = codeRules
    }

    public init(result: AlipayPlusResult) { self.init(result: result, codeRules: nil) }
}

/// A text that the expression fits is Alipay+'s [I].
public struct WireCodeRule: WireMessage {
    public var acquirerId: String?
    public var codeType: CodeType?
    /// A regular expression.
    public var expression: String

    public init(acquirerId: String? = nil, codeType: CodeType? = nil, expression: String) {
        self.acquirerId = acquirerId
        self.codeType = codeType
        self.expression = expression
    }
}

/// A wallet asks for an exchange rate.
public struct InquireQuoteRequest: AlipayPlusRequest {
    public typealias Answer = InquireQuoteAnswer
    public static let api = "payments/inquireQuote"

    public var sellCurrency: String
    public var buyCurrency: String

    public init(sellCurrency: String, buyCurrency: String) {
        self.sellCurrency = sellCurrency
        self.buyCurrency = buyCurrency
    }
}

/// The rate, and how long it holds.
public struct InquireQuoteAnswer: AlipayPlusAnswer {
    public var result: AlipayPlusResult
    public var quote: WireQuote?

    public init(result: AlipayPlusResult, quote: WireQuote? = nil) {
        self.result = result
        self.quote = quote
    }

    public init(result: AlipayPlusResult) { self.init(result: result, quote: nil) }
}
