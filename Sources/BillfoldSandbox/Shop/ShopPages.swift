import BillfoldMoney
import BillfoldWeb

/// The shop's pages: catalogue, product and cart. The phone beside the cart draws itself.
struct ShopPages: Sendable {
    let catalogue: Catalogue
    /// The console's origin, for the head's link to it; nil without one.
    let console: String?
    /// Whether UnionPay's own client is there to pay in.
    let hasClient: Bool

    private func frame(_ cart: Cart) -> PageFrame {
        PageFrame(
            links: [
                .init("Shop", path: "/shop/"), .init(cart.count == 0 ? "Cart" : "Cart (\(cart.count))", path: "/shop/cart"),
            ] + (console.map { [.init("Console", path: $0 + "/")] } ?? []))
    }

    func catalogue(_ cart: Cart) throws -> String {
        try frame(cart).render(
            "shop/catalogue", of: .sandbox, title: catalogue.merchantName, path: "/shop/", styles: ["shop/shop.css"],
            CataloguePage(
                merchantName: catalogue.merchantName,
                groups: [
                    .init(title: "To your door", products: catalogue.products.filter { $0.goods == .delivered }),
                    .init(title: "To your inbox", products: catalogue.products.filter { $0.goods == .electronic }),
                ]))
    }

    private struct CataloguePage: Sendable {
        struct Group: Sendable {
            let title: String
            let products: [Product]
        }

        let merchantName: String
        let groups: [Group]
    }

    func product(_ product: Product, _ cart: Cart) throws -> String {
        let quantity = cart.quantity(of: product.id)
        return try frame(cart).render(
            "shop/product", of: .sandbox, title: product.name, styles: ["shop/shop.css"],
            ProductPage(
                product: product, tax: percent(product.taxRate), isElectronic: product.goods == .electronic,
                inCart: quantity > 0 ? quantity : nil))
    }

    private struct ProductPage: Sendable {
        let product: Product
        let tax: String
        let isElectronic: Bool
        let inCart: Int?
    }

    func cart(_ cart: Cart, notice: String? = nil) throws -> String {
        let lines = cart.lines.compactMap { line -> CartPage.Line? in
            guard let product = catalogue.product(line.product), let sum = try? product.price * Int64(line.quantity) else { return nil }
            return .init(product: product, quantity: line.quantity, sum: sum)
        }
        let currencies = Set(cart.lines.compactMap { catalogue.product($0.product)?.price.currency })
        return try frame(cart).render(
            "shop/cart", of: .sandbox, title: "Cart", path: "/shop/cart", styles: ["shop/shop.css", "phone/phone.css"],
            scripts: ["phone/phone.js", "phone/wallet.js"],
            CartPage(
                lines: lines, coupons: catalogue.coupons.map { .init(code: $0.code, label: $0.expiresAt == nil ? $0.label : "expired") },
                canPay: currencies.count == 1, canPayByClient: hasClient && currencies == [.cny], isMixed: currencies.count > 1,
                cart: cart.text, notice: notice))
    }

    private struct CartPage: Sendable {
        struct Line: Sendable {
            let product: Product
            let quantity: Int
            let sum: Amount
        }

        struct Coupon: Sendable {
            let code: String
            let label: String
        }

        let lines: [Line]
        let maximum = Cart.maximumQuantity
        let coupons: [Coupon]
        let canPay: Bool
        /// Whether UnionPay's own client takes it: it takes yuan alone.
        let canPayByClient: Bool
        let isMixed: Bool
        let cart: String
        let models = PhoneModel.allCases.map { PageChoice(value: $0.rawValue, title: $0.title, isChosen: $0 == .ready) }
        let notice: String?
    }

    /// An order that is paid by UnionPay's own client, as the merchant's server knows it.
    ///
    /// - Parameter address: Where the client is; nil once there is nothing to pay there.
    func clientOrder(_ order: Shop.Standing, _ cart: Cart, address: String?, notice: String?) throws -> String {
        try frame(cart).render(
            "shop/client-order", of: .sandbox, title: order.isPaid ? "Paid" : "Pay with UnionPay", styles: ["shop/shop.css"],
            ClientOrderPage(
                order: order.id, total: "\(order.total) \(order.currency)", isPaid: order.isPaid, address: address,
                notice: order.isPaid ? nil : notice, story: console.map { "\($0)/orders/\(order.id)" }))
    }

    private struct ClientOrderPage: Sendable {
        let order: String
        let total: String
        let isPaid: Bool
        let address: String?
        let notice: String?
        let story: String?
    }

    private func percent(_ rate: String) -> String {
        guard rate.hasPrefix("0."), let hundredths = Int(rate.dropFirst(2)) else { return rate }
        return "\(hundredths) %"
    }
}
