package import BillfoldWeb

/// `/provisioning`: the programme's switch, what waits for the fraud team, the cards, the allow list and the last decisions.
package struct ProvisioningPage: Sendable {
    package let frame: PageFrame
    package let overview: ProvisioningOverview
    /// Whether the reader may switch, list and act.
    package let offersActions: Bool
    /// Whether the reader may ask for a review's end, which somebody else approves.
    package let offersReviews: Bool
    package let mayList: Bool
    /// The list is of every card; the page of one card shows its own part of it by the same template.
    let card: ProvisioningOverview.Card? = nil

    package init(
        frame: PageFrame = PageFrame(), overview: ProvisioningOverview, offersActions: Bool = false, offersReviews: Bool = false
    ) {
        self.frame = frame
        self.overview = overview
        self.offersActions = offersActions
        self.offersReviews = offersReviews
        mayList = offersActions && !overview.cards.isEmpty
    }

    package func html() throws(WebError) -> String {
        try frame.render(
            "console/provisioning", of: .provisioning, title: "Cards in wallets", path: "/provisioning",
            styles: ["console/provisioning.css"], scripts: ["console/operators.js", "console/act.js"], self)
    }
}

/// `/provisioning/cards/{id}`: one card with its tokens, its decisions and what its customer was told.
package struct ProvisioningCardPage: Sendable {
    package let frame: PageFrame
    package let view: ProvisioningCardView
    /// Whether the reader may switch, list and act.
    package let offersActions: Bool
    /// Whether the reader may ask for a review's end, which somebody else approves.
    package let offersReviews: Bool
    package let mayList: Bool

    package init(frame: PageFrame = PageFrame(), view: ProvisioningCardView, offersActions: Bool = false, offersReviews: Bool = false) {
        self.frame = frame
        self.view = view
        self.offersActions = offersActions
        self.offersReviews = offersReviews
        mayList = offersActions
    }

    package func html() throws(WebError) -> String {
        try frame.render(
            "console/provisioning-card", of: .provisioning, title: view.card.displayName, path: "/provisioning",
            styles: ["console/provisioning.css"], scripts: ["console/operators.js", "console/act.js"], self)
    }
}
