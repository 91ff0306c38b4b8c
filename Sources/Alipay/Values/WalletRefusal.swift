/// A code with which the wallet or the cashier refuses an order (alipay.md#wallet-codes [O]).
public struct WalletRefusalCode: RawRepresentable, Sendable, Hashable, Codable, CustomStringConvertible {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    /// Any failure of the signature.
    public static let signature = Self(rawValue: "ALI40247")
    /// Any failure of the signature, in other versions of the wallet.
    public static let signatureALI64 = Self(rawValue: "ALI64")
    public static let signatureALIN10070 = Self(rawValue: "ALIN10070")
    /// The order cannot be parsed.
    public static let malformedOrder = Self(rawValue: "ALI38173")
    /// The partner or application does not belong to this environment.
    public static let unknownMerchant = Self(rawValue: "ALIN10129")
    /// RSA2 is demanded.
    public static let needsRSA2 = Self(rawValue: "ALIN10146")
    /// A required value is empty, or has the wrong form.
    public static let invalidParameter = Self(rawValue: "ALIN42273")
    /// The number was used for an order of another amount or subject.
    public static let numberReused = Self(rawValue: "ALIN42282")
    /// A domestic product called by an overseas account.
    public static let domesticProduct = Self(rawValue: "ALIN43877")
    /// Refused for its risk.
    public static let risk = Self(rawValue: "ALIN43911")
    /// Another payer has begun to pay this order.
    public static let otherPayer = Self(rawValue: "ALIN10023")
    /// The order was paid already.
    public static let alreadyPaid = Self(rawValue: "ALI38869")
    /// The order has expired, or is closed.
    public static let expired = Self(rawValue: "T8912")

    public var description: String { rawValue }

    /// The code under which an order that cannot be read or verified is refused.
    public init(_ error: AlipayError) {
        switch error.code {
        case .signatureMismatch, .malformedSignature, .missingSignature, .missingSignType, .uncoveredParameter, .unknownKey,
            .unsupportedSignType:
            self = .signature
        case .missingParameter, .invalidParameter, .unencodableText: self = .invalidParameter
        default: self = .malformedOrder
        }
    }
}
