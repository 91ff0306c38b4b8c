public import BillfoldMoney

/// One line of an order or quote as the server computed it: goods, tax, shipping, or a discount (negative).
public struct CheckoutItem: Sendable, Hashable {
    public var label: String
    public var amount: Amount
    /// The amount is not known yet.
    public var isPending: Bool

    public init(label: String, amount: Amount, isPending: Bool = false) {
        self.label = label
        self.amount = amount
        self.isPending = isPending
    }
}

/// A way of delivery that the server offers.
public struct CheckoutShippingMethod: Sendable, Hashable {
    public var identifier: String
    public var label: String
    public var detail: String
    public var amount: Amount

    public init(identifier: String, label: String, detail: String, amount: Amount) {
        self.identifier = identifier
        self.label = label
        self.detail = detail
        self.amount = amount
    }
}
