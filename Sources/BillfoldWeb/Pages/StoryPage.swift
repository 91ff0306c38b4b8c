package import BillfoldTrace

/// `/stories/{id}` and `/orders/{id}`: the messages of one case as a sequence diagram, below the order they belong to.
package struct StoryPage: Sendable {
    package var frame: PageFrame
    package var id: String
    /// What people know the story by; the order's reference where there is one.
    package var name: String
    private let diagram: SequenceDiagram
    private let count: String
    private let problems: String?
    /// Where new entries are announced as server-sent events named `entry`. The page then fetches itself and takes over what is new.
    package var eventsPath: String?
    package var order: OrderView?
    package var faultPlan: FaultPlanForm?
    /// Whether the reader may ask for refunds here.
    package var offersRefunds: Bool

    /// - Parameter messages: In the order they happened.
    package init(
        journeys: Journeys, frame: PageFrame = PageFrame(), id: String, name: String, messages: [TraceEntry], eventsPath: String? = nil,
        order: OrderView? = nil, faultPlan: FaultPlanForm? = nil, offersRefunds: Bool = false
    ) {
        self.frame = frame
        self.id = id
        self.name = name
        diagram = SequenceDiagram(messages, on: journeys)
        count = messages.count == 1 ? "1 message" : "\(messages.count) messages"
        problems = StorySummary.problems(messages.count { $0.problem != nil })
        self.eventsPath = eventsPath
        self.order = order
        self.faultPlan = faultPlan
        self.offersRefunds = offersRefunds
    }

    package func html() throws(WebError) -> String {
        let scripts =
            ["console/story.js"] + (faultPlan == nil ? [] : ["console/fault-plan.js"]) + (offersRefunds ? ["console/operators.js"] : [])
        return try frame.render("console/story", title: name, styles: ["console/story.css"], scripts: scripts, self)
    }
}
