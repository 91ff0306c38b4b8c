import BillfoldJSON

/// What the wallet says about the card beside the token: for display and statistics only, since no signature covers it.
public struct PaymentMethod: Sendable, Hashable {
    /// For people, for example a scheme name and the last four digits of the plastic card.
    public var displayName: String?
    /// The scheme in the wallet's spelling, for example `Visa` or `ChinaUnionPay`.
    public var network: String?
    /// `debit`, `credit`, `prepaid` or `store` on the web; native clients send what their programmer chose.
    public var type: String?

    public init(displayName: String? = nil, network: String? = nil, type: String? = nil) {
        self.displayName = displayName
        self.network = network
        self.type = type
    }

    /// A number is kept as it was written: native clients serialise the type's enumeration. What is neither text nor number
    /// is left out, since nothing that is not signed may refuse a token; nil when there is no object.
    init?(_ value: JSONValue) {
        guard let object = value.object else { return nil }
        func text(_ key: String) -> String? {
            switch object[key] {
            case .string(let text)?, .number(let text)?: text
            default: nil
            }
        }
        self.init(displayName: text("displayName"), network: text("network"), type: text("type"))
    }
}
