package import BillfoldDiagnosis
package import BillfoldTrace
package import BillfoldWeb

/// The console's pages: a model in, HTML out.
package protocol ConsolePages: Sendable {
    /// What the pages explain.
    var journeys: Journeys { get }
    /// The first page: the journeys, and the stories that were active last, newest activity first.
    func home(_ stories: [TraceStory], for reader: ConsoleReader) throws -> String
    func stories(_ stories: [TraceStory], for reader: ConsoleReader) throws -> String
    /// One story as a sequence diagram that grows while it is open, below what it is about.
    ///
    /// - Parameter pages: The sets that the subject's template may belong to.
    func story(_ contents: StoryContents, drawnWith pages: PageSet, for reader: ConsoleReader) throws -> String
    /// What one journey is and what happened on it last, or `nil` where there is none of that name.
    ///
    /// - Parameter faultPlans: What the sandbox does wrong with the next order.
    func journey(_ name: String, stories: [TraceStory], faultPlans: [FaultPlanForm], for reader: ConsoleReader) throws -> String?
    /// The form that signs an operator in.
    ///
    /// - Parameter next: The path to go on to.
    func signIn(next: String) throws -> String
    /// The actions that take a second person, or one where the policy says so.
    func approvals(_ requests: [ApprovalRequest], policy: ApprovalPolicy, for reader: ConsoleReader) throws -> String
    /// What waits for a person.
    ///
    /// - Parameter pages: The sets that the sections' templates belong to.
    func alarms(_ sections: [AlarmSection], drawnWith pages: PageSet, for reader: ConsoleReader) throws -> String
    /// One audit chain, and its owner's others.
    func audit(_ contents: AuditContents, for reader: ConsoleReader) throws -> String
    /// The form that takes artifacts, and what was found in those that came.
    func doctor(_ diagnosis: Diagnosis?, for reader: ConsoleReader) throws -> String
    /// Every endpoint at which a back end is told of events.
    func webhooks(_ books: [WebhookBook], for reader: ConsoleReader) throws -> String
    /// One owner's endpoints and events.
    func webhooks(_ list: WebhookEventList, for reader: ConsoleReader) throws -> String
    /// One event with every attempt to tell it.
    func webhooks(_ view: WebhookEventView, for reader: ConsoleReader) throws -> String
    /// The roles that somebody's own program can take.
    func connect(_ guides: [ConnectGuide], in language: ConnectLanguage, for reader: ConsoleReader) throws -> String
    /// Addresses and keys of one role, and what to build first.
    func connect(_ guide: ConnectGuide, in language: ConnectLanguage, for reader: ConsoleReader) throws -> String
    /// Why there is no page here.
    func problem(_ refusal: Refusal, for reader: ConsoleReader) throws -> String
}

/// What the page of a story or a case shows.
package struct StoryContents: Sendable {
    /// The story's id, or the case's where nobody has reported anything about it yet.
    package var id: String
    package var story: TraceStory?
    package var subject: StorySubject?
    package var faultPlans: [FaultPlanForm]
    /// Where the page's script listens for what comes after the last entry.
    package var eventsPath: String
}

/// What the page of an audit chain shows.
package struct AuditContents: Sendable {
    /// Whose chains there are.
    package var owners: [String]
    package var owner: String
    package var chain: String
    package var trail: AuditTrail
    /// The owner's chains, or the further ones that were asked for.
    package var page: AuditTrails.Page
}
