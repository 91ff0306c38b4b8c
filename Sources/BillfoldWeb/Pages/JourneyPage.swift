/// `/journeys/{slug}`: what happens, who takes part, and where to try it.
package struct JourneyPage: Sendable {
    private let frame: PageFrame
    private let journey: Journey
    private let diagram: SequenceDiagram
    private let startAddress: String?
    private let stories: [StorySummary]
    private let faultPlan: FaultPlanForm?

    /// - Parameters:
    ///   - startAddress: Where the journey is tried, in a sandbox.
    ///   - stories: Newest first.
    ///   - faultPlan: What a party of its sandbox does wrong with the next order, where there is one to tell.
    package init(
        _ journey: Journey, frame: PageFrame = PageFrame(), startAddress: String? = nil, stories: [StorySummary] = [],
        faultPlan: FaultPlanForm? = nil
    ) {
        self.journey = journey
        self.frame = frame
        diagram = SequenceDiagram(exampleOf: journey)
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
