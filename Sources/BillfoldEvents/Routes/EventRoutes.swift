import BillfoldJSON
import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import HTTPTypes
import Hummingbird

/// What happened to an owner's objects, for its back end: `GET …/events`, one event, its deliveries, a resend, and
/// `GET …/events/stream` as server-sent events.
struct EventRoutes: Sendable {
    typealias Owner = @Sendable (Request) async throws -> MerchantID

    private static let (usualPage, largestPage) = (50, 200)
    private static let bodyLimit = 16_384
    /// Deliveries of one event that are told.
    private static let mostDeliveries = 50

    let context: EventContext
    /// Whose key a request carries; throws where it is nobody's.
    let owner: Owner

    private var endpoints: WebhookEndpoints { WebhookEndpoints(context: context) }

    func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        let path = context.configuration.prefix + "/events"
        router.get("\(path)") { request, _ in try await read(request) }
        router.get("\(path)/stream") { request, _ in try await stream(request) }
        router.get("\(path)/:id") { request, context in
            let owner = try await owner(request)
            return JSONAnswer.verbatim(try await endpoints.event(context.parameters.require("id"), of: owner).document)
        }
        router.get("\(path)/:id/deliveries") { request, context in
            let owner = try await owner(request)
            let log = try await endpoints.log(of: context.parameters.require("id"), owner: owner, limit: Self.mostDeliveries)
            return try JSONAnswer.make(DeliveriesView(log))
        }
        router.post("\(path)/:id/resend") { request, context in
            let owner = try await owner(request)
            let endpoint = try await Self.wantedEndpoint(request)
            let sent = try await endpoints.resend(context.parameters.require("id"), to: endpoint, of: owner)
            return try JSONAnswer.make(DeliveriesView(sent), status: .accepted)
        }
    }

    private static func wantedEndpoint(_ request: Request) async throws -> String? {
        let bytes = try await request.bytes(upTo: bodyLimit)
        guard !bytes.isEmpty else { return nil }
        try request.requireMediaType("application/json")
        return try EventRequestReader(bytes, allowing: ["endpoint"]).optionalText("endpoint", maximum: 64)
    }

    private func read(_ request: Request) async throws -> Response {
        let owner = try await owner(request)
        let query = try request.query(allowing: ["after", "limit", "type", "object"])
        let limit = try query["limit"].map { text in
            guard let limit = Int(text), (1...Self.largestPage).contains(limit), String(limit) == text else {
                throw EventRequestReader.malformed("limit", "is not an integer from 1 to \(Self.largestPage)")
            }
            return limit
        }
        let (after, filter) = (try Self.cursor(query["after"], "after"), try Self.filter(query))
        let page = try await context.database.read { tx in
            try EventRecords.page(of: owner, after: after?.place, filter: filter, limit: limit ?? Self.usualPage, in: tx)
        }
        switch page {
        case .failure(let gap): throw EventRefusals.gap(gap)
        case .success(let page):
            let documents = try page.events.map { try $0.event.document }
            let tail = try JSONDocument.encode(PageTail(hasMore: page.hasMore, next: EventCursor(page.next).description))
            return JSONAnswer.verbatim(
                Array(#"{"events":["#.utf8) + documents.joined(separator: [UInt8(ascii: ",")]) + Array("],".utf8) + tail.dropFirst(),
                headers: [.cacheControl: "no-store"])
        }
    }

    private struct PageTail: Encodable {
        var hasMore: Bool
        /// Where to read on, also when there is no more now.
        var next: String
    }

    /// As server-sent events, from the cursor on that `Last-Event-ID` or `after` names, or from now on.
    private func stream(_ request: Request) async throws -> Response {
        let owner = try await owner(request)
        let query = try request.query(allowing: ["after", "type", "object"])
        let last = try Self.cursor(request.headers[.lastEventID], "Last-Event-ID") ?? Self.cursor(query["after"], "after")
        let filter = try Self.filter(query)
        let head = try await context.database.read { tx in
            let end = try EventRecords.head(of: owner, in: tx).position
            return try EventRecords.page(of: owner, after: last?.place ?? end, filter: filter, limit: 1, in: tx).map { _ in end }
        }
        let end: Int64
        switch head {
        case .failure(let gap): throw EventRefusals.gap(gap)
        case .success(let place): end = place
        }
        let most = context.configuration.mostStreams
        guard let listener = context.news.listen(to: owner, most: most) else { throw EventRefusals.tooManyStreams(most) }
        let stream = EventStream(
            context: context, listener: listener, owner: owner, filter: filter, start: last?.place ?? end)
        return Response(
            status: .ok, headers: [.contentType: "text/event-stream; charset=utf-8", .cacheControl: "no-store"],
            body: ResponseBody { writer in
                try await stream.write { try await writer.write(ByteBuffer(bytes: $0)) }
                try await writer.finish(nil)
            })
    }

    private static func cursor(_ text: String?, _ name: String) throws -> EventCursor? {
        try text.map { text in
            guard let cursor = EventCursor(text) else { throw EventRequestReader.malformed(name, "is no cursor of ours") }
            return cursor
        }
    }

    /// `type` is one type or several with commas between them.
    private static func filter(_ query: [String: String]) throws -> EventRecords.Filter {
        let object = query["object"]
        guard object.map({ (1...128).contains($0.utf8.count) && $0.utf8.allSatisfy { (0x21...0x7E).contains($0) } }) ?? true else {
            throw EventRequestReader.malformed("object", "is no object's id")
        }
        let names = query["type"]?.split(separator: ",", omittingEmptySubsequences: false).map(String.init) ?? []
        return EventRecords.Filter(types: try EventRequestReader.types(names, "type"), object: object)
    }
}

extension HTTPField.Name {
    fileprivate static let lastEventID = HTTPField.Name("Last-Event-ID")!  // swift-format-ignore: NeverForceUnwrap
}
