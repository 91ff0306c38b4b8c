import BillfoldDiagnosis
import BillfoldJSON
package import BillfoldTrace
import BillfoldWeb
import Foundation
import HTTPTypes
package import Hummingbird
import NIOCore
import PaymentCrypto
import ServiceLifecycle

/// Takes what parties in other processes report: `POST /trace`, a JSON array of entries, answered with 202 and a count.
///
/// The caller presents the shared token as `Authorization: Bearer`. Without a token it is open to this machine in test mode on
/// loopback, and closed everywhere else.
package struct TraceIntakeRoutes: Sendable {
    private let store: TraceStore
    private let codec: TraceCodec
    private let token: Secret<String>?
    private let isOpen: Bool

    package init(store: TraceStore, codec: TraceCodec = TraceCodec(), configuration: ServerConfiguration) {
        self.store = store
        self.codec = codec
        token = configuration.traceToken
        isOpen = configuration.isOpenToThisMachine && configuration.traceToken == nil
    }

    package func add(to router: some RouterMethods<ServerRequestContext>) {
        router.post("/trace") { [self] request, _ in
            try authenticate(request)
            try request.requireMediaType("application/json")
            let body = try await request.body.collect(upTo: 1_048_576)
            let entries: [TraceEntry]
            do {
                entries = try codec.decode(body.readableBytesView)
            } catch let error as TraceError {
                throw ServerError(code: .malformedRequest, reason: error.reason, status: .unprocessableContent)
            }
            await store.groupWhatWaits()
            return try JSONAnswer.make(["taken": store.ingest(entries)], status: .accepted)
        }
    }

    private func authenticate(_ request: Request) throws(ServerError) {
        if isOpen { return }
        guard let token, let sent = request.headers[.authorization], ConstantTime.equal(sent, "Bearer \(token.reveal())") else {
            throw ServerError(code: .signInRequired, reason: "the trace token is missing or wrong", status: .unauthorized)
        }
    }
}

/// Has the store group what waits before a story is told, without keeping others from the processor meanwhile.
struct StoryGrouping: RouterMiddleware {
    let store: TraceStore

    func handle(
        _ request: Request, context: ServerRequestContext, next: (Request, ServerRequestContext) async throws -> Response
    ) async throws -> Response {
        await store.groupWhatWaits()
        return try await next(request, context)
    }
}

/// Stories for pages and programs: `GET /api/stories`, `GET /api/stories/{id}`, and `GET /api/stories/{id}/events`, which goes on
/// as server-sent events for as long as the reader listens.
package struct StoryRoutes: Sendable {
    private let store: TraceStore
    private let heartbeat: Duration

    /// - Parameter heartbeat: How often a silent stream says that it is alive, so that proxies keep it and dead readers show.
    package init(store: TraceStore, heartbeat: Duration = .seconds(15)) {
        self.store = store
        self.heartbeat = heartbeat
    }

    package func add(to router: some RouterMethods<ServerRequestContext>) {
        router.get("/api/stories") { [store] request, context in
            _ = try context.operatorInRole(.viewer)
            let limit = try Self.number(request.query(allowing: ["limit"])["limit"], in: 1...500, "limit") ?? 50
            return try JSONAnswer.make(["stories": store.recentStories(limit: Int(limit)).map(StorySummary.init)])
        }
        router.get("/api/stories/{id}") { [store] _, context in
            _ = try context.operatorInRole(.viewer)
            guard let story = store.story(try Self.id(context)) else {
                throw ServerError(code: .notFound, reason: "no story has that id", status: .notFound)
            }
            return try JSONAnswer.make(StoryView(story))
        }
        router.get("/api/stories/{id}/events") { [store, heartbeat] request, context in
            _ = try context.operatorInRole(.viewer)
            let after = try Self.number(request.query(allowing: ["after"])["after"], in: 0...UInt64(Int64.max), "after")
            let last = try Self.number(request.headers[.lastEventID], in: 0...UInt64(Int64.max), "Last-Event-ID") ?? after
            return Self.events(of: store.arrivals(of: try Self.id(context), after: last ?? 0), heartbeat: heartbeat)
        }
    }

    /// A story's new entries as server-sent events: `id` is the store's sequence, `event` is `entry`, `data` is the entry's JSON. They end
    /// when the reader goes (the next write fails) and when the server is asked to stop, so that no page holds up a restart.
    private static func events(of arrivals: AsyncStream<TraceStory.Arrival>, heartbeat: Duration) -> Response {
        let events = ServerSentEvents(arrivals, heartbeat: heartbeat, retry: 2_000, backlog: 2_048) { arrival in
            .init(id: "\(arrival.sequence)", event: "entry", data: try JSONDocument.encode(arrival.entry))
        }
        return Response(
            status: .ok, headers: [.contentType: "text/event-stream; charset=utf-8", .cacheControl: "no-store"],
            body: ResponseBody { writer in
                try await withGracefulShutdownHandler {
                    try await events.write { try await writer.write(ByteBuffer(bytes: $0)) }
                } onGracefulShutdown: {
                    events.end()
                }
                try await writer.finish(nil)
            })
    }

    /// Reads plain decimal digits, or `nil` where there is no text.
    private static func number(_ text: String?, in range: ClosedRange<UInt64>, _ name: String) throws(ServerError) -> UInt64? {
        guard let text else { return nil }
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = UInt64(text), range.contains(number) else {
            throw ServerError(
                code: .malformedRequest, reason: "\(name) is a number from \(range.lowerBound) to \(range.upperBound)", status: .badRequest)
        }
        return number
    }

    private static func id(_ context: ServerRequestContext) throws(ServerError) -> String {
        guard let id = context.parameters.get("id")?.removingPercentEncoding, (1...256).contains(id.unicodeScalars.count) else {
            throw ServerError(code: .notFound, reason: "no story has that id", status: .notFound)
        }
        return id
    }
}

private struct StorySummary: Encodable {
    var id: String
    var correlation: [String: [String]]
    var entries: Int
    var startedAt: Int64
    var lastAt: Int64
    var titles: [String]
    var problems: Int

    init(_ story: TraceStory) {
        id = story.id
        correlation = story.correlation.mapValues { $0.sorted() }
        entries = story.arrivals.count
        startedAt = story.entries.first?.at ?? 0
        lastAt = story.entries.last?.at ?? 0
        titles = story.entries.prefix(3).map(\.title)
        problems = story.entries.count { $0.problem != nil }
    }
}

private struct StoryView: Encodable {
    var id: String
    var correlation: [String: [String]]
    var lastSequence: UInt64
    var entries: [TraceEntry]

    init(_ story: TraceStory) {
        id = story.id
        correlation = story.correlation.mapValues { $0.sorted() }
        lastSequence = story.arrivals.map(\.sequence).max() ?? 0
        entries = story.entries
    }
}

extension HTTPField.Name {
    fileprivate static let lastEventID = HTTPField.Name("Last-Event-ID")!  // swift-format-ignore: NeverForceUnwrap
}
