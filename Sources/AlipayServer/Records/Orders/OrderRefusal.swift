import Alipay

/// Why a wallet is not shown an order: the code that the payer's phone shows (alipay.md#wallet-codes) [O].
struct OrderRefusal: Error, Sendable, Hashable, Codable {
    var code: String
    /// The open platform's word for it.
    var subCode: String?
    /// For people; holds no secret.
    var reason: String
    /// What the signature has to cover, where it does not fit.
    var verifiedText: String?

    static func signature(_ reason: String, verified: [UInt8], _ charset: AlipayCharset) -> Self {
        Self(.signature, "isv.invalid-signature", reason, verifiedText: charset.display(verified))
    }
    static func unknownMerchant(_ reason: String) -> Self { Self(.unknownMerchant, "isv.invalid-app-id", reason) }
    static func value(_ reason: String) -> Self { Self(.invalidParameter, "isv.invalid-parameter", reason) }
    static let unknownTrade = Self(.invalidParameter, "ACQ.TRADE_NOT_EXIST", "there is no such trade")
    static func product(_ reason: String) -> Self { Self(.domesticProduct, "ACQ.ACCESS_FORBIDDEN", reason) }
    static func suspect(_ reason: String) -> Self { Self(.risk, "isv.suspected-attack", reason) }

    /// The wallet took its payment back before it was received: our own word, which no phone shows.
    static let withdrawn = Self(
        WalletRefusalCode(rawValue: "withdrawn"), nil, "the wallet has withdrawn the payment")

    static func trade(_ refusal: TradeRefusal) -> Self { Self(refusal.walletCode, refusal.subCode, refusal.reason) }

    /// An order that cannot even be read.
    init(reading error: AlipayError) {
        let code = WalletRefusalCode(error)
        let subCode =
            switch code {
            case .signature: "isv.invalid-signature"
            case .invalidParameter: "isv.invalid-parameter"
            default: "isv.invalid-format"
            }
        self.init(code, subCode, error.reason)
    }

    init(_ failure: ModernFailure) {
        let code: WalletRefusalCode =
            switch failure.subCode {
            case "isv.invalid-signature"?, "isv.missing-signature"?, "isv.missing-signature-config"?: .signature
            case "isv.invalid-app-id"?, "isv.missing-app-id"?: .unknownMerchant
            case "isv.invalid-signature-type"?, "isv.missing-signature-type"?: .needsRSA2
            default: .invalidParameter
            }
        self.init(code, failure.subCode, failure.subMessage ?? failure.message)
    }

    private init(_ code: WalletRefusalCode, _ subCode: String?, _ reason: String, verifiedText: String? = nil) {
        self.code = code.rawValue
        self.subCode = subCode
        self.reason = reason
        self.verifiedText = verifiedText
    }
}
