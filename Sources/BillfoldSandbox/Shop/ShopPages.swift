import BillfoldMoney
import BillfoldWeb

/// The shop's pages: catalogue, product and cart. The phone beside the cart draws itself.
struct ShopPages: Sendable {
    let catalogue: Catalogue
    /// The console's origin, for the head's link to it; nil without one.
    let console: String?

    private func frame(_ cart: Cart) -> PageFrame {
        PageFrame(
            links: [
                .init("Shop", path: "/shop/"), .init(cart.count == 0 ? "Cart" : "Cart (\(cart.count))", path: "/shop/cart"),
            ] + (console.map { [.init("Console", path: $0 + "/")] } ?? []))
    }

    func catalogue(_ cart: Cart) throws -> String {
        try frame(cart).render(
            "shop/catalogue", of: .sandbox, title: catalogue.merchantName, path: "/shop/", styles: ["shop/shop.css"],
            [
                "merchantName": catalogue.merchantName,
                "groups": [
                    group("To your door", catalogue.products.filter { $0.goods == .delivered }),
                    group("To your inbox", catalogue.products.filter { $0.goods == .electronic }),
                ],
            ])
    }

    func product(_ product: Product, _ cart: Cart) throws -> String {
        var model = fields(product)
        model["inCart"] = cart.quantity(of: product.id)
        model["isInCart"] = cart.quantity(of: product.id) > 0
        model["tax"] = percent(product.taxRate)
        return try frame(cart).render("shop/product", of: .sandbox, title: product.name, styles: ["shop/shop.css"], model)
    }

    func cart(_ cart: Cart, notice: String? = nil) throws -> String {
        let lines = cart.lines.compactMap { line -> [String: Any]? in
            guard let product = catalogue.product(line.product), let sum = try? product.price * Int64(line.quantity) else { return nil }
            var model = fields(product)
            model["quantity"] = line.quantity
            model["sum"] = sum.description
            model["maximum"] = Cart.maximumQuantity
            return model
        }
        let currencies = Set(cart.lines.compactMap { catalogue.product($0.product)?.price.currency })
        var model: [String: Any] = [
            "lines": lines, "isEmpty": lines.isEmpty, "hasLines": !lines.isEmpty,
            "canPay": currencies.count == 1, "isMixed": currencies.count > 1, "cart": cart.text,
            "models": PhoneModel.allCases.map { ["value": $0.rawValue, "title": $0.title, "isFirst": $0 == .ready] as [String: Any] },
            "coupons": catalogue.coupons.map { ["code": $0.code, "label": $0.expiresAt == nil ? $0.label : "expired"] as [String: Any] },
        ]
        model["notice"] = notice
        return try frame(cart).render(
            "shop/cart", of: .sandbox, title: "Cart", path: "/shop/cart", styles: ["shop/shop.css", "phone/phone.css"],
            scripts: ["phone/phone.js", "phone/wallet.js"], model
        )
    }

    private func group(_ title: String, _ products: [Product]) -> [String: Any] {
        ["title": title, "products": products.map(fields)]
    }

    private func fields(_ product: Product) -> [String: Any] {
        [
            "id": product.id, "name": product.name, "summary": product.summary, "price": product.price.description,
            "picture": "/assets/shop/\(product.picture)", "isElectronic": product.goods == .electronic,
        ]
    }

    private func percent(_ rate: String) -> String {
        guard rate.hasPrefix("0."), let hundredths = Int(rate.dropFirst(2)) else { return rate }
        return "\(hundredths) %"
    }
}
