import ApplePay
import BillfoldJSON

/// A shopper's contact as the sheet gives it: redacted before authorisation, whole with it.
struct Contact: Sendable, Hashable, Codable {
    var givenName: String?
    var familyName: String?
    var phoneNumber: String?
    var emailAddress: String?
    var addressLines: [String] = []
    var subLocality: String?
    var locality: String?
    var subAdministrativeArea: String?
    var administrativeArea: String?
    var postalCode: String?
    var country: String?
    var countryCode: String?

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

/// A correction asked of the shopper, in the wallet's own error codes (apple-pay.md#field-errors).
struct FieldError: Sendable, Hashable, Codable {
    var code: String
    var field: String?
    var message: String
}
