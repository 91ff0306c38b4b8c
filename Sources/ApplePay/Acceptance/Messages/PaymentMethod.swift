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

    init(_ value: JSONValue) throws(ApplePayError) {
        guard let object = value.object else {
            throw ApplePayError(code: .malformedToken, reason: "paymentMethod is not an object")
        }
        func text(_ key: String) throws(ApplePayError) -> String? {
            switch object[key] {
            case nil, .null?: return nil
            case .string(let text)?: return text
            default: throw ApplePayError(code: .malformedToken, reason: "paymentMethod.\(key) is not text")
            }
        }
        self.init(displayName: try text("displayName"), network: try text("network"), type: try text("type"))
    }
}
