/// What to ask of an address, as requests said it before ``PKContactField``. Deprecated since iOS 11, and still understood.
@available(iOS, deprecated: 11.0, message: "Use PKContactField with requiredShippingContactFields and requiredBillingContactFields.")
public struct PKAddressField: OptionSet, Hashable, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// Swift writes an empty list instead.
    @available(*, unavailable, message: "use [] to construct an empty option set")
    public static var none: PKAddressField { [] }
    /// The address, with the name of who lives there.
    public static let postalAddress = Self(rawValue: 1 << 0)
    public static let phone = Self(rawValue: 1 << 1)
    public static let email = Self(rawValue: 1 << 2)
    public static let name = Self(rawValue: 1 << 3)
    public static let all: Self = [.postalAddress, .phone, .email, .name]

    /// The same question in today's words (apple-pay.md#contact-fields [D]).
    var contactFields: Set<PKContactField> {
        var fields: Set<PKContactField> = []
        if contains(.postalAddress) { fields.formUnion([.postalAddress, .name]) }
        if contains(.phone) { fields.insert(.phoneNumber) }
        if contains(.email) { fields.insert(.emailAddress) }
        if contains(.name) { fields.insert(.name) }
        return fields
    }
}
