/// A card scheme by the name that PassKit and the web API share (apple-pay.md#networks).
///
/// Names are matched exactly: one wrapper mapped `chinaunionpay` while its callers sent `chinaUnionPay`, and the sheet
/// offered no card. [O]
public struct PaymentNetwork: RawRepresentable, Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
    public var rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public init(stringLiteral value: String) { rawValue = value }
    public var description: String { rawValue }

    public static let amex: Self = "amex"
    public static let chinaUnionPay: Self = "chinaUnionPay"
    public static let discover: Self = "discover"
    public static let jcb: Self = "JCB"
    public static let mada: Self = "mada"
    public static let maestro: Self = "maestro"
    public static let masterCard: Self = "masterCard"
    public static let visa: Self = "visa"

    /// The names this library knows. `JCB` is PassKit's spelling; the web API writes `jcb`. [I for completeness]
    public static let known: [Self] = [
        "amex", "bancomat", "bancontact", "cartesBancaires", "chinaUnionPay", "dankort", "discover", "eftpos", "electron", "elo",
        "girocard", "interac", "JCB", "jcb", "mada", "maestro", "masterCard", "mir", "privateLabel", "visa", "vPay",
    ]

    private static let knownNames = Set(known)

    public var isKnown: Bool { Self.knownNames.contains(self) }

    /// The known name that differs in letter case only, for a helpful refusal.
    public var differentlyCased: Self? {
        isKnown ? nil : Self.known.first { $0.rawValue.lowercased() == rawValue.lowercased() }
    }
}

/// What the merchant's processor can do with a token (apple-pay.md#capabilities).
public struct MerchantCapability: RawRepresentable, Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
    public var rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public init(stringLiteral value: String) { rawValue = value }
    public var description: String { rawValue }

    /// Required in every request.
    public static let threeDSecure: Self = "threeDSecure"
    /// Present if and only if China UnionPay is among the networks.
    public static let emv: Self = "emv"
    /// Neither `debit` nor `credit` means both.
    public static let debit: Self = "debit"
    public static let credit: Self = "credit"
    public static let instantFundsOut: Self = "instantFundsOut"

    public static let known: Set<Self> = [.threeDSecure, .emv, .debit, .credit, .instantFundsOut]

    /// The native name for a name of the web API or of older systems; other names stay as they are.
    public init(anySpelling name: String) {
        switch name {
        case "supports3DS", "3DS", "capability3DS": self = .threeDSecure
        case "supportsEMV", "capabilityEMV": self = .emv
        case "supportsDebit", "capabilityDebit": self = .debit
        case "supportsCredit", "capabilityCredit": self = .credit
        case "supportsInstantFundsOut": self = .instantFundsOut
        default: self.init(rawValue: name)
        }
    }
}

/// A contact field that a sheet can ask for (apple-pay.md#contact-fields).
public struct ContactField: RawRepresentable, Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
    public var rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public init(stringLiteral value: String) { rawValue = value }
    public var description: String { rawValue }

    public static let postalAddress: Self = "postalAddress"
    public static let name: Self = "name"
    public static let phoneticName: Self = "phoneticName"
    public static let phoneNumber: Self = "phoneNumber"
    public static let emailAddress: Self = "emailAddress"

    public static let known: Set<Self> = [.postalAddress, .name, .phoneticName, .phoneNumber, .emailAddress]

    /// The native name for a name of the web API; other names stay as they are.
    public init(anySpelling name: String) {
        switch name {
        case "email": self = .emailAddress
        case "phone": self = .phoneNumber
        default: self.init(rawValue: name)
        }
    }
}
