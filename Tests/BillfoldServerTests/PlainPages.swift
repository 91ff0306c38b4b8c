import BillfoldDiagnosis
import BillfoldPayments
import BillfoldServer
import BillfoldTrace
import BillfoldWeb

/// Pages that say what they were given.
struct PlainPages: ConsolePages {
    let journeys = Journeys([
        Self.journey("known", families: ["order"], casePage: .init(id: "order", path: "/orders")),
        Self.journey("other", families: ["provisioning"]),
    ])

    private static func journey(_ slug: String, families: Set<String>, casePage: Journey.CasePage? = nil) -> Journey {
        Journey(
            slug: slug, title: slug, summary: "", usedBy: "", roles: [], steps: [], example: [], families: families, casePage: casePage)
    }

    func home(_ stories: [TraceStory], for reader: ConsoleReader) -> String { "home \(reader.mode.rawValue) \(stories.map(\.id))" }
    func stories(_ stories: [TraceStory], for reader: ConsoleReader) -> String { "stories \(stories.map(\.id))" }
    func story(_ contents: StoryContents, drawnWith pages: PageSet, for reader: ConsoleReader) -> String {
        let order = contents.subject.map { " order \($0.id) \($0.standing.word)" } ?? ""
        let plan = contents.faultPlans.first.map { " plan \($0.scope.name) \($0.chosen.sorted())" } ?? ""
        return "story \(contents.story?.entries.map(\.id) ?? [])\(order)\(plan) \(contents.eventsPath)"
    }
    func journey(_ name: String, stories: [TraceStory], faultPlans: [FaultPlanForm], for reader: ConsoleReader) -> String? {
        name == "known" ? "journey" + (faultPlans.first.map { " plan \($0.scope.name) \($0.chosen.sorted())" } ?? "") : nil
    }
    func signIn(next: String) -> String { "sign in" }
    func approvals(_ requests: [ApprovalRequest], policy: ApprovalPolicy, for reader: ConsoleReader) -> String {
        "approvals \(requests.count) \(policy)"
    }
    func alarms(_ sections: [AlarmSection], drawnWith pages: PageSet, for reader: ConsoleReader) -> String {
        "alarms \(sections.map(\.template)) \(reader.offersRequests)"
    }
    func audit(_ contents: AuditContents, for reader: ConsoleReader) -> String {
        func word(_ trail: AuditTrail) -> String {
            if case .broken(let sequence) = trail.verdict { "broken \(sequence)" } else { "intact" }
        }
        let chains = contents.page.chains.map { "\($0.name) \($0.trail.rows.count) \(word($0.trail))" }
        return "audit \(contents.owners) \(contents.owner) \(contents.chain) \(contents.trail.rows.map(\.action)) "
            + "\(word(contents.trail)) \(chains) \(contents.page.next ?? "end")"
    }
    func doctor(_ diagnosis: Diagnosis?, for reader: ConsoleReader) -> String {
        "doctor " + (diagnosis.map { "\($0.identified.map(\.summary))" } ?? "form")
    }
    func webhooks(_ books: [WebhookBook], for reader: ConsoleReader) -> String { "webhooks \(books.map(\.owner.path))" }
    func webhooks(_ list: WebhookEventList, for reader: ConsoleReader) -> String { "events \(list.book.owner.id) \(list.title)" }
    func webhooks(_ view: WebhookEventView, for reader: ConsoleReader) -> String { "event \(view.owner.id) \(view.name)" }
    func connect(_ guides: [ConnectGuide], in language: ConnectLanguage, for reader: ConsoleReader) -> String {
        "connect \(guides.map(\.slug)) \(language.rawValue)"
    }
    func connect(_ guide: ConnectGuide, in language: ConnectLanguage, for reader: ConsoleReader) -> String {
        "connect \(guide.slug) \(language.rawValue)"
    }
    func problem(_ refusal: Refusal, for reader: ConsoleReader) -> String { "problem \(refusal.code)" }
}
