public import BillfoldTrace

/// One way that money or trust travels between parties, as the console explains it.
public struct Journey: Sendable, Hashable {
    /// Someone who takes part, and whether we operate it or the sandbox plays it.
    public struct Role: Sendable, Hashable {
        public var party: Party
        public var name: String
        public var duty: String
        /// `ours` or `sandbox`.
        public var operatedBy: String
    }

    public struct Step: Sendable, Hashable {
        public var title: String
        public var text: String
    }

    /// Part of the page's path: `/journeys/{slug}`.
    public var slug: String
    public var title: String
    public var summary: String
    public var usedBy: String
    /// Whether this installation can run it.
    public var isHere: Bool
    public var roles: [Role] = []
    public var steps: [Step] = []
    /// What its page calls what it shows.
    public var words = Words()

    public struct Words: Sendable, Hashable {
        /// Over the diagram of how it goes.
        var example = "One payment, when all goes well"
        /// The button that leads to where it is tried.
        var start = "Open the shop"
        /// Over the stories, and instead of them.
        var latest = "Latest orders"
        var none = "No order yet."
        var first = "Make one in the shop."
    }

    /// The slug of the journey that puts cards into wallets.
    public static let provisioningSlug = "provision-card"
    /// The slug of the journey that pays signed orders by a wallet's app.
    public static let expressOrderSlug = "express-order"

    /// Whether a story with these correlation ids happened on it.
    ///
    /// - `namespaces`: Of the ids, such as `order`.
    public func includes(namespaces: some Sequence<String>) -> Bool {
        let owner =
            namespaces.contains { $0.hasPrefix("provisioning.") }
            ? Self.provisioningSlug
            : namespaces.contains { $0.hasPrefix("alipay.") } ? Self.expressOrderSlug : Self.acceptApplePay.slug
        return slug == owner
    }

    /// All journeys, the ones that are not here yet included, in the order they are shown.
    public static let all = [acceptApplePay, provisionCard, expressOrder, paymentSheet, miniProgram]

    static let paymentSheet = Journey(
        slug: "payment-sheet", title: "Pay through a sheet of many wallets",
        summary: "An acquirer offers the wallets of several countries in one sheet, each in its own currency.",
        usedBy: "acquirer", isHere: false)
    static let miniProgram = Journey(
        slug: "mini-program", title: "Run a mini program in a super app",
        summary: "A super app runs somebody else's program, lends it an identity and a cashier, and keeps it in its place.",
        usedBy: "super app and mini-program author", isHere: false)
}
