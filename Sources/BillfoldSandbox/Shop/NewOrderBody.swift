import BillfoldMoney

/// The body of `POST /v1/orders`.
struct NewOrderBody: Encodable {
    struct Line: Encodable {
        var label: String
        var unitAmount: String
        var quantity: Int
        var taxRate: String
    }

    struct ShippingMethod: Encodable {
        var identifier: String
        var label: String
        var detail: String
        var amount: String
    }

    struct Coupon: Encodable {
        var code: String
        var label: String
        var percentOff: String
        var expiresAt: String?
    }

    var reference: String
    var goods: String
    var currency: String
    var country: String
    var merchantName: String
    var lines: [Line]
    var shippingMethods: [ShippingMethod]
    var coupons: [Coupon]
    var serviceableCountries: [String]

    /// Goods are "delivered" as soon as one of them is.
    init(_ cart: [CartLine], catalogue: Catalogue, reference: String) throws(SandboxRefusal) {
        guard !cart.isEmpty else { throw SandboxRefusal(code: "cart-empty", reason: "there is nothing in the cart") }
        var products: [Product] = []
        lines = []
        for line in cart {
            guard let product = catalogue.product(line.product) else {
                throw SandboxRefusal(code: "product-unknown", reason: "the shop does not sell that")
            }
            guard (1...Cart.maximumQuantity).contains(line.quantity) else {
                throw SandboxRefusal(code: "quantity-refused", reason: "between 1 and \(Cart.maximumQuantity) of each can be ordered")
            }
            products.append(product)
            lines.append(
                Line(label: product.name, unitAmount: product.price.text, quantity: line.quantity, taxRate: product.taxRate))
        }
        let currencies = Set(products.map(\.price.currency))
        guard currencies.count == 1, let currency = currencies.first else {
            throw SandboxRefusal(code: "currencies-mixed", reason: "goods in different currencies need an order each")
        }
        let isDelivered = products.contains { $0.goods == .delivered }
        self.reference = reference
        goods = (isDelivered ? Product.Goods.delivered : .electronic).rawValue
        self.currency = currency.alphabeticCode
        country = catalogue.country
        merchantName = catalogue.merchantName
        shippingMethods =
            isDelivered
            ? (catalogue.shippingMethods[currency] ?? []).map {
                ShippingMethod(identifier: $0.identifier, label: $0.label, detail: $0.detail, amount: $0.amount.text)
            } : []
        coupons = catalogue.coupons.map {
            Coupon(code: $0.code, label: $0.label, percentOff: $0.percentOff, expiresAt: $0.expiresAt)
        }
        serviceableCountries = catalogue.serviceableCountries
    }
}
