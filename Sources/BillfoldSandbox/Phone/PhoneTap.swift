/// What the customer does with the phone, as the page posts it: `{"do":"selectCard","value":"…"}`.
public struct PhoneTap: Sendable, Hashable, Codable {
    public enum Action: String, Sendable, Hashable, Codable, CaseIterable {
        case pay, setUp
        case selectCard, selectContact, selectShippingMethod, enterCouponCode, authorize, enterPIN, cancel
        /// From the outcome back to the shop.
        case `continue`
        /// Asks once more after an undecided payment, as the app does when it starts again.
        case askAgain
    }

    public var action: Action
    /// The chosen identifier, the coupon code or the PIN.
    public var value: String?

    public init(_ action: Action, _ value: String? = nil) {
        self.action = action
        self.value = value
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case action = "do"
        case value
    }

    public init(from decoder: any Decoder) throws {
        try decoder.refuseKeys(besides: CodingKeys.allCases.map(\.stringValue), of: "a tap")
        let container = try decoder.container(keyedBy: CodingKeys.self)
        action = try container.decode(Action.self, forKey: .action)
        value = try container.decodeIfPresent(String.self, forKey: .value)
    }
}

extension PhoneTap: CustomStringConvertible {
    /// Without the value, which may be a PIN.
    public var description: String { action.rawValue }
}
