public import BillfoldMoney
import PaymentCrypto

/// The parameters of `mobile.securitypay.pay` (alipay.md#legacy-order) as texts, and the ones with a type of their own.
///
/// ``LegacyOrderRules`` says whether they are right; here a wrong one is only not typed.
public struct LegacyOrderParameters: Sendable, Hashable {
    public let pairs: [LegacyOrder.Pair]
    public let charset: AlipayCharset
    private let values: [String: String]

    /// `unencodable-text` when a value is no text in the order's charset.
    package init(_ pairs: [LegacyOrder.Pair], charset: AlipayCharset) throws(AlipayError) {
        var values: [String: String] = [:]
        for pair in pairs { values[pair.name] = try charset.decode(pair.value) }
        self.pairs = pairs
        self.charset = charset
        self.values = values
    }

    /// The value as it was sent; nil when it is absent, empty text when it is empty.
    public subscript(name: String) -> String? { values[name] }

    func filled(_ name: String) -> String? { values[name].flatMap { $0.isEmpty ? nil : $0 } }

    public var partner: String? { filled("partner") }
    public var sellerID: String? { filled("seller_id") }
    public var outTradeNo: String? { filled("out_trade_no") }
    public var subject: String? { filled("subject") }
    public var body: String? { filled("body") }
    public var notifyURL: String? { filled("notify_url").map(Self.plainURL) }
    public var returnURL: String? { filled("return_url").map(Self.plainURL) }
    public var paymentInstrument: String? { filled("payment_inst") }
    public var appID: String? { filled("app_id") }

    /// `it_b_pay`; nil when it is absent or wrong.
    public var timeout: PaymentTimeout? { filled("it_b_pay").flatMap { try? PaymentTimeout($0) } }

    /// Whether the order is a cross-border one.
    public var isCrossBorder: Bool { filled("currency") != nil || filled("forex_biz") != nil || filled("rmb_fee") != nil }

    /// The settlement currency of a cross-border order, CNY for a domestic one; nil when it is none that is known.
    public var currency: Currency? { isCrossBorder ? filled("currency").flatMap { try? Currency($0) } : .cny }

    /// What the order costs; nil when the amounts or the currency break their rules.
    public func price(reading: AlipayReading) -> OrderPrice? {
        guard let currency else { return nil }
        switch (filled("total_fee"), filled("rmb_fee")) {
        case (let total?, nil):
            guard let amount = try? Amount(alipay: total, currency: currency, reading: reading) else { return nil }
            return isCrossBorder ? .foreign(amount) : .domestic(amount)
        case (nil, let renminbi?):
            return (try? Amount(alipay: renminbi, currency: .cny, reading: reading)).map { .renminbi($0, settlement: currency) }
        default: return nil
        }
    }

    /// URLs are often percent-encoded inside the quotation marks; that text is signed, and this one is called [V].
    private static func plainURL(_ text: String) -> String {
        guard !text.contains("://"), let bytes = PercentEncoding.decode(Array(text.utf8)[...], plusIsSpace: false),
            let plain = String(utf8: bytes)
        else { return text }
        return plain
    }
}

/// What an order costs, and in which currency the merchant is credited.
public enum OrderPrice: Sendable, Hashable {
    /// `total_fee` in CNY.
    case domestic(Amount)
    /// `total_fee` in the settlement currency; the payer pays its worth in CNY.
    case foreign(Amount)
    /// `rmb_fee`: the payer pays exactly this; the merchant is credited its worth in the settlement currency.
    case renminbi(Amount, settlement: Currency)

    /// The amount that the order names.
    public var amount: Amount {
        switch self {
        case .domestic(let amount), .foreign(let amount), .renminbi(let amount, _): amount
        }
    }

    public var settlement: Currency {
        switch self {
        case .domestic(let amount), .foreign(let amount): amount.currency
        case .renminbi(_, let settlement): settlement
        }
    }
}
