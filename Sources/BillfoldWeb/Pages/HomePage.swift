/// `/`: what Billfold is, the journeys, and what happened last.
package struct HomePage: Sendable {
    private let frame: PageFrame
    private let journeys: [Journey]
    private let firstJourney: String?
    private let stories: [StorySummary]
    private let starts: [JourneyStart]

    /// - Parameters:
    ///   - stories: Newest first.
    ///   - starts: Where journeys begin, where a sandbox runs: those with an invitation are shown.
    package init(journeys: Journeys, frame: PageFrame = PageFrame(), stories: [StorySummary] = [], starts: [JourneyStart] = []) {
        self.journeys = journeys.all
        firstJourney = journeys.all.first?.slug
        self.frame = frame
        self.stories = Array(stories.prefix(8))
        self.starts = starts.filter { $0.invitation != nil && WebLink.checked($0.address) != nil }
    }

    package func html() throws(WebError) -> String {
        try frame.render("console/home", title: "Journeys", path: "/", self)
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
