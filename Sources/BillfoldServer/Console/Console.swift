import BillfoldPayments
package import BillfoldTrace
package import BillfoldWeb
import Foundation
import HTTPTypes
package import Hummingbird

/// Everything the console's listener serves.
package struct Console: Sendable {
    package var store: TraceStore
    package var pages: any ConsolePages
    /// What every page loads, beside what those of desks load: path below `/assets/` to file.
    package var assets: [String: WebAsset]
    /// Who may sign in; needed in production and beyond loopback, and not asked in test mode on loopback.
    package var directory: OperatorDirectory?
    package var approvals: ApprovalQueue?
    /// How fault plans reach the parties of the sandbox, where there is one.
    package var faultPlans: [FaultPlanRoutes]
    /// What the servers whose books this process can read add.
    package var desks: [any ConsoleDesk] = []
    /// What was verifiably told of things that the books do not know, by every server whose books this process can read.
    package var notices: [any UnmatchedNoticeDesk] = []
    /// What the servers whose books this process can read tell back ends.
    package var events: [any EventOffice] = []
    /// The audit chains, where this process can read them.
    package var trails: AuditTrails?
    package var doctor: ConsoleDoctor?
    /// The roles that somebody's own program can take in the sandbox.
    package var guides: [ConnectGuide] = []
    /// Where diagnoses run.
    package var diagnosisPool: WorkPool = .diagnosis
    /// What one diagnosis may take, with its wait for a thread.
    package var diagnosisLimit: Duration = .seconds(20)
    package var heartbeat: Duration

    private var hasAlarms: Bool { !notices.isEmpty || desks.contains(where: \.raisesAlarms) }

    /// What the head of every page links to.
    package var links: [PageFrame.Link] {
        PageFrame.consoleLinks + desks.compactMap(\.link) + (events.isEmpty ? [] : [PageFrame.webhooksLink])
            + (hasAlarms ? [PageFrame.alarmsLink] : [])
            + (approvals == nil ? [] : [PageFrame.approvalsLink]) + (trails == nil ? [] : [PageFrame.auditLink])
            + (doctor == nil ? [] : [PageFrame.doctorLink]) + (guides.isEmpty ? [] : [PageFrame.connectLink])
    }

    package init(
        store: TraceStore, pages: any ConsolePages, assets: [String: WebAsset], directory: OperatorDirectory? = nil,
        approvals: ApprovalQueue? = nil, faultPlans: [FaultPlanRoutes] = [], heartbeat: Duration = .seconds(15)
    ) {
        self.store = store
        self.pages = pages
        self.assets = assets
        self.directory = directory
        self.approvals = approvals
        self.faultPlans = faultPlans
        self.heartbeat = heartbeat
    }

    /// The console's router. Refuses with `configuration-invalid` a console without operators where everybody signs in.
    package func router(_ configuration: ServerConfiguration, surroundings: ServerSurroundings) throws -> Router<ServerRequestContext> {
        try configuration.validate()
        let signIn = configuration.signIn
        guard signIn != .always || directory != nil else {
            throw ServerError(
                code: .configurationInvalid, reason: "a console where everybody signs in needs operators", status: .internalServerError)
        }
        let directory = signIn == .never ? nil : directory
        let router = surroundings.router(for: configuration.consoleListener)
        let ofDesks = desks.compactMap(\.pages)
        try PageAssets(ofDesks.reduce(assets) { try $0.merging($1.assets) { own, _ in own } }).add(to: router)
        TraceIntakeRoutes(store: store, configuration: configuration).add(to: router)
        let operators = OperatorRoutes(directory: directory, approvals: approvals)
        operators.addSignIn(to: router)
        if directory != nil {
            router.get("/sign-in") { [pages] request, _ in
                ConsoleRoom.answer(try pages.signIn(next: request.uri.queryParameters["next"].map(String.init) ?? "/"))
            }
        }

        let stranger: OperatorIdentity? =
            switch signIn {
            case .never: .local
            case .toAct: .onlooker
            case .always: nil
            }
        let authentication = OperatorAuthentication(directory: directory, stranger: stranger)
        let inside = router.group().add(middleware: authentication)
        operators.add(to: inside)
        let telling = inside.group().add(middleware: StoryGrouping(store: store))
        StoryRoutes(store: store, heartbeat: heartbeat).add(to: telling)
        let scraped = router.group().add(
            middleware: ScraperAuthentication(token: configuration.metricsToken, otherwise: authentication))
        scraped.get("/metrics") { [metrics = surroundings.metrics] _, context in
            _ = try context.operatorInRole(.viewer)
            return MetricsRoutes.answer(metrics)
        }
        let faultPlans = configuration.mode == .test ? faultPlans : []
        for plans in faultPlans { plans.add(to: inside) }
        let room = ConsoleRoom(
            router: telling,
            setting: .init(
                mode: configuration.mode, links: links, offersSignIn: directory != nil, offersRequests: approvals != nil, pages: pages))
        let drawing = PageSet(ofDesks)
        mountStories(in: room, drawnWith: drawing, faultPlans: faultPlans)
        if let approvals { mount(approvals, in: room) }
        if hasAlarms { mountAlarms(in: room, drawnWith: drawing) }
        for desk in desks { desk.mount(in: room) }
        if !events.isEmpty { WebhookConsoleRoutes(offices: events).add(to: room, pages: pages) }
        if let trails { mount(trails, in: room) }
        if !guides.isEmpty, configuration.mode == .test { ConnectRoutes(guides: guides).add(to: room, pages: pages) }
        if let doctor {
            DoctorRoutes(doctor: doctor, pool: diagnosisPool, limit: diagnosisLimit) { [pages, setting = room.setting] diagnosis, context in
                ConsoleRoom.answer(try pages.doctor(diagnosis, for: setting.reader(context)))
            }.add(to: telling)
        }
        return router
    }

    private func mountStories(in room: ConsoleRoom, drawnWith drawing: PageSet, faultPlans: [FaultPlanRoutes]) {
        room.page("/") { [store, pages] _, _, reader in try pages.home(store.recentStories(), for: reader) }
        room.page("/stories") { [store, pages] _, _, reader in try pages.stories(store.recentStories(limit: 200), for: reader) }
        room.page("/stories/{id}") { [self] _, context, reader in
            let contents = try await contents(of: context.pathPart("id"), faultPlans: faultPlans, for: reader)
            return try pages.story(contents, drawnWith: drawing, for: reader)
        }
        for page in pages.journeys.all.compactMap(\.casePage) {
            room.page("\(page.path)/{id}") { [self] _, context, reader in
                let found = (page: page, id: context.pathPart("id"))
                let contents = try await contents(of: "\(page.id):\(found.id)", about: found, faultPlans: faultPlans, for: reader)
                return try pages.story(contents, drawnWith: drawing, for: reader)
            }
        }
        room.page("/journeys/{name}") { [store, pages] _, context, reader in
            let name = context.parameters.get("name") ?? ""
            var plans: [FaultPlanForm] = []
            for routes in faultPlans where routes.journey == name { if let form = await routes.form(.next) { plans.append(form) } }
            guard let page = try pages.journey(name, stories: store.recentStories(limit: 200), faultPlans: plans, for: reader) else {
                throw NoPage("no journey has that name")
            }
            return page
        }
    }

    private func contents(
        of id: String, about found: (page: Journey.CasePage, id: String)? = nil, faultPlans: [FaultPlanRoutes], for reader: ConsoleReader
    ) async throws -> StoryContents {
        let story = store.story(id)
        let correlation: [String: Set<String>] = story?.correlation ?? found.map { [$0.page.id: [$0.id]] } ?? [:]
        let cases = pages.journeys.cases(of: correlation)
        let one = found ?? (cases.count == 1 ? cases[0] : nil)
        let subject = if let one { try await askDesks(about: one.id, knownBy: one.page.id, for: reader) } else { StorySubject?.none }
        guard story != nil || subject != nil else { throw NoPage("no story has that id") }
        let last = story?.arrivals.map(\.sequence).max() ?? 0
        // What disturbs one journey has no part in the others.
        let journey = pages.journeys.owner(of: correlation.keys)
        var plans: [FaultPlanForm] = []
        for routes in faultPlans where routes.journey == journey?.slug {
            if let form = await routes.form(ofSubject: subject?.id, about: correlation) { plans.append(form) }
        }
        return StoryContents(
            id: story?.id ?? id, story: story, subject: subject,
            faultPlans: plans,
            eventsPath: "/api/stories/\(PathSegment.encoded(story?.id ?? id))/events?after=\(last)")
    }

    private func askDesks(about id: String, knownBy name: String, for reader: ConsoleReader) async throws -> StorySubject? {
        for desk in desks {
            if let subject = try await desk.subject(id, knownBy: name, for: reader) { return subject }
        }
        return nil
    }

    private func mount(_ approvals: ApprovalQueue, in room: ConsoleRoom) {
        room.page("/approvals") { [pages] _, _, reader in
            var requests = try await approvals.requests()
            for state in [ApprovalRequest.State.approved, .done, .failed, .rejected] {
                requests += try await approvals.requests(in: state, limit: 20)
            }
            return try pages.approvals(requests, policy: approvals.policy, for: reader)
        }
    }

    private func mountAlarms(in room: ConsoleRoom, drawnWith drawing: PageSet) {
        AlarmRoutes(desks: desks).add(to: room.router)
        room.page("/alarms") { [pages, notices, desks] _, _, reader in
            var sections: [AlarmSection] = []
            if !notices.isEmpty {
                var (shown, inAll): ([UnmatchedNoticeView], Int64) = ([], 0)
                for office in notices {
                    shown += try await office.unmatchedNotices()
                    inAll += try await office.openUnmatchedNotices()
                }
                sections.append(.unmatchedNotices(shown, inAll: inAll, mayAsk: reader.mayRequest))
            }
            for desk in desks { sections += try await desk.alarms(for: reader) }
            return try pages.alarms(sections, drawnWith: drawing, for: reader)
        }
    }

    private func mount(_ trails: AuditTrails, in room: ConsoleRoom) {
        room.page("/audit") { [pages] request, context, reader in
            _ = try context.operatorInRole(.administrator)
            let query = request.uri.queryParameters
            let named = query["owner"].map(String.init)
            guard let owner = trails.owners.first(where: { named == nil || $0.description == named }) else {
                throw NoPage("nobody of that name has audit chains here")
            }
            let chain = query["chain"].map(String.init) ?? ChainedOperatorAudit.chain
            let contents = AuditContents(
                owners: trails.owners.map(\.description), owner: owner.description, chain: chain,
                trail: try await trails.trail(of: owner, chain),
                page: try await trails.page(of: owner, before: query["before"].map(String.init)))
            return try pages.audit(contents, for: reader)
        }
    }
}
