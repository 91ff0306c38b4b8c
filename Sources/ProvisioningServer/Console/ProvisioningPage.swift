package import BillfoldWeb

/// `/provisioning`: the programme's switch, what waits for the fraud team, the cards, the allow list and the last decisions.
package struct ProvisioningPage: Sendable {
    package var frame: PageFrame
    package var overview: ProvisioningOverview
    /// Whether the reader may switch, list and act.
    package var offersActions: Bool
    /// Whether the reader may ask for a review's end, which somebody else approves.
    package var offersReviews: Bool

    package init(
        frame: PageFrame = PageFrame(), overview: ProvisioningOverview, offersActions: Bool = false, offersReviews: Bool = false
    ) {
        self.frame = frame
        self.overview = overview
        self.offersActions = offersActions
        self.offersReviews = offersReviews
    }

    package func html() throws(WebError) -> String {
        let waiting = overview.reviews.filter { $0.state == "waiting" }
        let concluded = overview.reviews.filter { $0.state != "waiting" }
        return try frame.render(
            "console/provisioning", of: .provisioning, title: "Cards in wallets", path: "/provisioning",
            styles: ["console/provisioning.css"],
            scripts: ["console/operators.js", "console/act.js"],
            [
                "stops": overview.stops.map { $0.model(isOffered: offersActions) }, "hasStops": !overview.stops.isEmpty,
                "programmes": overview.programmes.map { $0.model(isOffered: offersActions) },
                "reviews": waiting.map { $0.model(isOffered: offersReviews) }, "hasReviews": !waiting.isEmpty,
                "concluded": concluded.map { $0.model(isOffered: false) }, "hasConcluded": !concluded.isEmpty,
                "cards": overview.cards.map(\.model), "hasCards": !overview.cards.isEmpty,
                "allowList": overview.allowList.map { $0.model(isOffered: offersActions) }, "hasAllowList": !overview.allowList.isEmpty,
                "lostDevices": overview.lostDevices.map { $0.model(isOffered: offersActions) },
                "hasLostDevices": !overview.lostDevices.isEmpty,
                "decisions": overview.decisions.map(\.model), "hasDecisions": !overview.decisions.isEmpty,
                "mayList": offersActions && !overview.cards.isEmpty,
            ])
    }
}

/// `/provisioning/cards/{id}`: one card with its tokens, its decisions and what its customer was told.
package struct ProvisioningCardPage: Sendable {
    package var frame: PageFrame
    package var view: ProvisioningCardView
    /// Whether the reader may switch, list and act.
    package var offersActions: Bool
    /// Whether the reader may ask for a review's end, which somebody else approves.
    package var offersReviews: Bool

    package init(frame: PageFrame = PageFrame(), view: ProvisioningCardView, offersActions: Bool = false, offersReviews: Bool = false) {
        self.frame = frame
        self.view = view
        self.offersActions = offersActions
        self.offersReviews = offersReviews
    }

    package func html() throws(WebError) -> String {
        let waiting = view.reviews.filter { $0.state == "waiting" }
        let path = "/api/provisioning/cards/\(PathSegment.encoded(view.card.id))"
        return try frame.render(
            "console/provisioning-card", of: .provisioning, title: view.card.displayName, path: "/provisioning",
            styles: ["console/provisioning.css"],
            scripts: ["console/operators.js", "console/act.js"],
            [
                "card": view.card.model, "cardSwitch": view.cardSwitch.model(path: path + "/switch", isOffered: offersActions),
                "stops": view.stops.map { $0.model(isOffered: offersActions) }, "hasStops": !view.stops.isEmpty,
                "reviews": waiting.map { $0.model(isOffered: offersReviews) }, "hasReviews": !waiting.isEmpty,
                "tokens": view.tokens.map { $0.model(isOffered: offersActions) }, "hasTokens": !view.tokens.isEmpty,
                "allowList": view.allowList.map { $0.model(isOffered: offersActions) }, "hasAllowList": !view.allowList.isEmpty,
                "decisions": view.decisions.map(\.model), "hasDecisions": !view.decisions.isEmpty,
                "messages": view.messages.map(\.model), "hasMessages": !view.messages.isEmpty,
                "offersActions": offersActions, "mayList": offersActions, "replacementPath": path + "/replacement",
            ])
    }
}
