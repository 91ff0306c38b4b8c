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
        Self(.signature, subCode: "isv.invalid-signature", reason: reason, verifiedText: charset.display(verified))
    }
    static func unknownMerchant(_ reason: String) -> Self { Self(.unknownMerchant, subCode: "isv.invalid-app-id", reason: reason) }
    static func value(_ reason: String) -> Self { Self(.invalidParameter, subCode: "isv.invalid-parameter", reason: reason) }
    static let unknownTrade = Self(.invalidParameter, subCode: "ACQ.TRADE_NOT_EXIST", reason: "there is no such trade")
    static func product(_ reason: String) -> Self { Self(.domesticProduct, subCode: "ACQ.ACCESS_FORBIDDEN", reason: reason) }
    static func suspect(_ reason: String) -> Self { Self(.risk, subCode: "isv.suspected-attack", reason: reason) }

    /// The wallet took its payment back before it was received: our own word, which no phone shows.
    static let withdrawn = Self(
        WalletRefusalCode(rawValue: "withdrawn"), subCode: nil, reason: "the wallet has withdrawn the payment")

    static func trade(_ refusal: TradeRefusal) -> Self { Self(refusal.walletCode, subCode: refusal.subCode, reason: refusal.reason) }

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
        self.init(code, subCode: failure.subCode, reason: failure.subMessage ?? failure.message)
    }

    private init(_ code: WalletRefusalCode, subCode: String?, reason: String, verifiedText: String? = nil) {
        self.code = code.rawValue
        self.subCode = subCode
        self.reason = reason
        self.verifiedText = verifiedText
    }
}
