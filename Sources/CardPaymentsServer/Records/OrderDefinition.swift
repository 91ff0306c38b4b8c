import BillfoldMoney
import Foundation

/// What a merchant's shop ordered to be sold: lines, ways of delivery and coupons. Frozen with the order.
struct OrderDefinition: Sendable, Hashable, Codable {
    enum Goods: String, Sendable, Hashable, Codable {
        case delivered
        case electronic
    }

    /// What a sheet can ask a customer for (apple-pay.md#contact-fields).
    enum ContactField: String, Sendable, Hashable, Codable, CaseIterable {
        case postalAddress
        case name
        case phoneticName
        case phoneNumber
        case emailAddress

        /// A field by PassKit's name, or by the one that Apple's JavaScript has for it (apple-pay.md#web-forms).
        init?(anyones name: String) {
            switch name {
            case "phone": self = .phoneNumber
            case "email": self = .emailAddress
            default: self.init(rawValue: name)
            }
        }
    }

    /// What the sheet asks for: delivered goods need an address to go to, electronic ones an e-mail only (apple-pay.md#contact-fields), and
    /// the shop may ask for more.
    var fieldsOfSheet: [ContactField] {
        let needed: [ContactField] = goods == .delivered ? [.postalAddress, .name, .phoneNumber, .emailAddress] : [.emailAddress]
        return needed + (contactFields ?? []).filter { !needed.contains($0) }
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
    /// What the sheet asks for beside what the goods need.
    var contactFields: [ContactField]?
    /// The shop's own notes. Told to the shop and never to its customers.
    var metadata: [String: String]?
}
