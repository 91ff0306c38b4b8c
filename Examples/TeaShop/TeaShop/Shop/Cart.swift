import Foundation

/// What the shop sells, by the names that its server knows. Prices are the server's.
enum Product: String, CaseIterable, Sendable {
    case longjing
    case celadonCup = "celadon-cup"
    case fieldGuide = "field-guide"

    var name: String {
        switch self {
        case .longjing: "Longjing, spring picking"
        case .celadonCup: "Celadon cup"
        case .fieldGuide: "A field guide to tea"
        }
    }
}

/// What the customer has chosen.
struct Cart: Sendable {
    private(set) var quantities: [Product: Int] = [:]
    /// Names the order that this cart becomes. The server makes one order for one name, however often it is asked.
    private(set) var reference = UUID().uuidString

    var isEmpty: Bool { quantities.isEmpty }
    var lines: [(product: Product, quantity: Int)] {
        Product.allCases.compactMap { product in quantities[product].map { (product, $0) } }
    }

    /// Another cart is another order.
    mutating func add(_ product: Product) {
        quantities[product, default: 0] += 1
        reference = UUID().uuidString
    }
}
