public import Foundation

/// A value of a contact with the word that its owner gave it.
open class CNLabeledValue<ValueType: NSObject>: NSObject {
    public let label: String?
    public let value: ValueType

    public init(label: String?, value: ValueType) {
        self.label = label
        self.value = value
    }
}

/// A person, as far as a payment method's billing address says it.
open class CNContact: NSObject {
    open fileprivate(set) var givenName = ""
    open fileprivate(set) var familyName = ""
    open fileprivate(set) var postalAddresses: [CNLabeledValue<CNPostalAddress>] = []

    public override init() { super.init() }
}

/// A person whose parts can be set.
open class CNMutableContact: CNContact {
    open override var givenName: String {
        get { super.givenName }
        set { super.givenName = newValue }
    }
    open override var familyName: String {
        get { super.familyName }
        set { super.familyName = newValue }
    }
    open override var postalAddresses: [CNLabeledValue<CNPostalAddress>] {
        get { super.postalAddresses }
        set { super.postalAddresses = newValue }
    }
}
