import BillfoldJSON
import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import HTTPTypes
import Hummingbird

/// An owner's endpoints: `…/webhook-endpoints`.
struct WebhookEndpointRoutes: Sendable {
    private static let bodyLimit = 16_384
    /// How long both keys sign where nobody says otherwise, and at most.
    private static let (usualOverlap, longestOverlap): (Int64, Int64) = (86_400, 604_800)

    let context: EventContext
    let owner: EventRoutes.Owner

    private var endpoints: WebhookEndpoints { WebhookEndpoints(context: context) }

    func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        let path = context.configuration.prefix + "/webhook-endpoints"
        router.post("\(path)") { request, _ in
            let owner = try await owner(request)
            let wish = try await Self.wish(request, isNew: true)
            let (endpoint, secret) = try await endpoints.add(wish, to: owner)
            return try answer(endpoint, secret: secret, status: .created)
        }
        router.get("\(path)") { request, _ in
            let owner = try await owner(request)
            let now = context.clock.now()
            return try JSONAnswer.make(EndpointsView(endpoints: try await endpoints.all(of: owner).map { EndpointView($0, at: now) }))
        }
        router.get("\(path)/:id") { request, context in
            let owner = try await owner(request)
            return try answer(await endpoints.find(context.parameters.require("id"), of: owner))
        }
        router.patch("\(path)/:id") { request, context in
            let owner = try await owner(request)
            let wish = try await Self.wish(request, isNew: false)
            return try answer(await endpoints.change(context.parameters.require("id"), wish, of: owner))
        }
        router.delete("\(path)/:id") { request, context in
            let owner = try await owner(request)
            try await request.wholeWithoutBody()
            try await endpoints.delete(context.parameters.require("id"), of: owner)
            return Response(status: .noContent)
        }
        router.post("\(path)/:id/rotation") { request, context in
            let owner = try await owner(request)
            let overlap = try await Self.overlap(request)
            let (endpoint, secret) = try await endpoints.rotate(context.parameters.require("id"), overlap: overlap, of: owner)
            return try answer(endpoint, secret: secret)
        }
    }

    private func answer(_ endpoint: WebhookEndpoint, secret: String? = nil, status: HTTPResponse.Status = .ok) throws -> Response {
        try JSONAnswer.make(
            EndpointView(endpoint, at: context.clock.now(), secret: secret), status: status, headers: [.cacheControl: "no-store"])
    }

    private static func wish(_ request: Request, isNew: Bool) async throws -> WebhookEndpoints.Wish {
        let body = try EventRequestReader(
            await request.json(upTo: bodyLimit), allowing: ["url", "events", "description", "enabled"])
        let url = isNew || body.object["url"] != nil ? try body.text("url", maximum: 1_024) : nil
        let names = try body.object["events"].map { _ in try body.texts("events", maximum: EventType.all.count, length: 64) }
        return WebhookEndpoints.Wish(
            url: url, types: try names.map { try EventRequestReader.types($0, "events") },
            note: try body.optionalText("description"), isEnabled: try body.object["enabled"].map { _ in try body.bool("enabled") })
    }

    /// `{"overlap": seconds}`; a day where there is no body.
    private static func overlap(_ request: Request) async throws -> Duration {
        let bytes = try await request.bytes(upTo: bodyLimit)
        guard !bytes.isEmpty else { return .seconds(usualOverlap) }
        try request.requireMediaType("application/json")
        let body = try EventRequestReader(bytes, allowing: ["overlap"])
        guard body.object["overlap"] != nil else { return .seconds(usualOverlap) }
        return .seconds(try body.integer("overlap", in: 0...longestOverlap))
    }
}
