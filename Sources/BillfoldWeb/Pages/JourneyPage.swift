/// `/journeys/{slug}`: what happens, who takes part, and where to try it.
package struct JourneyPage: Sendable {
    private let frame: PageFrame
    package let journey: Journey
    private let diagram: SequenceDiagram
    private let startAddress: String?
    private let stories: [StorySummary]
    private let faultPlan: FaultPlanForm?

    /// - `startAddress`: Where the journey is tried, in a sandbox.
    /// - `stories`: Newest first.
    /// - `faultPlan`: What the gateway does wrong with the next order, where there is a sandbox to tell.
    /// - Returns: `nil` for a slug that no journey has, and for a journey that is not here yet.
    package init?(
        slug: String, frame: PageFrame = PageFrame(), startAddress: String? = nil, stories: [StorySummary] = [],
        faultPlan: FaultPlanForm? = nil
    ) {
        guard let journey = Journey.all.first(where: { $0.slug == slug && $0.isHere }) else { return nil }
        self.frame = frame
        self.journey = journey
        diagram = SequenceDiagram(journey.example, standard: journey.roles.map(\.party), showsTime: false)
        self.startAddress = startAddress.flatMap(WebLink.checked)
        self.stories = Array(stories.prefix(8))
        self.faultPlan = faultPlan
    }

    package func html() throws(WebError) -> String {
        try frame.render(
            "console/journey", title: journey.title, path: "/", styles: ["console/story.css"],
            scripts: ["console/story.js"] + (faultPlan == nil ? [] : ["console/fault-plan.js"]), self)
    }
}
