public import Foundation

public let CNPostalAddressStreetKey = "street"
public let CNPostalAddressSubLocalityKey = "subLocality"
public let CNPostalAddressCityKey = "city"
public let CNPostalAddressSubAdministrativeAreaKey = "subAdministrativeArea"
public let CNPostalAddressStateKey = "state"
public let CNPostalAddressPostalCodeKey = "postalCode"
public let CNPostalAddressCountryKey = "country"
public let CNPostalAddressISOCountryCodeKey = "ISOCountryCode"

/// As in the Contacts framework. `street` holds all lines, parted by a line feed.
open class CNPostalAddress: NSObject {
    open fileprivate(set) var street = ""
    open fileprivate(set) var subLocality = ""
    open fileprivate(set) var city = ""
    open fileprivate(set) var subAdministrativeArea = ""
    open fileprivate(set) var state = ""
    open fileprivate(set) var postalCode = ""
    open fileprivate(set) var country = ""
    /// ISO 3166-1 alpha-2.
    open fileprivate(set) var isoCountryCode = ""

    public override init() { super.init() }
}

/// A postal address whose parts can be set.
open class CNMutablePostalAddress: CNPostalAddress {
    open override var street: String {
        get { super.street }
        set { super.street = newValue }
    }
    open override var subLocality: String {
        get { super.subLocality }
        set { super.subLocality = newValue }
    }
    open override var city: String {
        get { super.city }
        set { super.city = newValue }
    }
    open override var subAdministrativeArea: String {
        get { super.subAdministrativeArea }
        set { super.subAdministrativeArea = newValue }
    }
    open override var state: String {
        get { super.state }
        set { super.state = newValue }
    }
    open override var postalCode: String {
        get { super.postalCode }
        set { super.postalCode = newValue }
    }
    open override var country: String {
        get { super.country }
        set { super.country = newValue }
    }
    open override var isoCountryCode: String {
        get { super.isoCountryCode }
        set { super.isoCountryCode = newValue }
    }
}
