import Alipay

/// What the open platform answers instead of a result (reference (g)) [D].
struct ModernRefusal: Error, Sendable, Hashable {
    var failure: ModernFailure
    /// Business failures are signed; those of the gateway itself usually are not [S].
    var isSigned = false

    static func missing(_ name: String) -> Self { Self(failure: .missing(name)) }
    static func invalid(_ name: String, _ reason: String) -> Self { Self(failure: .invalid(name, reason)) }

    static func condition(_ name: String, _ reason: String) -> Self {
        Self(failure: ModernFailure(code: "40003", message: "Insufficient Conditions", subCode: "isv.\(name)", subMessage: reason))
    }

    static let limited = Self(
        failure: ModernFailure(
            code: "40005", message: "Call Limited", subCode: "isv.app-call-limited",
            subMessage: "too many calls of this application: wait and call again"))
    static let unavailable = Self(failure: .unavailable("aop.unknow-error"))

    static func business(_ refusal: TradeRefusal) -> Self {
        guard refusal.code == .tooSoon else { return business(refusal.subCode, refusal.reason) }
        return Self(
            failure: ModernFailure(code: "40005", message: "Call Limited", subCode: refusal.subCode, subMessage: refusal.reason),
            isSigned: true)
    }

    static func business(_ subCode: String, _ reason: String) -> Self {
        Self(
            failure: ModernFailure(code: "40004", message: "Business Failed", subCode: subCode, subMessage: reason), isSigned: true)
    }

    /// Shows the text that the gateway verified, HTML-escaped as the real one does [S]: what the sender signed must be this.
    static func signature(_ verified: [UInt8], _ charset: AlipayCharset) -> Self {
        Self(failure: .invalidSignature(verifying: charset.display(verified)))
    }
}
