/// The stories that the console has, as `GET /api/stories` tells them.
struct TourStories: Sendable, Decodable {
    struct Summary: Sendable, Decodable {
        var id: String
        var entries: Int
        var problems: Int
    }
    var stories: [Summary]
}

/// One story, as `GET /api/stories/{id}` tells it.
struct TourStory: Sendable, Decodable {
    struct Entry: Sendable, Decodable {
        var from: String
        var to: String
        var kind: String
        var title: String
    }
    var id: String
    /// Namespace to the business ids of the story.
    var correlation: [String: [String]]
    var entries: [Entry]

    private static let checkout: Set = [
        "checkout", "create order", "read order", "quote", "authorize", "token", "pay", "token accepted", "consume",
    ]
    private static let notification: Set = ["consume notification", "acknowledgement"]
    private static let query: Set = ["query"]
    private static let refund: Set = ["refund", "refund notification", "acknowledgement"]
    /// What belongs to no order, or to none yet.
    private static let other: Set = ["reconcile", "fileTransfer"]
    /// What an order has that is paid by UnionPay's own client, instead of sheet and token.
    private static let client: Set = [
        "checkout", "create order", "transaction number", "push", "client page", "pay in client", "app result", "result from the app",
    ]
    private static let titles = checkout.union(notification).union(query).union(refund).union(client).union(other)
    private static let parties: Set = ["phone", "shop", "wallet", "merchant", "unionpay"]
    private static let namespaces: Set = [
        "order", "payment", "refund", "shop.reference", "apple-pay.transaction", "unionpay.order", "unionpay.query", "settlement-day",
        "order.reference.\(MerchantInstallation.sandboxMerchant)",
    ]

    /// A title, party or kind of business id that no message of the tour has; nil where there is none.
    var stranger: String? {
        entries.map(\.title).first { !Self.titles.contains($0) } ?? entries.flatMap { [$0.from, $0.to] }.first {
            !Self.parties.contains($0)
        }
            ?? correlation.keys.first { !Self.namespaces.contains($0) }
    }

    /// Whether every message of an order that is paid by UnionPay's own client is there.
    var isOfClient: Bool { Self.client.union(Self.notification).isSubset(of: entries.map(\.title)) }

    /// Whether every message of an order's story is there, as often as it may be.
    func has(isNotified: Bool, isRefunded: Bool) -> Bool {
        let due = Self.checkout.union(isNotified ? Self.notification : Self.query).union(isRefunded ? Self.refund : [])
        return due.isSubset(of: entries.map(\.title))
    }
}
