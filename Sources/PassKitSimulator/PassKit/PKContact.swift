public import Foundation

/// A person to deliver to or to bill. Before authorisation the sheet hands over only what shipping needs.
open class PKContact: NSObject {
    open var name: PersonNameComponents?
    open var postalAddress: CNPostalAddress?
    open var phoneNumber: CNPhoneNumber?
    open var emailAddress: String?
    /// Part of ``postalAddress`` since iOS 10.3; the sheet neither reads nor sets it.
    @available(iOS, deprecated: 10.3, message: "Use subLocality and subAdministrativeArea of postalAddress.")
    open var supplementarySubLocality: String?

    public override init() { super.init() }
}
