public import BillfoldTrace
import Foundation
import HTTPTypes
public import Hummingbird

/// Everything the console's listener serves.
public struct Console: Sendable {
    public var store: TraceStore
    public var pages: any ConsolePages
    public var assets: ConsoleAssets
    /// Who may sign in; needed beyond loopback.
    public var directory: OperatorDirectory?
    public var approvals: ApprovalQueue?
    /// How fault plans reach the sandbox, where there is one.
    public var faultPlans: FaultPlanRoutes?
    public var heartbeat: Duration

    public init(
        store: TraceStore, pages: any ConsolePages, assets: ConsoleAssets, directory: OperatorDirectory? = nil,
        approvals: ApprovalQueue? = nil, faultPlans: FaultPlanRoutes? = nil, heartbeat: Duration = .seconds(15)
    ) {
        self.store = store
        self.pages = pages
        self.assets = assets
        self.directory = directory
        self.approvals = approvals
        self.faultPlans = faultPlans
        self.heartbeat = heartbeat
    }

    /// The console's router. Refuses with `configuration-invalid` a console beyond loopback without operators.
    public func router(_ configuration: ServerConfiguration, surroundings: ServerSurroundings) throws -> Router<ServerRequestContext> {
        try configuration.validate()
        guard !configuration.operatorsSignIn || directory != nil else {
            throw ServerError(
                code: .configurationInvalid, reason: "a console beyond loopback needs operators", status: .internalServerError)
        }
        let directory = configuration.operatorsSignIn ? directory : nil
        let router = surroundings.router(for: configuration.consoleListener)
        assets.add(to: router)
        TraceIntakeRoutes(store: store, configuration: configuration).add(to: router)
        let operators = OperatorRoutes(directory: directory, approvals: approvals)
        operators.addSignIn(to: router)
        if directory != nil { router.get("/sign-in") { [pages] _, _ in Self.page(try pages.signIn()) } }

        let inside = router.group().add(middleware: OperatorAuthentication(directory: directory))
        operators.add(to: inside)
        StoryRoutes(store: store, heartbeat: heartbeat).add(to: inside)
        inside.get("/metrics") { [metrics = surroundings.metrics] _, context in
            _ = try context.operatorInRole(.viewer)
            return MetricsRoutes.answer(metrics)
        }
        if configuration.mode == .test { faultPlans?.add(to: inside) }
        addPages(to: inside, configuration)
        return router
    }

    private func addPages(to router: some RouterMethods<ServerRequestContext>, _ configuration: ServerConfiguration) {
        let mode = configuration.mode
        let roles = configuration.roles.sorted { $0.rawValue < $1.rawValue }
        router.get("/") { [store, pages] _, context in
            let home = ConsoleHome(
                mode: mode, roles: roles, operatorIdentity: try context.operatorInRole(.viewer), stories: store.recentStories())
            return Self.page(try pages.home(home))
        }
        router.get("/stories/{id}") { [store, pages] _, context in
            let identity = try context.operatorInRole(.viewer)
            let id = context.parameters.get("id")?.removingPercentEncoding ?? ""
            guard let story = store.story(id) else {
                let problem = ConsoleProblem(status: 404, code: "not-found", reason: "no story has that id")
                return Self.page(try pages.problem(problem), status: .notFound)
            }
            let last = story.arrivals.map(\.sequence).max() ?? 0
            let path = "/api/stories/\(PathText.encoded(story.id))/events?after=\(last)"
            return Self.page(try pages.story(ConsoleStory(story: story, eventsPath: path, operatorIdentity: identity)))
        }
        if let approvals {
            router.get("/approvals") { [pages] _, context in
                let identity = try context.operatorInRole(.viewer)
                let model = ConsoleApprovals(
                    requests: try await approvals.requests(), operatorIdentity: identity, csrfToken: context.operatorSession?.csrfToken)
                return Self.page(try pages.approvals(model))
            }
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
            default: "%" + Hexadecimal.text([byte]).uppercased()
            }
        }.joined()
    }
}
