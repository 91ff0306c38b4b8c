import Foundation

/// A contact of the device's owner.
public struct SimulatedContact: Sendable, Hashable, Identifiable, Codable {
    public var id: String
    public var givenName: String
    public var familyName: String
    public var emailAddress: String
    public var phoneNumber: String
    public var street: String
    public var subLocality: String
    public var city: String
    public var state: String
    public var postalCode: String
    public var country: String
    /// ISO 3166-1 alpha-2.
    public var countryCode: String

    public init(
        id: String, givenName: String, familyName: String, emailAddress: String = "", phoneNumber: String = "", street: String = "",
        subLocality: String = "", city: String = "", state: String = "", postalCode: String = "", country: String = "",
        countryCode: String = ""
    ) {
        self.id = id
        self.givenName = givenName
        self.familyName = familyName
        self.emailAddress = emailAddress
        self.phoneNumber = phoneNumber
        self.street = street
        self.subLocality = subLocality
        self.city = city
        self.state = state
        self.postalCode = postalCode
        self.country = country
        self.countryCode = countryCode
    }

    /// Only what shipping needs: neither name nor street, phone or e-mail. What the app gets before authorisation.
    func redacted() -> PKContact {
        let contact = PKContact()
        contact.postalAddress = address(street: "")
        return contact
    }

    /// The fields that the request asked for, and no others.
    func disclosed(_ fields: Set<PKContactField>) -> PKContact {
        let contact = PKContact()
        if fields.contains(.postalAddress) { contact.postalAddress = address(street: street) }
        if fields.contains(.emailAddress) { contact.emailAddress = emailAddress }
        if fields.contains(.phoneNumber) { contact.phoneNumber = CNPhoneNumber(stringValue: phoneNumber) }
        if fields.contains(.name) || fields.contains(.phoneticName) {
            var name = PersonNameComponents()
            name.givenName = givenName
            name.familyName = familyName
            contact.name = name
        }
        return contact
    }

    private func address(street: String) -> CNPostalAddress {
        let address = CNMutablePostalAddress()
        address.street = street
        address.subLocality = subLocality
        address.city = city
        address.state = state
        address.postalCode = postalCode
        address.country = country
        address.isoCountryCode = countryCode
        return address
    }
}
