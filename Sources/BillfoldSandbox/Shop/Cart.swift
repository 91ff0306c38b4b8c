import BillfoldMoney

/// What lies in a visitor's cart. Travels in a cookie, so that the shop keeps no visitors.
struct Cart: Sendable, Hashable {
    private(set) var lines: [CartLine] = []

    static let cookie = "cart"
    static let maximumQuantity = 20

    init() {}

    /// Reads `longjing.2_celadon-cup.1`, leaving out what is not sold.
    init(text: String, catalogue: Catalogue) {
        for part in text.split(separator: "_").prefix(20) {
            let pieces = part.split(separator: ".")
            guard pieces.count == 2, let quantity = Int(pieces[1]), catalogue.product(String(pieces[0])) != nil else { continue }
            set(String(pieces[0]), to: quantity)
        }
    }

    /// Reads the cart of a request's `Cookie` headers.
    init(cookies: [String], catalogue: Catalogue) {
        let pairs = cookies.flatMap { (header: String) in header.split(separator: ";").map { $0.drop { $0 == " " } } }
        let mine = pairs.first { $0.hasPrefix(Cart.cookie + "=") }
        self.init(text: mine.map { String($0.dropFirst(Cart.cookie.count + 1)) } ?? "", catalogue: catalogue)
    }

    var text: String { lines.map { "\($0.product).\($0.quantity)" }.joined(separator: "_") }
    var count: Int { lines.reduce(0) { $0 + $1.quantity } }

    func quantity(of product: String) -> Int { lines.first { $0.product == product }?.quantity ?? 0 }

    mutating func set(_ product: String, to quantity: Int) {
        let bounded = min(max(quantity, 0), Cart.maximumQuantity)
        lines.removeAll { $0.product == product && bounded == 0 }
        if let index = lines.firstIndex(where: { $0.product == product }) {
            lines[index].quantity = bounded
        } else if bounded > 0 {
            lines.append(CartLine(product: product, quantity: bounded))
        }
    }
}
