/// `error` of a legacy answer (alipay.md#legacy-errors [O]).
public struct LegacyErrorCode: RawRepresentable, Sendable, Hashable, Codable, CustomStringConvertible {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public static let illegalSign = Self(rawValue: "ILLEGAL_SIGN")
    public static let illegalPartner = Self(rawValue: "ILLEGAL_PARTNER")
    /// Also a query without any number.
    public static let illegalArgument = Self(rawValue: "ILLEGAL_ARGUMENT")
    public static let illegalService = Self(rawValue: "ILLEGAL_SERVICE")
    public static let illegalInterface = Self(rawValue: "ILLEGAL_EXTERFACE")
    public static let illegalPartnerInterface = Self(rawValue: "ILLEGAL_PARTNER_EXTERFACE")
    public static let illegalSignType = Self(rawValue: "ILLEGAL_SIGN_TYPE")
    public static let illegalCharset = Self(rawValue: "ILLEGAL_CHARSET")
    public static let hasNoPrivilege = Self(rawValue: "HAS_NO_PRIVILEGE")
    public static let invalidParameter = Self(rawValue: "INVALID_PARAMETER")
    public static let tradeNotExist = Self(rawValue: "TRADE_NOT_EXIST")
    /// A refund of an order that is not known.
    public static let purchaseTradeNotExist = Self(rawValue: "PURCHASE_TRADE_NOT_EXIST")
    public static let systemError = Self(rawValue: "SYSTEM_ERROR")

    public var description: String { rawValue }

    /// The code under which a call that cannot be read or verified is refused.
    public init(_ error: AlipayError) {
        switch error.code {
        case .signatureMismatch, .malformedSignature, .missingSignature, .unknownKey: self = .illegalSign
        case .unsupported: self = .illegalCharset
        case .unsupportedSignType: self = .illegalSignType
        default: self = .illegalArgument
        }
    }
}
