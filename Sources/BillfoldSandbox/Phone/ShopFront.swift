package import ApplePayApp
import BillfoldDiagnosis

/// What a customer wants to buy: product identifiers and quantities.
package struct CartLine: Sendable, Hashable, Codable {
    package var product: String
    package var quantity: Int

    package init(product: String, quantity: Int) {
        self.product = product
        self.quantity = quantity
    }

    private enum CodingKeys: String, CodingKey, CaseIterable { case product, quantity }

    package init(from decoder: any Decoder) throws {
        try decoder.refuseKeys(besides: CodingKeys.allCases.map(\.stringValue), of: "a line of the cart")
        let container = try decoder.container(keyedBy: CodingKeys.self)
        product = try container.decode(String.self, forKey: .product)
        quantity = try container.decode(Int.self, forKey: .quantity)
    }
}

/// The shop, as its app on the phone knows it.
package protocol ShopFront: Sendable {
    /// Creates an order at the merchant's server. `reference` is the phone's own name for this checkout and makes the
    /// request repeatable.
    func createOrder(_ lines: [CartLine], reference: String) async throws -> OrderAccess
}

/// Why a simulated party could not do what it was asked.
package struct SandboxRefusal: CodedError {
    /// A stable code.
    package var code: String
    package var reason: String
    /// The HTTP status to answer with.
    package var status: Int
    /// What a phone's screen offers instead; nil where the refusal is of another kind.
    package var offers: [TapOffer]?
    /// Whether it answers a question, such as whose a card is: a story then has no problem here.
    package var isAnswer = false

    package init(code: String, reason: String, status: Int = 422) {
        self.code = code
        self.reason = reason
        self.status = status
    }
}
