// The framework hands it on.
@_exported public import Foundation

/// <https://developer.apple.com/documentation/contacts/cnphonenumber>
@available(iOS 9, *)
open class CNPhoneNumber: NSObject {
    /// <https://developer.apple.com/documentation/contacts/cnphonenumber/stringvalue>
    @available(iOS 9, *)
    open var stringValue: String { "" }
}

/// <https://developer.apple.com/documentation/contacts/cnpostaladdress>
@available(iOS 9, *)
open class CNPostalAddress: NSObject {
    /// <https://developer.apple.com/documentation/contacts/cnpostaladdress/street>
    @available(iOS 9, *)
    open var street: String { "" }
    /// <https://developer.apple.com/documentation/contacts/cnpostaladdress/sublocality>
    @available(iOS 10.3, *)
    open var subLocality: String { "" }
    /// <https://developer.apple.com/documentation/contacts/cnpostaladdress/city>
    @available(iOS 9, *)
    open var city: String { "" }
    /// <https://developer.apple.com/documentation/contacts/cnpostaladdress/subadministrativearea>
    @available(iOS 10.3, *)
    open var subAdministrativeArea: String { "" }
    /// <https://developer.apple.com/documentation/contacts/cnpostaladdress/state>
    @available(iOS 9, *)
    open var state: String { "" }
    /// <https://developer.apple.com/documentation/contacts/cnpostaladdress/postalcode>
    @available(iOS 9, *)
    open var postalCode: String { "" }
    /// <https://developer.apple.com/documentation/contacts/cnpostaladdress/country>
    @available(iOS 9, *)
    open var country: String { "" }
    /// <https://developer.apple.com/documentation/contacts/cnpostaladdress/isocountrycode>
    @available(iOS 9, *)
    open var isoCountryCode: String { "" }
}

/// <https://developer.apple.com/documentation/contacts/cnpostaladdressstreetkey>
@available(iOS 9, *)
public let CNPostalAddressStreetKey = ""
/// <https://developer.apple.com/documentation/contacts/cnpostaladdresssublocalitykey>
@available(iOS 10.3, *)
public let CNPostalAddressSubLocalityKey = ""
/// <https://developer.apple.com/documentation/contacts/cnpostaladdresscitykey>
@available(iOS 9, *)
public let CNPostalAddressCityKey = ""
/// <https://developer.apple.com/documentation/contacts/cnpostaladdresssubadministrativeareakey>
@available(iOS 10.3, *)
public let CNPostalAddressSubAdministrativeAreaKey = ""
/// <https://developer.apple.com/documentation/contacts/cnpostaladdressstatekey>
@available(iOS 9, *)
public let CNPostalAddressStateKey = ""
/// <https://developer.apple.com/documentation/contacts/cnpostaladdresspostalcodekey>
@available(iOS 9, *)
public let CNPostalAddressPostalCodeKey = ""
/// <https://developer.apple.com/documentation/contacts/cnpostaladdresscountrykey>
@available(iOS 9, *)
public let CNPostalAddressCountryKey = ""
/// <https://developer.apple.com/documentation/contacts/cnpostaladdressisocountrycodekey>
@available(iOS 9, *)
public let CNPostalAddressISOCountryCodeKey = ""
