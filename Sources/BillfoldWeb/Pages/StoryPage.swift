package import BillfoldTrace

/// `/stories/{id}`, and the page of a case: the messages of one case as a sequence diagram, below what they are about.
package struct StoryPage: Sendable {
    package var frame: PageFrame
    package var id: String
    /// What people know the story by; its subject's name where there is one.
    package var name: String
    private let diagram: SequenceDiagram
    private let count: String
    private let problems: String?
    /// Where new entries are announced as server-sent events named `entry`. The page then fetches itself and takes over what is new.
    package var eventsPath: String?
    package var subject: StorySubject?
    package var faultPlans: [FaultPlanForm]
    /// The set that the subject's template belongs to.
    package var pages: PageSet

    /// - Parameter messages: In the order they happened.
    package init(
        journeys: Journeys, frame: PageFrame = PageFrame(), id: String, name: String, messages: [TraceEntry], eventsPath: String? = nil,
        subject: StorySubject? = nil, faultPlans: [FaultPlanForm] = [], pages: PageSet = .common
    ) {
        self.frame = frame
        self.id = id
        self.name = name
        diagram = SequenceDiagram(messages, on: journeys)
        count = messages.count == 1 ? "1 message" : "\(messages.count) messages"
        problems = StorySummary.problems(messages.count { $0.problem != nil })
        self.eventsPath = eventsPath
        self.subject = subject
        self.faultPlans = faultPlans
        self.pages = pages
    }

    package func html() throws(WebError) -> String {
        let scripts = ["console/story.js"] + (faultPlans.isEmpty ? [] : ["console/fault-plan.js"]) + (subject?.scripts ?? [])
        return try frame.render(
            "console/story", of: pages, title: name, styles: ["console/story.css"] + (subject?.styles ?? []), scripts: scripts, self)
    }
}
