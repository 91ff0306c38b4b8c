import BillfoldPayments
public import BillfoldTrace
import BillfoldWeb
import Foundation
import HTTPTypes
public import Hummingbird
import PaymentCrypto

/// A page that only some consoles have.
public enum ConsoleSection: Sendable, Hashable, CaseIterable {
    case provisioning, gateway, acquiring, miniPrograms, alarms, approvals, audit, doctor
}

/// Everything the console's listener serves.
public struct Console: Sendable {
    public var store: TraceStore
    public var pages: any ConsolePages
    public var assets: ConsoleAssets
    /// Who may sign in; needed in production and beyond loopback, and not asked in test mode on loopback.
    public var directory: OperatorDirectory?
    public var approvals: ApprovalQueue?
    /// How fault plans reach the sandbox, where there is one.
    public var faultPlans: FaultPlanRoutes?
    /// The orders, where this process can read their books.
    public var desk: (any OrderDesk)?
    /// The cards that customers put into wallets, where this process can read the issuer's books.
    public var provisioning: (any ProvisioningDesk)?
    /// The order gateway, where this process can read its books.
    public var gateway: (any GatewayDesk)?
    /// The wallet, where this process can read its books.
    public var wallet: (any WalletAlarms)?
    /// The acquiring gateway, likewise.
    public var acquiring: (any AcquiringDesk)?
    /// The platform of mini programs, likewise.
    public var miniPrograms: (any MiniProgramDesk)?
    /// What was verifiably told of things that the books do not know, by every server whose books this process can read.
    public var notices: [any UnmatchedNoticeDesk] = []
    /// The audit chains, where this process can read them.
    public var trails: AuditTrails?
    public var doctor: ConsoleDoctor?
    /// Where diagnoses run.
    public var diagnosisPool: WorkPool = .diagnosis
    /// What one diagnosis may take, with its wait for a thread.
    public var diagnosisLimit: Duration = .seconds(20)
    public var heartbeat: Duration

    /// The pages that this console has beside those that every console has.
    public var sections: Set<ConsoleSection> {
        var sections: Set<ConsoleSection> = []
        if provisioning != nil { sections.insert(.provisioning) }
        if gateway != nil { sections.insert(.gateway) }
        if acquiring != nil { sections.insert(.acquiring) }
        if miniPrograms != nil { sections.insert(.miniPrograms) }
        if hasAlarms { sections.insert(.alarms) }
        if approvals != nil { sections.insert(.approvals) }
        if trails != nil { sections.insert(.audit) }
        if doctor != nil { sections.insert(.doctor) }
        return sections
    }

    private var hasAlarms: Bool {
        desk != nil || provisioning != nil || wallet != nil || acquiring != nil || !notices.isEmpty
    }

    public init(
        store: TraceStore, pages: any ConsolePages, assets: ConsoleAssets, directory: OperatorDirectory? = nil,
        approvals: ApprovalQueue? = nil, faultPlans: FaultPlanRoutes? = nil, desk: (any OrderDesk)? = nil,
        heartbeat: Duration = .seconds(15)
    ) {
        self.store = store
        self.pages = pages
        self.assets = assets
        self.directory = directory
        self.approvals = approvals
        self.faultPlans = faultPlans
        self.desk = desk
        self.heartbeat = heartbeat
    }

    /// The console's router. Refuses with `configuration-invalid` a console without operators where everybody signs in.
    public func router(_ configuration: ServerConfiguration, surroundings: ServerSurroundings) throws -> Router<ServerRequestContext> {
        try configuration.validate()
        let signIn = configuration.signIn
        guard signIn != .always || directory != nil else {
            throw ServerError(
                code: .configurationInvalid, reason: "a console where everybody signs in needs operators", status: .internalServerError)
        }
        let directory = signIn == .never ? nil : directory
        let router = surroundings.router(for: configuration.consoleListener)
        assets.add(to: router)
        TraceIntakeRoutes(store: store, configuration: configuration).add(to: router)
        let operators = OperatorRoutes(directory: directory, approvals: approvals)
        operators.addSignIn(to: router)
        if directory != nil {
            router.get("/sign-in") { [pages] request, _ in
                Self.page(try pages.signIn(next: request.uri.queryParameters["next"].map(String.init) ?? "/"))
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
        if configuration.mode == .test { faultPlans?.add(to: inside) }
        addPages(to: telling, configuration.mode, offersSignIn: directory != nil)
        return router
    }

    private func addPages(to router: some RouterMethods<ServerRequestContext>, _ mode: ServerMode, offersSignIn: Bool) {
        @Sendable func reader(_ context: ServerRequestContext) throws(ServerError) -> ConsoleReader {
            ConsoleReader(
                mode: mode, identity: try context.operatorInRole(.viewer), csrfToken: context.operatorSession?.csrfToken,
                offersSignIn: offersSignIn)
        }
        @Sendable func missing(_ reason: String, _ reader: ConsoleReader) throws -> Response {
            let refusal = Refusal(status: .notFound, code: "not-found", reason: reason)
            return Self.page(try pages.problem(refusal, for: reader), status: .notFound)
        }
        router.get("/") { [store, pages] _, context in Self.page(try pages.home(store.recentStories(), for: reader(context))) }
        router.get("/stories") { [store, pages] _, context in
            Self.page(try pages.stories(store.recentStories(limit: 200), for: reader(context)))
        }
        let faultPlans = mode == .test ? faultPlans : nil
        @Sendable func story(_ id: String, order: String?, _ reader: ConsoleReader) async throws -> Response {
            let story = store.story(id)
            let order = order ?? story?.correlation["order"].flatMap { $0.count == 1 ? $0.first : nil }
            let view = if let order, let desk { try await desk.order(order) } else { OrderView?.none }
            guard story != nil || view != nil else { return try missing("no story has that id", reader) }
            let last = story?.arrivals.map(\.sequence).max() ?? 0
            // The gateway has no part in what happens to cards in wallets.
            let isOfGateway = story?.correlation.keys.contains { $0.hasPrefix("provisioning.") } != true
            let contents = StoryContents(
                id: story?.id ?? id, story: story, order: view,
                faultPlan: isOfGateway ? await faultPlans?.form(view.map { .order($0.id) } ?? .next) : nil,
                eventsPath: "/api/stories/\(PathText.encoded(story?.id ?? id))/events?after=\(last)", offersRefunds: approvals != nil)
            return Self.page(try pages.story(contents, for: reader))
        }
        router.get("/stories/{id}") { _, context in
            try await story(context.parameters.get("id")?.removingPercentEncoding ?? "", order: nil, reader(context))
        }
        router.get("/orders/{id}") { _, context in
            let id = context.parameters.get("id")?.removingPercentEncoding ?? ""
            return try await story("order:" + id, order: id, reader(context))
        }
        router.get("/journeys/{name}") { [store, pages] _, context in
            let reader = try reader(context)
            let (name, plan) = (context.parameters.get("name") ?? "", await faultPlans?.form(.next))
            guard let page = try pages.journey(name, stories: store.recentStories(limit: 200), faultPlan: plan, for: reader) else {
                return try missing("no journey has that name", reader)
            }
            return Self.page(page)
        }
        if let approvals {
            router.get("/approvals") { [pages] _, context in
                let reader = try reader(context)
                var requests = try await approvals.requests()
                for state in [ApprovalRequest.State.approved, .done, .failed, .rejected] {
                    requests += try await approvals.requests(in: state, limit: 20)
                }
                return Self.page(try pages.approvals(requests, policy: approvals.policy, for: reader))
            }
        }
        if desk != nil || wallet != nil { AlarmRoutes(desk: desk, wallet: wallet).add(to: router) }
        if hasAlarms {
            router.get("/alarms") { [pages, approvals, desk, provisioning, wallet, acquiring, notices] _, context in
                let reader = try reader(context)
                var list = try await desk?.alarms() ?? AlarmList()
                list.stops = try await provisioning?.failedStops()
                list.walletPayments = try await wallet?.alarms()
                list.acquiring = try await acquiring?.overview(nil).open
                for office in notices {
                    list.unmatched = try await (list.unmatched ?? []) + office.unmatchedNotices()
                    list.unmatchedInAll += try await office.openUnmatchedNotices()
                }
                return Self.page(
                    try pages.alarms(list, ofPayments: desk != nil, offersRequests: approvals != nil, for: reader))
            }
        }
        if let provisioning { addProvisioning(provisioning, to: router, reader: reader, missing: missing) }
        if let gateway {
            GatewayDeskRoutes(desk: gateway).add(to: router)
            addGateway(gateway, to: router, reader: reader, missing: missing)
        }
        if let acquiring { addAcquiring(acquiring, to: router, reader: reader, missing: missing) }
        if let miniPrograms { addMiniPrograms(miniPrograms, to: router, reader: reader, missing: missing) }
        if let trails {
            router.get("/audit") { [pages] request, context in
                _ = try context.operatorInRole(.administrator)
                let reader = try reader(context)
                let query = request.uri.queryParameters
                let named = query["owner"].map(String.init)
                guard let owner = trails.owners.first(where: { named == nil || $0.description == named }) else {
                    return try missing("nobody of that name has audit chains here", reader)
                }
                let chain = query["chain"].map(String.init) ?? ChainedOperatorAudit.chain
                let contents = AuditContents(
                    owners: trails.owners.map(\.description), owner: owner.description, chain: chain,
                    trail: try await trails.trail(of: owner, chain),
                    page: try await trails.page(of: owner, before: query["before"].map(String.init)))
                return Self.page(try pages.audit(contents, for: reader))
            }
        }
        if let doctor {
            DoctorRoutes(doctor: doctor, pool: diagnosisPool, limit: diagnosisLimit) { [pages] diagnosis, context in
                Self.page(try pages.doctor(diagnosis, for: reader(context)))
            }.add(to: router)
        }
    }

    private func addProvisioning(
        _ desk: any ProvisioningDesk, to router: some RouterMethods<ServerRequestContext>,
        reader: @escaping @Sendable (ServerRequestContext) throws(ServerError) -> ConsoleReader,
        missing: @escaping @Sendable (String, ConsoleReader) throws -> Response
    ) {
        ProvisioningRoutes(desk: desk).add(to: router)
        router.get("/provisioning") { [pages, approvals] _, context in
            let reader = try reader(context)
            return Self.page(try await pages.provisioning(desk.overview(), offersReviews: approvals != nil, for: reader))
        }
        router.get("/provisioning/cards/{id}") { [pages, approvals] _, context in
            let reader = try reader(context)
            guard let view = try await desk.card(context.parameters.get("id")?.removingPercentEncoding ?? "") else {
                return try missing("the issuer has no card of that id", reader)
            }
            return Self.page(try pages.provisioningCard(view, offersReviews: approvals != nil, for: reader))
        }
    }

    private func addGateway(
        _ desk: any GatewayDesk, to router: some RouterMethods<ServerRequestContext>,
        reader: @escaping @Sendable (ServerRequestContext) throws(ServerError) -> ConsoleReader,
        missing: @escaping @Sendable (String, ConsoleReader) throws -> Response
    ) {
        router.get("/gateway") { [pages] request, context in
            let reader = try reader(context)
            let query = try request.query(allowing: ["merchant", "number"]).filter { !$0.value.isEmpty }
            guard query.values.allSatisfy({ $0.unicodeScalars.count <= 64 }) else {
                throw ServerError(
                    code: .malformedRequest, reason: "merchant and number have at most 64 characters", status: .badRequest)
            }
            let filter = GatewayFilter(merchant: query["merchant"], number: query["number"])
            return Self.page(try pages.gateway(await desk.overview(filter), for: reader))
        }
        router.get("/gateway/books") { [pages] request, context in
            let reader = try reader(context)
            let query = try request.query(allowing: ["day", "wallet"])
            return Self.page(try pages.gatewayBooks(await GatewayDeskRoutes.books(desk, query), for: reader))
        }
        router.get("/gateway/trades/{number}") { [pages] _, context in
            let reader = try reader(context)
            guard let view = try await desk.trade(context.parameters.get("number")?.removingPercentEncoding ?? "") else {
                return try missing("the gateway has no trade of that number", reader)
            }
            return Self.page(try pages.gatewayTrade(view, for: reader))
        }
    }

    private func addAcquiring(
        _ desk: any AcquiringDesk, to router: some RouterMethods<ServerRequestContext>,
        reader: @escaping @Sendable (ServerRequestContext) throws(ServerError) -> ConsoleReader,
        missing: @escaping @Sendable (String, ConsoleReader) throws -> Response
    ) {
        AcquiringDeskRoutes(desk: desk).add(to: router)
        router.get("/acquiring") { [pages, approvals] request, context in
            let reader = try reader(context)
            let number = try request.query(allowing: ["number"])["number"].flatMap { $0.isEmpty ? nil : $0 }
            guard number.map({ $0.unicodeScalars.count <= 64 }) ?? true else {
                throw ServerError(code: .malformedRequest, reason: "number has at most 64 characters", status: .badRequest)
            }
            return Self.page(try pages.acquiring(await desk.overview(number), offersRequests: approvals != nil, for: reader))
        }
        router.get("/acquiring/payments/{id}") { [pages] _, context in
            let reader = try reader(context)
            guard let view = try await desk.payment(context.parameters.get("id")?.removingPercentEncoding ?? "") else {
                return try missing("the gateway has no payment of that id", reader)
            }
            return Self.page(try pages.acquiringPayment(view, for: reader))
        }
    }

    private func addMiniPrograms(
        _ desk: any MiniProgramDesk, to router: some RouterMethods<ServerRequestContext>,
        reader: @escaping @Sendable (ServerRequestContext) throws(ServerError) -> ConsoleReader,
        missing: @escaping @Sendable (String, ConsoleReader) throws -> Response
    ) {
        router.get("/mini-programs") { [pages] _, context in
            let reader = try reader(context)
            return Self.page(try pages.miniPrograms(await desk.shelf(), for: reader))
        }
        router.get("/mini-programs/{id}") { [pages, approvals] _, context in
            let reader = try reader(context)
            guard let view = try await desk.miniProgram(context.parameters.get("id")?.removingPercentEncoding ?? "") else {
                return try missing("the platform hosts no mini program of that id", reader)
            }
            return Self.page(try pages.miniProgram(view, offersSteps: approvals != nil, for: reader))
        }
    }

    private static func page(_ html: String, status: HTTPResponse.Status = .ok) -> Response {
        Response(
            status: status, headers: [.contentType: "text/html; charset=utf-8"], body: ResponseBody(byteBuffer: ByteBuffer(string: html)))
    }
}

enum PathText {
    /// Percent-encodes everything but unreserved characters (RFC 3986, section 2.3).
    static func encoded(_ text: String) -> String {
        text.utf8.map { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x2d, 0x2e, 0x5f, 0x7e: String(UnicodeScalar(byte))
            default: "%" + Hexadecimal.encode([byte], uppercase: true)
            }
        }.joined()
    }
}
