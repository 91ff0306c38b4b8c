/// Changes the sheet's wording only.
public enum PKShippingType: UInt, Sendable {
    case shipping = 0
    case delivery, storePickup, servicePickup
}

/// What kind of card it is.
public enum PKPaymentMethodType: UInt, Sendable {
    case unknown = 0
    case debit, credit, prepaid, store, eMoney
}

/// `pending`: the amount is not known yet, and the sheet says so instead of a figure.
public enum PKPaymentSummaryItemType: UInt, Sendable {
    case final = 0
    case pending
}

/// The app's answer to an authorised payment. Values 2 to 4 are deprecated in favour of error lists.
public enum PKPaymentAuthorizationStatus: Int, Sendable {
    case success = 0
    case failure
    case invalidBillingPostalAddress
    case invalidShippingPostalAddress
    case invalidShippingContact
    case pinRequired
    case pinIncorrect
    case pinLockout
}

/// Whether the customer may change the shipping contact.
public enum PKShippingContactEditingMode: UInt, Sendable {
    case available = 1
    case storePickup

    /// The name of systems before iOS 16.
    public static let enabled = Self.available
}
