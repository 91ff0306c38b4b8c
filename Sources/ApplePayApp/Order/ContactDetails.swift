import Foundation

#if canImport(PassKit) && canImport(UIKit)
    import Contacts
    public import PassKit
#else
    public import PassKitSimulator
#endif

/// A contact in the web's field names. Before authorisation only the postal parts without the street are known.
public struct ContactDetails: Sendable, Hashable, Codable {
    public var givenName: String?
    public var familyName: String?
    public var phoneNumber: String?
    public var emailAddress: String?
    public var addressLines: [String]?
    public var subLocality: String?
    public var locality: String?
    public var subAdministrativeArea: String?
    public var administrativeArea: String?
    public var postalCode: String?
    public var country: String?
    /// ISO 3166-1 alpha-2.
    public var countryCode: String?

    public init() {}

    public init(_ contact: PKContact) {
        givenName = Self.filled(contact.name?.givenName)
        familyName = Self.filled(contact.name?.familyName)
        phoneNumber = Self.filled(contact.phoneNumber?.stringValue)
        emailAddress = Self.filled(contact.emailAddress)
        guard let address = contact.postalAddress else { return }
        let lines = address.street.split(separator: "\n").map(String.init)
        addressLines = lines.isEmpty ? nil : lines
        subLocality = Self.filled(address.subLocality)
        locality = Self.filled(address.city)
        subAdministrativeArea = Self.filled(address.subAdministrativeArea)
        administrativeArea = Self.filled(address.state)
        postalCode = Self.filled(address.postalCode)
        country = Self.filled(address.country)
        countryCode = Self.filled(address.isoCountryCode)
    }

    private static func filled(_ text: String?) -> String? { text.flatMap { $0.isEmpty ? nil : $0 } }
}
