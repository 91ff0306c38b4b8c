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

    /// All journeys, the ones that are not here yet included, in the order they are shown.
    public static let all = [acceptApplePay, provisionCard, expressOrder, paymentSheet, miniProgram]

    static let provisionCard = Journey(
        slug: "provision-card", title: "Provision a card into a phone wallet",
        summary: "An issuing bank's app puts a card into the phone's wallet, with the network's and the wallet's checks between.",
        usedBy: "issuing bank", isHere: false)
    static let expressOrder = Journey(
        slug: "express-order", title: "Pay an express order",
        summary: "A merchant's app hands a signed order to the wallet's app and learns the result twice: at once, and from the server.",
        usedBy: "merchant and wallet", isHere: false)
    static let paymentSheet = Journey(
        slug: "payment-sheet", title: "Pay through a sheet of many wallets",
        summary: "An acquirer offers the wallets of several countries in one sheet, each in its own currency.",
        usedBy: "acquirer", isHere: false)
    static let miniProgram = Journey(
        slug: "mini-program", title: "Run a mini program in a super app",
        summary: "A super app runs somebody else's program, lends it an identity and a cashier, and keeps it in its place.",
        usedBy: "super app and mini-program author", isHere: false)
}
