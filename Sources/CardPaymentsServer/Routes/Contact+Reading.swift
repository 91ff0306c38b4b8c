import BillfoldJSON

extension Contact {
    static let keys = [
        "givenName", "familyName", "phoneNumber", "emailAddress", "addressLines", "subLocality", "locality", "subAdministrativeArea",
        "administrativeArea", "postalCode", "country", "countryCode",
    ]

    init?(_ reader: RequestReader?) throws(CardPaymentsError) {
        guard let reader else { return nil }
        givenName = try reader.optionalText("givenName")
        familyName = try reader.optionalText("familyName")
        phoneNumber = try reader.optionalText("phoneNumber")
        emailAddress = try reader.optionalText("emailAddress")
        addressLines = try reader.texts("addressLines", maximum: 8)
        subLocality = try reader.optionalText("subLocality")
        locality = try reader.optionalText("locality")
        subAdministrativeArea = try reader.optionalText("subAdministrativeArea")
        administrativeArea = try reader.optionalText("administrativeArea")
        postalCode = try reader.optionalText("postalCode")
        country = try reader.optionalText("country")
        countryCode = try reader.optionalText("countryCode")
    }
}
