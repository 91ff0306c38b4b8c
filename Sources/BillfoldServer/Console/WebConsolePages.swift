public import BillfoldDiagnosis
import BillfoldPayments
import BillfoldStorage
public import BillfoldTrace
public import BillfoldWeb
import HTTPTypes

/// The console's pages as BillfoldWeb draws them.
public struct WebConsolePages: ConsolePages {
    private let shopAddress: String?
    private let bankAddress: String?
    private let expressAddress: String?
    private let sheetAddress: String?
    private let superAppAddress: String?
    private let links: [PageFrame.Link]

    /// - Parameters:
    ///   - shopAddress: Where the sandbox's shop is, for the first page's link.
    ///   - bankAddress: Where the sandbox's bank is.
    ///   - expressAddress: Where the sandbox's shop that takes express orders is.
    ///   - sheetAddress: Where the sandbox's merchant is whose app shows the payment sheet.
    ///   - superAppAddress: Where the sandbox's super app is.
    ///   - sections: The further pages that the console mounts, and every page's head links to.
    public init(
        shopAddress: String? = nil, bankAddress: String? = nil, expressAddress: String? = nil, sheetAddress: String? = nil,
        superAppAddress: String? = nil, sections: Set<ConsoleSection> = []
    ) {
        self.shopAddress = shopAddress
        self.bankAddress = bankAddress
        self.expressAddress = expressAddress
        self.sheetAddress = sheetAddress
        self.superAppAddress = superAppAddress
        let further: [(ConsoleSection, PageFrame.Link)] = [
            (.provisioning, PageFrame.provisioningLink), (.gateway, PageFrame.gatewayLink),
            (.acquiring, PageFrame.acquiringLink), (.miniPrograms, PageFrame.miniProgramsLink), (.alarms, PageFrame.alarmsLink),
            (.approvals, PageFrame.approvalsLink),
            (.audit, PageFrame.auditLink),
            (.doctor, PageFrame.doctorLink),
        ]
        links = PageFrame.consoleLinks + further.filter { sections.contains($0.0) }.map(\.1)
    }

    public func home(_ stories: [TraceStory], for reader: ConsoleReader) throws -> String {
        try HomePage(
            frame: frame(reader), stories: stories.map(Self.summary), shopAddress: shopAddress, bankAddress: bankAddress,
            expressAddress: expressAddress
        ).html()
    }

    public func stories(_ stories: [TraceStory], for reader: ConsoleReader) throws -> String {
        try StoriesPage(frame: frame(reader), stories: stories.map(Self.summary)).html()
    }

    public func story(_ contents: StoryContents, for reader: ConsoleReader) throws -> String {
        try StoryPage(
            frame: frame(reader), id: contents.id, name: contents.order?.reference ?? contents.story.map(Self.name) ?? contents.id,
            messages: contents.story?.entries ?? [], eventsPath: contents.eventsPath, order: contents.order,
            faultPlan: contents.faultPlan,
            offersRefunds: contents.offersRefunds && reader.identity?.roles.contains(.operator) == true
        ).html()
    }

    public func journey(_ name: String, stories: [TraceStory], faultPlan: FaultPlanForm?, for reader: ConsoleReader) throws -> String? {
        guard var page = JourneyPage(slug: name, frame: frame(reader)) else { return nil }
        let isProvisioning = name == Journey.provisioningSlug
        page.startAddress = startAddress(of: name)
        // What the bank's app asks before and after an attempt is a story of its session.
        let told = stories.filter {
            isProvisioning ? $0.correlation["provisioning.attempt"] != nil : page.journey.includes(namespaces: $0.correlation.keys)
        }
        page.stories = told.map(Self.summary)
        page.faultPlan = name == Journey.acceptApplePaySlug ? faultPlan : nil
        return try page.html()
    }

    private func startAddress(of journey: String) -> String? {
        switch journey {
        case Journey.provisioningSlug: bankAddress
        case Journey.expressOrderSlug: expressAddress
        case Journey.paymentSheetSlug: sheetAddress
        case Journey.miniProgramSlug: superAppAddress
        default: shopAddress
        }
    }

    public func signIn(next: String) throws -> String { try SignInPage(next: next).html() }

    public func approvals(_ requests: [ApprovalRequest], policy: ApprovalPolicy, for reader: ConsoleReader) throws -> String {
        let name = reader.identity?.name
        let isApprover = reader.identity?.roles.contains(.approver) ?? false
        return try ApprovalsPage(
            frame: frame(reader),
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

    public func alarms(_ list: AlarmList, ofPayments: Bool, offersRequests: Bool, for reader: ConsoleReader) throws -> String {
        let isOperator = reader.identity?.roles.contains(.operator) == true
        return try AlarmsPage(
            frame: frame(reader), list: list, offersRequests: offersRequests && isOperator, offersClearing: isOperator,
            looksAfterPayments: ofPayments
        ).html()
    }

    public func provisioning(_ overview: ProvisioningOverview, offersReviews: Bool, for reader: ConsoleReader) throws -> String {
        let isOperator = reader.identity?.roles.contains(.operator) == true
        return try ProvisioningPage(
            frame: frame(reader), overview: overview, offersActions: isOperator, offersReviews: offersReviews && isOperator
        ).html()
    }

    public func provisioningCard(_ view: ProvisioningCardView, offersReviews: Bool, for reader: ConsoleReader) throws -> String {
        let isOperator = reader.identity?.roles.contains(.operator) == true
        return try ProvisioningCardPage(
            frame: frame(reader), view: view, offersActions: isOperator, offersReviews: offersReviews && isOperator
        ).html()
    }

    public func gateway(_ overview: GatewayOverview, for reader: ConsoleReader) throws -> String {
        try GatewayPage(
            frame: frame(reader), overview: overview, offersReplay: reader.identity?.roles.contains(.operator) == true
        ).html()
    }

    public func gatewayTrade(_ view: GatewayTradeView, for reader: ConsoleReader) throws -> String {
        try GatewayTradePage(
            frame: frame(reader), view: view, offersReplay: reader.identity?.roles.contains(.operator) == true
        ).html()
    }

    public func gatewayBooks(_ books: GatewayBooks, for reader: ConsoleReader) throws -> String {
        try GatewayBooksPage(frame: frame(reader), books: books).html()
    }

    public func acquiring(_ overview: AcquiringOverview, offersRequests: Bool, for reader: ConsoleReader) throws -> String {
        let isOperator = reader.identity?.roles.contains(.operator) == true
        return try AcquiringPage(
            frame: frame(reader), overview: overview, offersReplay: isOperator, offersRequests: offersRequests && isOperator
        ).html()
    }

    public func acquiringPayment(_ view: AcquiringPaymentView, for reader: ConsoleReader) throws -> String {
        try AcquiringPaymentPage(
            frame: frame(reader), view: view, offersReplay: reader.identity?.roles.contains(.operator) == true
        ).html()
    }

    public func miniPrograms(_ shelf: MiniProgramShelf, for reader: ConsoleReader) throws -> String {
        try MiniProgramsPage(frame: frame(reader), shelf: shelf).html()
    }

    public func miniProgram(_ view: MiniProgramView, offersSteps: Bool, for reader: ConsoleReader) throws -> String {
        try MiniProgramPage(
            frame: frame(reader), view: view, offersSteps: offersSteps && reader.identity?.roles.contains(.operator) == true
        ).html()
    }

    public func audit(_ contents: AuditContents, for reader: ConsoleReader) throws -> String {
        try AuditPage(
            frame: frame(reader), owners: contents.owners, owner: contents.owner, chain: contents.chain,
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

    public func doctor(_ diagnosis: Diagnosis?, for reader: ConsoleReader) throws -> String {
        try DoctorPage(frame: frame(reader), diagnosis: diagnosis, mostFiles: DoctorRoutes.mostFiles, mostBytes: DoctorRoutes.mostBytes)
            .html()
    }

    public func problem(_ refusal: Refusal, for reader: ConsoleReader) throws -> String {
        try ProblemPage(frame: frame(reader), status: refusal.status.code, code: refusal.code, reason: refusal.reason).html()
    }

    private func frame(_ reader: ConsoleReader) -> PageFrame {
        PageFrame(
            links: links, mode: reader.mode.rawValue, operatorName: reader.identity.flatMap { $0.isSignedIn ? $0.name : nil },
            csrfToken: reader.csrfToken, offersSignIn: reader.offersSignIn && reader.identity?.isSignedIn != true)
    }

    private static func summary(_ story: TraceStory) -> StorySummary {
        StorySummary(
            id: story.id, name: name(story), messageCount: story.arrivals.count,
            problemCount: story.arrivals.count { $0.entry.problem != nil }, startedAt: story.arrivals.first?.entry.at ?? 0,
            titles: story.arrivals.prefix(3).map(\.entry.title), order: story.correlation["order"]?.min())
    }

    /// What people know a case by: the merchant's reference, else the order, else the story itself.
    private static func name(_ story: TraceStory) -> String {
        for namespace in ["shop.reference", "reference", "order", "payment", "provisioning.attempt", "mini-program.run", "alipay.order"] {
            if let value = story.correlation[namespace]?.min() { return value }
        }
        return story.id
    }
}
