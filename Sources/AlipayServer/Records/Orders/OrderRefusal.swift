import Alipay
import BillfoldStorage

/// Why a wallet is not shown an order: the code that the payer's phone shows (alipay.md#wallet-codes) [O].
struct OrderRefusal: Error, Sendable, Hashable, Codable {
    var code: String
    /// The open platform's word for it.
    var subCode: String?
    /// For people; holds no secret.
    var reason: String
    /// What the signature has to cover, where it does not fit.
    var verifiedText: String?
    /// The parameter that is wrong, where it is one.
    var parameter: String?
    /// The merchant's number as the order says it, signed or not. Test mode only: it leads to the story.
    var order: String?

    static func signature(_ reason: String, verified: [UInt8], _ charset: AlipayCharset) -> Self {
        Self(.signature, subCode: "isv.invalid-signature", reason: reason, verifiedText: charset.display(verified), parameter: "sign")
    }
    static func unknownMerchant(_ reason: String, parameter: String? = nil) -> Self {
        Self(.unknownMerchant, subCode: "isv.invalid-app-id", reason: reason, parameter: parameter)
    }
    static func value(_ reason: String, parameter: String? = nil) -> Self {
        Self(.invalidParameter, subCode: "isv.invalid-parameter", reason: reason, parameter: parameter)
    }
    static let unknownTrade = Self(.invalidParameter, subCode: "ACQ.TRADE_NOT_EXIST", reason: "there is no such trade")
    static func product(_ reason: String) -> Self { Self(.domesticProduct, subCode: "ACQ.ACCESS_FORBIDDEN", reason: reason) }
    static func suspect(_ reason: String, parameter: String? = nil) -> Self {
        Self(.risk, subCode: "isv.suspected-attack", reason: reason, parameter: parameter)
    }

    /// The wallet took its payment back before it was received: our own word, which no phone shows.
    static let withdrawn = Self(
        WalletRefusalCode(rawValue: "withdrawn"), subCode: nil, reason: "the wallet has withdrawn the payment")

    static func trade(_ refusal: TradeRefusal, parameter: String? = nil) -> Self {
        let named = refusal.code == .contextInconsistent ? "out_trade_no" : parameter
        return Self(refusal.walletCode, subCode: refusal.subCode, reason: refusal.reason, parameter: named)
    }

    /// Why nobody pays an order any more: what became of it, and which of its parameters says so. Nil while it can be paid.
    static func over(_ order: TradeOrder, _ trade: Trade?, at now: Timestamp) -> OrderRefusal? {
        guard let trade else {
            return order.detail.expiresAt.flatMap { $0 <= now ? .late($0, parameter: "time_expire") : nil }
        }
        switch trade.status {
        case .waitBuyerPay:
            guard trade.expiresAt <= now else { return nil }
            let relative = order.detail.generation == .legacy ? "it_b_pay" : "timeout_express"
            let isAbsolute = order.detail.expiresAt == trade.expiresAt
            return .late(trade.expiresAt, parameter: isAbsolute ? "time_expire" : order.detail.timeout == nil ? nil : relative)
        case .closed:
            let reason =
                trade.paidAt == nil ? "the order was closed before it was paid" : "the order was paid, and all of it was given back"
            return .trade(TradeRefusal(.tradeClosed, reason), parameter: "out_trade_no")
        case .success, .finished, .pending:
            return .trade(TradeRefusal(.alreadyPaid, "the order is paid already"), parameter: "out_trade_no")
        }
    }

    private static func late(_ end: Timestamp, parameter: String?) -> Self {
        .trade(TradeRefusal(.expired, "the order could be paid until \(ChinaTime.text(end)), GMT+8"), parameter: parameter)
    }

    /// An order that cannot even be read.
    init(reading error: AlipayError) {
        let code = WalletRefusalCode(error)
        let subCode =
            switch code {
            case .signature: "isv.invalid-signature"
            case .invalidParameter: "isv.invalid-parameter"
            default: "isv.invalid-format"
            }
        self.init(code, subCode: subCode, reason: error.reason)
    }

    init(_ failure: ModernFailure) {
        let code: WalletRefusalCode =
            switch failure.subCode {
            case "isv.invalid-signature"?, "isv.missing-signature"?, "isv.missing-signature-config"?: .signature
            case "isv.invalid-app-id"?, "isv.missing-app-id"?: .unknownMerchant
            case "isv.invalid-signature-type"?, "isv.missing-signature-type"?: .needsRSA2
            default: .invalidParameter
            }
        self.init(
            code, subCode: failure.subCode, reason: failure.subMessage ?? failure.message,
            parameter: failure.subCode.flatMap(Self.parameter))
    }

    /// The common parameter that a sub-code is about: `isv.missing-app-id` tells of `app_id`.
    private static func parameter(of subCode: String) -> String? {
        let words = subCode.split(separator: "-").dropFirst().joined(separator: "_")
        let known = ["method", "app_id", "sign_type", "sign", "timestamp", "version", "format", "charset", "encrypt_type", "app_cert_sn"]
        let name = words.replacing("signature_config", with: "sign").replacing("signature", with: "sign")
        return known.first { $0 == name }
    }

    private init(
        _ code: WalletRefusalCode, subCode: String?, reason: String, verifiedText: String? = nil, parameter: String? = nil
    ) {
        self.code = code.rawValue
        self.subCode = subCode
        self.reason = reason
        self.verifiedText = verifiedText
        self.parameter = parameter
    }
}
