package import BillfoldMoney

/// One thing the shop sells.
package struct Product: Sendable, Hashable, Identifiable {
    package enum Goods: String, Sendable, Hashable, Codable { case delivered, electronic }

    package var id: String
    package var name: String
    package var summary: String
    package var goods: Goods
    /// Without tax.
    package var price: Amount
    /// A decimal fraction, such as `0.13`.
    package var taxRate: String
    /// A picture below `/assets/shop/`.
    package var picture: String
}

/// What the shop sells, and on which terms.
package struct Catalogue: Sendable {
    package struct ShippingMethod: Sendable, Hashable {
        package var identifier: String
        package var label: String
        package var detail: String
        package var amount: Amount
    }

    package struct Coupon: Sendable, Hashable {
        package var code: String
        package var label: String
        package var percentOff: String
        /// ISO 8601; nil for one without an end.
        package var expiresAt: String?
    }

    package var merchantName: String
    package var country: String
    package var serviceableCountries: [String]
    package var products: [Product]
    package var coupons: [Coupon]
    package var shippingMethods: [Currency: [ShippingMethod]]

    package func product(_ id: String) -> Product? { products.first { $0.id == id } }

    /// A tea house: goods to deliver and to download in yuan, and one in dollars, for which the issuer wants its PIN.
    package static let teaHouse = Catalogue(
        merchantName: "Two Leaves Tea House", country: "CN", serviceableCountries: ["CN"],
        products: [
            Product(
                id: "longjing", name: "Longjing, spring picking", summary: "A hundred grams of pan-fired green tea.",
                goods: .delivered, price: cny(12_800), taxRate: "0.13", picture: "tea.svg"),
            Product(
                id: "celadon-cup", name: "Celadon cup", summary: "Thrown by hand, holds a hundred and twenty millilitres.",
                goods: .delivered, price: cny(8_800), taxRate: "0.13", picture: "cup.svg"),
            Product(
                id: "walnut-tray", name: "Walnut tea tray",
                summary: "Costs more than the issuer’s limit: the phone will ask for the card’s PIN.", goods: .delivered,
                price: cny(126_000), taxRate: "0.13", picture: "tray.svg"),
            Product(
                id: "field-guide", name: "A field guide to tea", summary: "An e-book. Only an e-mail address is asked for.",
                goods: .electronic, price: cny(3_600), taxRate: "0.09", picture: "book.svg"),
            Product(
                id: "rain-on-slate", name: "Rain on slate", summary: "Forty minutes of recordings, to download.",
                goods: .electronic, price: cny(4_800), taxRate: "0.06", picture: "record.svg"),
            Product(
                id: "letterpress-cards", name: "Letterpress cards",
                summary: "Priced in dollars: a foreign currency makes the issuer ask for the PIN.", goods: .delivered,
                price: Amount(minorUnits: 1_800, currency: .usd), taxRate: "0.13", picture: "cards.svg"),
        ],
        coupons: [
            Coupon(code: "TEA10", label: "Ten per cent off", percentOff: "10", expiresAt: nil),
            Coupon(code: "SPRING", label: "Spring sale", percentOff: "15", expiresAt: "2020-05-01T00:00:00Z"),
        ],
        shippingMethods: [
            .cny: [
                ShippingMethod(identifier: "standard", label: "Standard", detail: "Three to five days", amount: cny(1_200)),
                ShippingMethod(identifier: "express", label: "Express", detail: "The next day", amount: cny(2_800)),
            ],
            .usd: [
                ShippingMethod(
                    identifier: "standard", label: "Standard", detail: "Ten days", amount: Amount(minorUnits: 400, currency: .usd))
            ],
        ])

    private static func cny(_ minorUnits: Int64) -> Amount { Amount(minorUnits: minorUnits, currency: .cny) }
}
