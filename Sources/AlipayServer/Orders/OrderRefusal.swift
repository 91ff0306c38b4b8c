import Alipay

/// Why a wallet is not shown an order: the code that the payer's phone shows (reference (j)) [S].
struct OrderRefusal: Error, Sendable, Hashable, Codable {
    var code: String
    /// The open platform's word for it.
    var subCode: String?
    /// For people; holds no secret.
    var reason: String
    /// What the signature has to cover, where it does not fit.
    var verifiedText: String?

    static func signature(_ reason: String, verified: [UInt8], _ charset: AlipayCharset) -> Self {
        Self(code: "ALI40247", subCode: "isv.invalid-signature", reason: reason, verifiedText: charset.display(verified))
    }
    static func unreadable(_ reason: String) -> Self { Self(code: "ALI38173", subCode: "isv.invalid-format", reason: reason) }
    static func unknownMerchant(_ reason: String) -> Self { Self(code: "ALIN10129", subCode: "isv.invalid-app-id", reason: reason) }
    static func value(_ reason: String) -> Self { Self(code: "ALIN42273", subCode: "isv.invalid-parameter", reason: reason) }
    static func product(_ reason: String) -> Self { Self(code: "ALIN43877", subCode: "ACQ.ACCESS_FORBIDDEN", reason: reason) }
    static func suspect(_ reason: String) -> Self { Self(code: "ALIN43911", subCode: "isv.suspected-attack", reason: reason) }

    /// The wallet took its payment back before it was received: our own word, which no phone shows.
    static let withdrawn = Self(code: "withdrawn", subCode: nil, reason: "the wallet has withdrawn the payment")

    static func trade(_ refusal: TradeRefusal) -> Self {
        Self(code: refusal.walletCode, subCode: refusal.subCode, reason: refusal.reason)
    }

    /// An order that cannot even be read.
    init(reading error: AlipayError) {
        switch error.code {
        case .missingSignature, .malformedSignature: self = .signature(error.reason, verified: [], .utf8)
        case .missingParameter, .invalidParameter: self = .value(error.reason)
        default: self = .unreadable(error.reason)
        }
    }

    init(_ refusal: ModernRefusal) {
        let failure = refusal.failure
        let reason = failure.subMessage ?? failure.message
        switch failure.subCode {
        case "isv.invalid-signature"?, "isv.missing-signature"?, "isv.missing-signature-config"?:
            self.init(code: "ALI40247", subCode: failure.subCode, reason: reason)
        case "isv.invalid-app-id"?, "isv.missing-app-id"?: self.init(code: "ALIN10129", subCode: failure.subCode, reason: reason)
        case "isv.invalid-signature-type"?, "isv.missing-signature-type"?:
            self.init(code: "ALIN10146", subCode: failure.subCode, reason: reason)
        default: self.init(code: "ALIN42273", subCode: failure.subCode, reason: reason)
        }
    }

    init(code: String, subCode: String?, reason: String, verifiedText: String? = nil) {
        self.code = code
        self.subCode = subCode
        self.reason = reason
        self.verifiedText = verifiedText
    }
}
