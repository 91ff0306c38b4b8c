/// `/`: what Billfold is, the journeys, and what happened last.
package struct HomePage: Sendable {
    package var frame: PageFrame
    /// Newest first.
    package var stories: [StorySummary]
    /// Where journeys begin, where a sandbox runs: those with an invitation are shown.
    package var starts: [JourneyStart]

    package init(frame: PageFrame = PageFrame(), stories: [StorySummary] = [], starts: [JourneyStart] = []) {
        self.frame = frame
        self.stories = stories
        self.starts = starts
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
        let shown = starts.compactMap { start in
            start.invitation.flatMap { label in WebLink.checked(start.address).map { (label: label, address: $0) } }
        }
        model["starts"] = shown.enumerated().map { index, start in
            ["label": start.label, "address": start.address, "isFirst": index == 0] as [String: Any]
        }
        model["hasStarts"] = !shown.isEmpty
        return try frame.render("console/home", title: "Journeys", path: "/", model)
    }
}

/// Where a person begins a journey in the sandbox.
package struct JourneyStart: Sendable, Equatable {
    /// The journey's slug.
    package var journey: String
    /// For example `http://127.0.0.1:8082/shop/`.
    package var address: String
    /// What the first page's link says; `nil` where the journey's own page alone links to it.
    package var invitation: String?

    package init(journey: String, address: String, invitation: String? = nil) {
        self.journey = journey
        self.address = address
        self.invitation = invitation
    }
}

/// A link that came from configuration: only http and https may be followed.
enum WebLink {
    static func checked(_ address: String) -> String? {
        address.hasPrefix("http://") || address.hasPrefix("https://") || (address.hasPrefix("/") && !address.hasPrefix("//"))
            ? address : nil
    }
}
