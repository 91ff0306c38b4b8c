public import Foundation

/// As in the Contacts framework.
open class CNPhoneNumber: NSObject {
    public let stringValue: String
    public init(stringValue: String) { self.stringValue = stringValue }
}
