package import BillfoldTrace

/// One way that money or trust travels between parties, as the console explains it.
package struct Journey: Sendable, Hashable {
    /// Someone who takes part, and whether we operate it or the sandbox plays it.
    package struct Role: Sendable, Hashable {
        package var party: Party
        package var name: String
        package var duty: String
        package var isOurs: Bool
    }

    package struct Step: Sendable, Hashable {
        package var title: String
        package var text: String
    }

    /// Part of the page's path: `/journeys/{slug}`.
    package var slug: String
    package var title: String
    package var summary: String
    package var usedBy: String
    /// Whether this installation can run it.
    package var isHere: Bool
    package var roles: [Role] = []
    package var steps: [Step] = []
    /// What its page calls what it shows.
    package var words = Words()

    package struct Words: Sendable, Hashable {
        /// Over the diagram of how it goes.
        var example = "One payment, when all goes well"
        /// The button that leads to where it is tried.
        var start = "Open the shop"
        /// Over the stories, and instead of them.
        var latest = "Latest orders"
        var none = "No order yet."
        var first = "Make one in the shop."
    }

    /// The slug of the journey that takes a phone's wallet and settles by UnionPay.
    package static let acceptApplePaySlug = "apple-pay-unionpay"
    /// The slug of the journey that puts cards into wallets.
    package static let provisioningSlug = "provision-card"
    /// The slug of the journey that pays signed orders by a wallet's app.
    package static let expressOrderSlug = "express-order"

    /// The slug of the journey that pays through the payment sheet.
    package static let paymentSheetSlug = "payment-sheet"
    /// The slug of the journey that runs a mini program.
    package static let miniProgramSlug = "mini-program"

    /// Whether a story with these correlation ids happened on it.
    ///
    /// A story may hold ids of several journeys: a mini program's run makes an express order, and a wallet of the sheet pays as Alipay. It
    /// belongs to the journey that began it.
    ///
    /// - `namespaces`: Of the ids, such as `order`.
    package func includes(namespaces: some Sequence<String>) -> Bool {
        let known = Set(namespaces.map { $0.prefix { $0 != "." } })
        let owner = Self.owners.first { !known.isDisjoint(with: $0.families) }?.slug ?? Self.acceptApplePaySlug
        return slug == owner
    }

    /// The families of ids, the part before the point, and the journey that has them; what stands first goes before.
    private static let owners: [(families: Set<Substring>, slug: String)] = [
        (["provisioning"], provisioningSlug), (["mini-program", "oauth"], miniProgramSlug), (["alipay-plus"], paymentSheetSlug),
        (["alipay"], expressOrderSlug),
    ]

    /// All journeys, the ones that are not here yet included, in the order they are shown.
    package static let all = [acceptApplePay, provisionCard, expressOrder, paymentSheet, miniProgram]
}
