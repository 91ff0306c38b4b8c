public import Foundation

/// A person to deliver to or to bill. Before authorisation the sheet hands over only what shipping needs.
open class PKContact: NSObject {
    open var name: PersonNameComponents?
    open var postalAddress: CNPostalAddress?
    open var phoneNumber: CNPhoneNumber?
    open var emailAddress: String?

    public override init() { super.init() }
}
