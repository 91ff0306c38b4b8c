import BillfoldMoney
import Foundation

/// What a merchant's shop ordered to be sold: lines, ways of delivery and coupons. Frozen with the order.
struct OrderDefinition: Sendable, Hashable, Codable {
    enum Goods: String, Sendable, Hashable, Codable {
        case delivered
        case electronic
    }

    struct Line: Sendable, Hashable, Codable {
        var label: String
        /// Major units with the currency's exact minor digits; a discount line is negative.
        var unitAmount: String
        var quantity: Int64
        /// Of the net amount: `0.13`.
        var taxRate: String
    }

    struct ShippingMethod: Sendable, Hashable, Codable {
        var identifier: String
        var label: String
        var detail: String
        var amount: String
    }

    struct Coupon: Sendable, Hashable, Codable {
        var code: String
        var label: String
        var percentOff: String
        var expiresAt: Date?
    }

    var goods: Goods
    var currency: Currency
    var country: String
    var merchantName: String
    var lines: [Line]
    var shippingMethods: [ShippingMethod]
    var coupons: [Coupon]
    var serviceableCountries: [String]
}
