package import BillfoldDiagnosis
import BillfoldPayments
import BillfoldStorage
package import BillfoldTrace
package import BillfoldWeb
import HTTPTypes

/// The console's pages as BillfoldWeb draws them.
package struct WebConsolePages: ConsolePages {
    package let journeys: Journeys
    private let starts: [JourneyStart]

    /// - Parameters:
    ///   - journeys: What the console explains.
    ///   - starts: Where they begin in the sandbox, in the order in which the first page invites to them.
    package init(journeys: Journeys = Journeys(), starts: [JourneyStart] = []) {
        self.journeys = journeys
        self.starts = starts
    }

    package func home(_ stories: [TraceStory], for reader: ConsoleReader) throws -> String {
        try HomePage(journeys: journeys, frame: reader.frame, stories: stories.map(summary), starts: starts).html()
    }

    package func stories(_ stories: [TraceStory], for reader: ConsoleReader) throws -> String {
        try StoriesPage(frame: reader.frame, stories: stories.map(summary)).html()
    }

    package func story(_ contents: StoryContents, drawnWith pages: PageSet, for reader: ConsoleReader) throws -> String {
        try StoryPage(
            journeys: journeys, frame: reader.frame, id: contents.id,
            name: contents.subject?.name ?? contents.story.map(name) ?? contents.id,
            messages: contents.story?.entries ?? [], eventsPath: contents.eventsPath, subject: contents.subject,
            faultPlans: contents.faultPlans, pages: pages
        ).html()
    }

    package func journey(_ name: String, stories: [TraceStory], faultPlans: [FaultPlanForm], for reader: ConsoleReader) throws -> String? {
        guard let journey = journeys[name] else { return nil }
        let told = stories.filter { story in
            journeys.owner(of: story.correlation.keys)?.slug == name && journey.caseID.map { story.correlation[$0] != nil } ?? true
        }
        return try JourneyPage(
            journey, frame: reader.frame, startAddress: starts.first { $0.journey == name }?.address, stories: told.map(summary),
            faultPlans: faultPlans
        ).html()
    }

    package func signIn(next: String) throws -> String { try SignInPage(next: next).html() }

    package func approvals(_ requests: [ApprovalRequest], policy: ApprovalPolicy, for reader: ConsoleReader) throws -> String {
        let name = reader.identity?.name
        let isApprover = reader.identity?.roles.contains(.approver) ?? false
        return try ApprovalsPage(
            frame: reader.frame,
            requests: requests.map { request in
                ApprovalsPage.Request(
                    id: request.id.description, kind: request.kind, subject: request.subject, detail: request.detail,
                    lines: request.lines.map { .init(label: $0.label, value: $0.value) }, requestedBy: request.requestedBy,
                    requestedAt: request.requestedAt.microseconds, state: request.state.rawValue, decidedBy: request.decidedBy,
                    outcome: request.outcome,
                    mayDecide: isApprover && request.state == .waiting && (policy == .onePerson || request.requestedBy != name))
            }, onePersonSuffices: policy == .onePerson
        ).html()
    }

    package func alarms(_ sections: [AlarmSection], drawnWith pages: PageSet, for reader: ConsoleReader) throws -> String {
        try AlarmsPage(frame: reader.frame, sections: sections, pages: pages).html()
    }

    package func audit(_ contents: AuditContents, for reader: ConsoleReader) throws -> String {
        try AuditPage(
            frame: reader.frame, owners: contents.owners, owner: contents.owner, chain: contents.chain,
            actions: contents.trail.rows.suffix(200).reversed().map {
                .init(
                    sequence: $0.sequence, at: $0.at.microseconds, actor: $0.actor, action: $0.action, object: $0.object, result: $0.result)
            }, brokenRow: Self.brokenRow(contents.trail),
            chains: contents.page.chains.map {
                .init(
                    name: $0.name, rowCount: $0.trail.rows.count, lastAt: $0.trail.rows.last?.at.microseconds ?? 0,
                    brokenRow: Self.brokenRow($0.trail))
            }, next: contents.page.next
        ).html()
    }

    private static func brokenRow(_ trail: AuditTrail) -> Int64? {
        guard case .broken(let sequence) = trail.verdict else { return nil }
        return sequence
    }

    package func doctor(_ diagnosis: Diagnosis?, for reader: ConsoleReader) throws -> String {
        try DoctorPage(frame: reader.frame, diagnosis: diagnosis, mostFiles: DoctorRoutes.mostFiles, mostBytes: DoctorRoutes.mostBytes)
            .html()
    }

    package func webhooks(_ books: [WebhookBook], for reader: ConsoleReader) throws -> String {
        try WebhooksPage(frame: reader.frame, books: books).html()
    }

    package func webhooks(_ list: WebhookEventList, for reader: ConsoleReader) throws -> String {
        try WebhookOwnerPage(frame: reader.frame, list: list).html()
    }

    package func webhooks(_ view: WebhookEventView, for reader: ConsoleReader) throws -> String {
        try WebhookEventPage(frame: reader.frame, view: view, offersResend: reader.isOperator).html()
    }

    package func connect(_ guides: [ConnectGuide], in language: ConnectLanguage, for reader: ConsoleReader) throws -> String {
        try ConnectPage(frame: reader.frame, guides, in: language).html()
    }

    package func connect(_ guide: ConnectGuide, in language: ConnectLanguage, for reader: ConsoleReader) throws -> String {
        try ConnectGuidePage(frame: reader.frame, guide, in: language).html()
    }

    package func problem(_ refusal: Refusal, for reader: ConsoleReader) throws -> String {
        try ProblemPage(frame: reader.frame, status: refusal.status.code, code: refusal.code, reason: refusal.reason).html()
    }

    private func summary(_ story: TraceStory) -> StorySummary {
        StorySummary(
            id: story.id, name: name(story), messageCount: story.arrivals.count,
            problemCount: story.arrivals.count { $0.entry.problem != nil }, startedAt: story.arrivals.first?.entry.at ?? 0,
            titles: story.arrivals.prefix(3).map(\.entry.title),
            casePath: journeys.cases(of: story.correlation).first.map { $0.page.path(of: $0.id) })
    }

    private func name(_ story: TraceStory) -> String { journeys.name(of: story.correlation) ?? story.id }
}
