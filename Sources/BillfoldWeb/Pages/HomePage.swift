/// `/`: what Billfold is, the journeys, and what happened last.
package struct HomePage: Sendable {
    package var frame: PageFrame
    /// Newest first.
    package var stories: [StorySummary]
    /// The sandbox's shop, for example `http://127.0.0.1:8082/shop/`, where a sandbox runs.
    package var shopAddress: String?
    /// The sandbox's bank, for example `http://127.0.0.1:8082/bank/`.
    package var bankAddress: String?
    /// The sandbox's shop that takes express orders, for example `http://127.0.0.1:8082/alipay-shop/`.
    package var expressAddress: String?

    package init(
        frame: PageFrame = PageFrame(), stories: [StorySummary] = [], shopAddress: String? = nil, bankAddress: String? = nil,
        expressAddress: String? = nil
    ) {
        self.frame = frame
        self.stories = stories
        self.shopAddress = shopAddress
        self.bankAddress = bankAddress
        self.expressAddress = expressAddress
    }

    package func html() throws(WebError) -> String {
        var model: [String: Any] = [
            "journeys": Journey.all.enumerated().map { index, journey in
                [
                    "ordinal": index + 1, "title": journey.title, "summary": journey.summary, "usedBy": journey.usedBy,
                    "isHere": journey.isHere,
                    "path": "/journeys/\(journey.slug)",
                ] as [String: Any]
            },
            "stories": stories.prefix(8).map(\.model), "hasStories": !stories.isEmpty,
        ]
        model["shopAddress"] = shopAddress.flatMap(WebLink.checked)
        model["bankAddress"] = bankAddress.flatMap(WebLink.checked)
        model["expressAddress"] = expressAddress.flatMap(WebLink.checked)
        return try frame.render("console/home", title: "Journeys", path: "/", model)
    }
}

/// A link that came from configuration: only http and https may be followed.
enum WebLink {
    static func checked(_ address: String) -> String? {
        address.hasPrefix("http://") || address.hasPrefix("https://") || (address.hasPrefix("/") && !address.hasPrefix("//"))
            ? address : nil
    }
}
