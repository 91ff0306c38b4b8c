import BillfoldJSON
import BillfoldServer
import BillfoldStorage
import BillfoldTrace
import HTTPTypes
import Hummingbird
import Logging

/// What the bank's back end reports of its cards, one by one or many at once: `POST /bank/v1/card-events`, `POST
/// /bank/v1/card-event-batches`, and `GET /bank/v1/card-events` for what came.
struct CardEventRoutes: Sendable {
    /// How many events a batch has at most.
    private static let most = 1_000
    /// How long a batch is worked on. What is left then is answered `timed-out`, and sent again.
    private static let budget = Duration.seconds(10)

    let context: TokenContext

    private var requests: BankRequests { BankRequests(context: context) }
    private var service: CardEventService { CardEventService(context: context) }

    func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        router.post("/bank/v1/card-events") { request, _ in
            try await requests.authorize(request)
            let event = try BankCardEvent(RequestReader(try await request.json(), allowing: BankCardEvent.members))
            let about = ["provisioning.card": event.card]
            return try await context.host.trace.exchange(
                request, from: ProvisioningTrace.bank, title: "card event",
                asked: [.init("eventId", event.id), .init("kind", event.kind.rawValue)], about: about
            ) {
                let answer = try await service.take(event)
                return (BankRequests.stored(answer), answer.isRepeated ? [.init("repeated", "true")] : [])
            }
        }
        router.post("/bank/v1/card-event-batches") { request, _ in
            try await requests.authorize(request)
            let body = try await request.json(upTo: BankRequests.largest)
            let values = try RequestReader(large: body, allowing: ["events"]).values("events", maximum: Self.most)
            return try await context.host.trace.exchange(
                request, from: ProvisioningTrace.bank, title: "card events", asked: [.init("events", String(values.count))], about: [:]
            ) { (try await take(values), []) }
        }
        router.get("/bank/v1/card-events") { request, _ in try await list(request) }
    }

    // MARK: Batches

    private struct Failure: Encodable {
        struct Reason: Encodable {
            var code: String
            var reason: String
        }

        var eventId: String?
        var error: Reason
    }

    /// Each event has a result of its own, in the order in which they came; a repeated one has the first one's.
    private func take(_ values: [JSONValue]) async throws -> Response {
        let end = ContinuousClock.now + Self.budget
        var answer = Array(#"{"results":["#.utf8)
        for (place, value) in values.enumerated() {
            if place > 0 { answer += Array(",".utf8) }
            answer += try await result(of: value, until: end)
        }
        return JSONAnswer.verbatim(answer + Array("]}".utf8), headers: [.cacheControl: "no-store"])
    }

    private func result(of value: JSONValue, until end: ContinuousClock.Instant) async throws -> [UInt8] {
        do {
            guard let object = value.object else { throw RequestReader.malformed("events", "holds something other than objects") }
            let event = try BankCardEvent(RequestReader(object, path: "events.", allowing: BankCardEvent.members))
            guard ContinuousClock.now < end else {
                throw ProvisioningError(code: .timedOut, reason: "this took too long, please send the event again")
            }
            return try await service.take(event).answer
        } catch {
            let id = value.object?["eventId"]?.string.flatMap { $0.utf8.count <= 64 ? $0 : nil }
            return try JSONDocument.encode(Failure(eventId: id, error: failure(for: error, of: id)))
        }
    }

    /// What an event is answered that was not taken: what it would be answered alone. One that we failed at keeps none of the others out.
    private func failure(for error: any Error, of id: String?) -> Failure.Reason {
        if let refusal = ErrorMapping().withProvisioning().refusal(for: error) {
            return .init(code: refusal.code, reason: refusal.reason)
        }
        context.host.logger.error(
            "an event of a batch was not taken", metadata: ["event": "\(id ?? "")", "error": "\(ErrorMapping.logDescription(of: error))"])
        return .init(code: "internal", reason: "this is our fault; the event was not taken, please send it again")
    }

    // MARK: Lists

    private struct Listed: Encodable {
        struct Event: Encodable {
            var eventId: String
            var card: String
            var kind: CardEvent
            var effect: StoredCardEvent.Effect
            var actions: Int
            var occurredAt: Int64
            var takenAt: Int64
            var remark: String?
        }

        var events: [Event]
        var next: String?
    }

    private func list(_ request: Request) async throws -> Response {
        try await requests.authorize(request)
        let (query, filter) = try request.page(of: "card events", keys: [.integer, .text], filters: ["card"])
        let card = try filter["card"].map { text throws(ProvisioningError) in try BankRequests.card(text, "card") }
        let rows = try await context.database.read { tx in
            try CardEventRecords.list(card: card, after: query.after, limit: query.fetched, in: tx)
        }
        let page = query.page(of: rows) { [.integer($0.at.microseconds), .text($0.id)] }
        return try BankRequests.fresh(
            Listed(
                events: page.items.map {
                    .init(
                        eventId: $0.id, card: $0.card, kind: $0.kind, effect: $0.effect, actions: $0.asked,
                        occurredAt: $0.occurredAt.milliseconds, takenAt: $0.at.milliseconds, remark: $0.remark)
                }, next: page.next))
    }
}

extension BankCardEvent {
    static let members = ["eventId", "card", "kind", "occurredAt", "remark"]

    init(_ body: RequestReader) throws(ProvisioningError) {
        id = try body.identifier("eventId")
        card = try body.card("card")
        kind = try RequestReader.known(body.text("kind"), in: "kind")
        occurredAt = try body.instant("occurredAt")
        remark = try body.optionalText("remark", maximum: 200)
    }
}
