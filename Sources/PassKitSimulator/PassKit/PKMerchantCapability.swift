/// What the merchant's processor can take. `emv` belongs with `chinaUnionPay` and with nothing else (apple-pay.md#capabilities [O]).
public struct PKMerchantCapability: OptionSet, Hashable, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// Required in every request.
    public static let threeDSecure = Self(rawValue: 1 << 0)
    public static let emv = Self(rawValue: 1 << 1)
    /// With neither `credit` nor `debit`, both are accepted.
    public static let credit = Self(rawValue: 1 << 2)
    public static let debit = Self(rawValue: 1 << 3)
    public static let instantFundsOut = Self(rawValue: 1 << 7)

    // The spellings of systems before iOS 17.
    public static let capability3DS = Self.threeDSecure
    public static let capabilityEMV = Self.emv
    public static let capabilityCredit = Self.credit
    public static let capabilityDebit = Self.debit
}
