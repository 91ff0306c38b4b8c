/// A shopper's contact as the sheet gives it: redacted before authorisation, whole with it.
struct Contact: Sendable, Hashable, Codable {
    var givenName: String?
    var familyName: String?
    var phoneticGivenName: String?
    var phoneticFamilyName: String?
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
}

/// A correction asked of the shopper, in the wallet's own error codes (apple-pay.md#field-errors).
struct FieldError: Sendable, Hashable, Codable {
    var code: String
    var field: String?
    var message: String
}
