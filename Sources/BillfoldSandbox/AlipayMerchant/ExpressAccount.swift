import BillfoldMoney

/// A contract of the tea house with the gateway. The ids are made up.
enum ExpressAccount: String, Sendable, Hashable, Codable, CaseIterable {
    /// Prices and credit in CNY.
    case domestic
    /// Credit in HKD; the payer pays in CNY.
    case crossBorder = "cross-border"

    var partner: String {
        switch self {
        case .domestic: "2088000000000106"
        case .crossBorder: "2088000000000205"
        }
    }

    /// On the open platform. There is none for cross-border orders.
    var appID: String? { self == .domestic ? "2026000000000106" : nil }

    var name: String {
        switch self {
        case .domestic: "Two Leaves Tea House"
        case .crossBorder: "Two Leaves Hong Kong"
        }
    }

    /// What its people confirm batches of refunds with at the gateway. Those are for trades in CNY alone.
    var refundPassword: String? { self == .domestic ? "two-leaves-give-back" : nil }

    var email: String {
        switch self {
        case .domestic: "tea@two-leaves.example"
        case .crossBorder: "hongkong@two-leaves.example"
        }
    }

    /// What the contract settles in.
    var currency: Currency { self == .domestic ? .cny : .hkd }
}

/// Something that the shop's app sells, one piece at a time.
struct ExpressOffer: Sendable, Hashable {
    var id: String
    var name: String
    var summary: String
    var account: ExpressAccount
    /// In the contract's currency; in CNY at a cross-border contract it goes into `rmb_fee`.
    var price: Amount
    /// A picture below `/assets/shop/`.
    var picture: String

    static let all = [
        ExpressOffer(
            id: "longjing", name: "Longjing, spring picking", summary: "A hundred grams of pan-fired green tea.", account: .domestic,
            price: Amount(minorUnits: 12_800, currency: .cny), picture: "tea.svg"),
        ExpressOffer(
            id: "celadon-cup", name: "Celadon cup", summary: "Thrown by hand. Wei’s balance does not reach for it.", account: .domestic,
            price: Amount(minorUnits: 8_800, currency: .cny), picture: "cup.svg"),
        ExpressOffer(
            id: "tea-tasting", name: "Tea tasting in Hong Kong", summary: "Priced in Hong Kong dollars, paid in yuan at the day’s rate.",
            account: .crossBorder, price: Amount(minorUnits: 32_000, currency: .hkd), picture: "cards.svg"),
        ExpressOffer(
            id: "harbour-tray", name: "Harbour tea tray", summary: "Sold from Hong Kong at a fixed price in yuan.", account: .crossBorder,
            price: Amount(minorUnits: 26_000, currency: .cny), picture: "tray.svg"),
    ]

    static func find(_ id: String) -> ExpressOffer? { all.first { $0.id == id } }
}
