/// All that the payment sheet shows at one moment, as values, for a page or a test to read.
public struct SheetState: Sendable, Hashable, Codable {
    /// Where the sheet stands, and for whom it waits.
    public enum Phase: String, Sendable, Hashable, Codable {
        /// Waits for the customer.
        case ready
        /// Waits for the app's answer; the customer can do nothing but cancel.
        case updating
        /// Waits for the issuer's six-digit PIN.
        case enteringPIN
        /// Authorised; waits for the app's result.
        case processing
        case succeeded
        /// The payment was not completed. The sheet closes by itself.
        case failed
        /// The customer closed the sheet.
        case cancelled
        /// The app closed the sheet.
        case dismissed

        /// Whether nothing more happens on this sheet.
        public var isOver: Bool { self == .succeeded || self == .failed || self == .cancelled || self == .dismissed }
    }

    /// One line of the sum.
    public struct Item: Sendable, Hashable, Codable {
        public var label: String
        /// Major units, as the app gave them; negative for a discount.
        public var amount: String
        public var isPending: Bool
    }

    /// A card that the request takes.
    public struct Card: Sendable, Hashable, Codable, Identifiable {
        public var id: String
        public var issuer: String
        public var network: String
        public var suffix: String
    }

    /// A contact of the customer.
    public struct Contact: Sendable, Hashable, Codable, Identifiable {
        public var id: String
        public var name: String
        /// One line each. The customer sees his own data in full; only the app gets less.
        public var lines: [String]
    }

    /// One way to deliver, as the app offers it.
    public struct ShippingMethod: Sendable, Hashable, Codable, Identifiable {
        /// The app's identifier; empty when the app gave none.
        public var id: String
        public var label: String
        public var detail: String
        public var amount: String
    }

    /// One correction that the app asks for.
    public struct Problem: Sendable, Hashable, Codable {
        public var code: String
        /// The contact field or postal key that is blamed.
        public var field: String?
        public var message: String
    }

    public var phase = Phase.ready
    public var merchant = ""
    public var currencyCode = ""
    public var items: [Item] = []
    /// The last item; `0` for an empty list.
    public var total = "0"
    public var totalIsPending = false
    public var cards: [Card] = []
    public var selectedCard: String?
    public var asksContact = false
    /// Whether a postal address is among the fields asked for.
    public var asksAddress = false
    public var contacts: [Contact] = []
    public var selectedContact: String?
    public var shippingMethods: [ShippingMethod] = []
    public var selectedShippingMethod: String?
    public var supportsCouponCode = false
    public var couponCode = ""
    public var problems: [Problem] = []
    /// Why the sheet failed, or what is wrong with the PIN.
    public var message: String?
}
