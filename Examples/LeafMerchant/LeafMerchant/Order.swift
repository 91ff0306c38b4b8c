/// How something is paid.
enum Way: String, Codable, Sendable {
    /// By an order string that the shop's server signs and the Alipay app pays.
    case express
    /// By Alipay+'s payment sheet, in which the customer chooses a wallet.
    case sheet
}

/// Something that the shop sells.
struct Offer: Sendable {
    let id: String
    let name: String
    /// For reading.
    let price: String
    /// Three letters of ISO 4217.
    let currency: String
    let way: Way

    static let all = [
        Offer(id: "longjing", name: "Longjing, spring picking", price: "128.00 CNY", currency: "CNY", way: .express),
        Offer(id: "celadon-cup", name: "Celadon cup", price: "88.00 CNY", currency: "CNY", way: .express),
        Offer(id: "kaya-box", name: "Kaya gift box", price: "38.80 SGD", currency: "SGD", way: .sheet),
        Offer(id: "night-tea", name: "Night tea", price: "168.00 HKD", currency: "HKD", way: .sheet),
    ]
}

/// An order of the shop's, as the app keeps it until it knows how it ended.
struct Order: Codable, Hashable, Sendable {
    /// The shop's own number.
    let number: String
    let name: String
    let price: String
    let way: Way
}
