public import BillfoldJSON

/// `code`, `msg`, `sub_code` and `sub_msg` of an answer (alipay.md#reply-codes [D]).
public struct ModernFailure: Error, Sendable, Hashable {
    public var code: String
    public var message: String
    public var subCode: String?
    public var subMessage: String?

    public init(code: String, message: String, subCode: String? = nil, subMessage: String? = nil) {
        self.code = code
        self.message = message
        self.subCode = subCode
        self.subMessage = subMessage
    }

    init?(_ node: JSONValue) {
        guard let code = node["code"]?.scalar else { return nil }
        self.init(
            code: code, message: node["msg"]?.scalar ?? "", subCode: node["sub_code"]?.scalar, subMessage: node["sub_msg"]?.scalar)
    }

    public var node: JSONValue { .texts(["code": code, "msg": message, "sub_code": subCode, "sub_msg": subMessage]) }

    public static let accepted = "10000"

    /// Retry, or query what became of it.
    public static func unavailable(_ subCode: String = "isp.unknow-error") -> Self {
        Self(code: "20000", message: "Service Currently Unavailable", subCode: subCode, subMessage: "system busy")
    }

    /// 40001: a parameter is not there. It is named as in the sub-code, such as `app-id`.
    public static func missing(_ subCode: String) -> Self {
        Self(code: "40001", message: "Missing Required Arguments", subCode: "isv.missing-\(subCode)", subMessage: "\(subCode) is missing")
    }

    /// 40002: a parameter is there and wrong. The sub-code is given without `isv.`.
    public static func invalid(_ subCode: String, _ subMessage: String) -> Self {
        Self(code: "40002", message: "Invalid Arguments", subCode: "isv.\(subCode)", subMessage: subMessage)
    }

    /// `isv.invalid-signature`, with the text that the gateway itself built, HTML-escaped as the real one does.
    public static func invalidSignature(verifying text: String) -> Self { invalidSignature("the signature does not fit", verifying: text) }

    private static let textFollows = "; the text verified is: "

    /// The same, with what is known of the reason.
    package static func invalidSignature(_ reason: String, verifying text: String) -> Self {
        .invalid("invalid-signature", reason + textFollows + htmlEscaped(text))
    }

    /// What the message says of a signature, without the text that was verified.
    package var complaint: String { subMessage?.split(separator: Self.textFollows, maxSplits: 1).first.map(String.init) ?? "" }

    /// An authorisation token that is not good here.
    public static func invalidToken(_ subMessage: String) -> Self {
        Self(code: "20001", message: "Insufficient Token Permissions", subCode: "aop.invalid-auth-token", subMessage: subMessage)
    }

    /// 40003: something has to be set up before the call can work. The sub-code is given without `isv.`.
    public static func condition(_ subCode: String, _ subMessage: String) -> Self {
        Self(code: "40003", message: "Insufficient Conditions", subCode: "isv.\(subCode)", subMessage: subMessage)
    }

    /// 40004: the call was understood, and the business refuses it. The sub-code is given whole.
    public static func business(_ subCode: String, _ subMessage: String) -> Self {
        Self(code: "40004", message: "Business Failed", subCode: subCode, subMessage: subMessage)
    }

    /// 40005: too many calls. The sub-code is given whole, with `isv.`.
    public static func limited(_ subCode: String, _ subMessage: String) -> Self {
        Self(code: "40005", message: "Call Limited", subCode: subCode, subMessage: subMessage)
    }

    /// 40006: the application may not call the method.
    public static func noPermission() -> Self {
        Self(
            code: "40006", message: "Insufficient Permissions", subCode: "isv.insufficient-isv-permissions",
            subMessage: "the application may not call this method")
    }

    static func htmlEscaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;").replacing("\"", with: "&quot;")
            .replacing("'", with: "&#39;")
    }

    /// How a request that cannot be read or verified is refused.
    /// - Parameter text: The text that the gateway built.
    public init(_ error: AlipayError, verifying text: String = "") {
        switch error.code {
        case .missingSignature: self = .missing("signature")
        case .missingSignType: self = .missing("signature-type")
        case .signatureMismatch: self = .invalidSignature(verifying: text)
        case .malformedSignature: self = .invalidSignature(error.reason, verifying: text)
        case .unknownKey: self = .condition("missing-signature-config", error.reason)
        case .unsupported: self = .invalid("invalid-charset", error.reason)
        case .unsupportedSignType: self = .invalid("invalid-signature-type", error.reason)
        case .missingParameter: self = .missing("method")
        default: self = .invalid("invalid-parameter", error.reason)
        }
    }
}
