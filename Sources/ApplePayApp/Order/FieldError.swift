import Foundation

#if canImport(PassKit) && canImport(UIKit)
    import Contacts
    import PassKit
#else
    import PassKitSimulator
#endif

/// A correction that the server asks of the customer.
public struct FieldError: Sendable, Hashable, Codable {
    /// `shippingContactInvalid`, `billingContactInvalid`, `shippingAddressUnserviceable` (or `addressUnserviceable`),
    /// `couponCodeInvalid`, `couponCodeExpired`; anything else is shown as an invalid contact.
    public var code: String
    /// A contact field in the web's spelling, such as `postalCode` or `emailAddress`.
    public var field: String?
    public var message: String?

    public init(code: String, field: String? = nil, message: String? = nil) {
        self.code = code
        self.field = field
        self.message = message
    }

    /// Made by PassKit's own factories: an error of another domain would crash the app [O].
    public var passKitError: any Error {
        switch code {
        case "couponCodeInvalid": PKPaymentRequest.paymentCouponCodeInvalidError(localizedDescription: message)
        case "couponCodeExpired": PKPaymentRequest.paymentCouponCodeExpiredError(localizedDescription: message)
        case "shippingAddressUnserviceable", "addressUnserviceable":
            PKPaymentRequest.paymentShippingAddressUnserviceableError(withLocalizedDescription: message)
        case "billingContactInvalid":
            PKPaymentRequest.paymentBillingAddressInvalidError(
                withKey: postalKey ?? CNPostalAddressStreetKey, localizedDescription: message)
        default:
            if let postalKey {
                PKPaymentRequest.paymentShippingAddressInvalidError(withKey: postalKey, localizedDescription: message)
            } else {
                PKPaymentRequest.paymentContactInvalidError(
                    withContactField: field.flatMap { ContactFieldName(rawValue: $0)?.field } ?? .postalAddress,
                    localizedDescription: message)
            }
        }
    }

    /// Whether PassKit can show it before authorisation, when name, phone, e-mail and street are still hidden [D].
    public var canBeShownBeforeAuthorization: Bool {
        switch field {
        case nil, "postalAddress", "locality", "subLocality", "postalCode", "administrativeArea", "subAdministrativeArea", "country",
            "countryCode":
            true
        default: false
        }
    }

    private var postalKey: String? {
        switch field {
        case "addressLines", "street": CNPostalAddressStreetKey
        case "subLocality": CNPostalAddressSubLocalityKey
        case "locality": CNPostalAddressCityKey
        case "subAdministrativeArea": CNPostalAddressSubAdministrativeAreaKey
        case "administrativeArea": CNPostalAddressStateKey
        case "postalCode": CNPostalAddressPostalCodeKey
        case "country": CNPostalAddressCountryKey
        case "countryCode": CNPostalAddressISOCountryCodeKey
        default: nil
        }
    }
}
