/// `/journeys/{slug}`: what happens, who takes part, and where to try it.
package struct JourneyPage: Sendable {
    package var frame: PageFrame
    package var journey: Journey
    /// Where the journey is tried, in a sandbox.
    package var startAddress: String?
    /// Newest first.
    package var stories: [StorySummary]
    /// What the gateway does wrong with the next order, where there is a sandbox to tell.
    package var faultPlan: FaultPlanForm?

    /// - Returns: `nil` for a slug that no journey has, and for a journey that is not here yet.
    package init?(
        slug: String, frame: PageFrame = PageFrame(), startAddress: String? = nil, stories: [StorySummary] = [],
        faultPlan: FaultPlanForm? = nil
    ) {
        guard let journey = Journey.all.first(where: { $0.slug == slug && $0.isHere }) else { return nil }
        self.frame = frame
        self.journey = journey
        self.startAddress = startAddress
        self.stories = stories
        self.faultPlan = faultPlan
    }

    package func html() throws(WebError) -> String {
        var diagram = SequenceDiagram(journey.example, standard: journey.roles.map(\.party))
        diagram.showsTime = false
        var model = diagram.model
        model["heading"] = journey.title
        model["summary"] = journey.summary
        model["roles"] = journey.roles.map {
            ["name": $0.name, "duty": $0.duty, "operatedBy": $0.operatedBy == "ours" ? "this software" : "the sandbox"]
        }
        model["steps"] = journey.steps.map { ["title": $0.title, "text": $0.text] }
        model["stories"] = stories.prefix(8).map(\.model)
        model["hasStories"] = !stories.isEmpty
        model["startAddress"] = startAddress.flatMap(WebLink.checked)
        model["example"] = journey.words.example
        model["start"] = journey.words.start
        model["latest"] = journey.words.latest
        model["none"] = journey.words.none
        model["first"] = journey.words.first
        model["faultPlan"] = faultPlan?.model
        return try frame.render(
            "console/journey", title: journey.title, path: "/", styles: ["console/story.css"],
            scripts: ["console/story.js"] + (faultPlan == nil ? [] : ["console/fault-plan.js"]), model)
    }
}
