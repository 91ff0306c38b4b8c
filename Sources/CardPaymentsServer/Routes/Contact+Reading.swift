import BillfoldJSON

extension Contact {
    static let keys = [
        "givenName", "familyName", "phoneticGivenName", "phoneticFamilyName", "phoneNumber", "emailAddress", "addressLines", "subLocality",
        "locality", "subAdministrativeArea", "administrativeArea", "postalCode", "country", "countryCode",
    ]

    /// A contact as a browser gives it: an empty text, or an empty line of an address, is one that is not known
    /// (apple-pay.md#contact-fields).
    init?(_ reader: RequestReader?) throws(CardPaymentsError) {
        guard let reader else { return nil }
        givenName = try reader.filledText("givenName")
        familyName = try reader.filledText("familyName")
        phoneticGivenName = try reader.filledText("phoneticGivenName")
        phoneticFamilyName = try reader.filledText("phoneticFamilyName")
        phoneNumber = try reader.filledText("phoneNumber")
        emailAddress = try reader.filledText("emailAddress")
        addressLines = try Self.lines(reader)
        subLocality = try reader.filledText("subLocality")
        locality = try reader.filledText("locality")
        subAdministrativeArea = try reader.filledText("subAdministrativeArea")
        administrativeArea = try reader.filledText("administrativeArea")
        postalCode = try reader.filledText("postalCode")
        country = try reader.filledText("country")
        countryCode = try reader.filledText("countryCode")
    }

    private static func lines(_ reader: RequestReader) throws(CardPaymentsError) -> [String] {
        guard let member = reader.object["addressLines"] else { return [] }
        if case .null = member { return [] }
        return try reader.texts("addressLines", maximum: 8, allowingEmpty: true).filter { !$0.isEmpty }
    }
}
