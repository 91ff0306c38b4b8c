/// `/journeys/{slug}`: what happens, who takes part, and where to try it.
package struct JourneyPage: Sendable {
    private let frame: PageFrame
    private let journey: Journey
    private let diagram: SequenceDiagram
    private let startAddress: String?
    private let stories: [StorySummary]
    private let faultPlans: [FaultPlanForm]

    /// - Parameters:
    ///   - startAddress: Where the journey is tried, in a sandbox.
    ///   - stories: Newest first.
    ///   - faultPlans: What parties of its sandbox do wrong with the next order, where there are some to tell.
    package init(
        _ journey: Journey, frame: PageFrame = PageFrame(), startAddress: String? = nil, stories: [StorySummary] = [],
        faultPlans: [FaultPlanForm] = []
    ) {
        self.journey = journey
        self.frame = frame
        diagram = SequenceDiagram(exampleOf: journey)
        self.startAddress = startAddress.flatMap(WebLink.checked)
        self.stories = Array(stories.prefix(8))
        self.faultPlans = faultPlans
    }

    package func html() throws(WebError) -> String {
        try frame.render(
            "console/journey", title: journey.title, path: "/", styles: ["console/story.css"],
            scripts: ["console/story.js"] + (faultPlans.isEmpty ? [] : ["console/fault-plan.js"]), self)
    }
}
