import Foundation
import HTTPTypes
import Hummingbird

/// What operators do about cards in wallets, as JSON. Each takes the role `operator` and answers 204; ending a review takes two
/// persons and goes through `/api/approvals`.
///
/// - `PUT /api/provisioning/programmes/{id}/switch` and `PUT /api/provisioning/cards/{id}/switch` `{"on","remark"}`
/// - `POST /api/provisioning/cards/{id}/replacement` `{"remark"}`
/// - `POST /api/provisioning/allow-list` `{"card","secureElement","allowed","remark"?}`
/// - `POST /api/provisioning/tokens/{reference}/actions` `{"action","reason"}`
/// - `POST /api/provisioning/lost-devices` `{"secureElement"}`
struct ProvisioningRoutes: Sendable {
    private static let longestRemark = 500

    /// A body with no other members than these.
    private protocol ClosedBody: Decodable, Sendable {
        static var members: Set<String> { get }
    }

    private struct Turn: ClosedBody {
        static let members: Set = ["on", "remark"]
        var on: Bool
        var remark: String
    }
    private struct Remark: ClosedBody {
        static let members: Set = ["remark"]
        var remark: String
    }
    private struct Listing: ClosedBody {
        static let members: Set = ["card", "secureElement", "allowed", "remark"]
        var card: String
        var secureElement: String
        var allowed: Bool
        var remark: String?
    }
    private struct Deed: ClosedBody {
        static let members: Set = ["action", "reason"]
        var action: ProvisioningAction
        var reason: ProvisioningActionReason
    }
    private struct Lost: ClosedBody {
        static let members: Set = ["secureElement"]
        var secureElement: String
    }

    let desk: any ProvisioningDesk

    func add(to router: some RouterMethods<ServerRequestContext>) {
        let desk = desk
        router.put("/api/provisioning/programmes/{id}/switch") { request, context in
            let (turn, person) = try await Self.read(Turn.self, request, context)
            let isKnown = try await desk.switchProgramme(
                Self.parameter("id", context), on: turn.on, remark: Self.remark(turn.remark), by: person)
            return try Self.done(isKnown, "the issuer has no programme of that id")
        }
        router.put("/api/provisioning/cards/{id}/switch") { request, context in
            let (turn, person) = try await Self.read(Turn.self, request, context)
            let isKnown = try await desk.switchCard(
                Self.parameter("id", context), on: turn.on, remark: Self.remark(turn.remark), by: person)
            return try Self.done(isKnown, "the issuer has no card of that id")
        }
        router.post("/api/provisioning/cards/{id}/replacement") { request, context in
            let (remark, person) = try await Self.read(Remark.self, request, context)
            let isKnown = try await desk.replaceCard(
                Self.parameter("id", context), remark: Self.remark(remark.remark), by: person)
            return try Self.done(isKnown, "the issuer has no card of that id")
        }
        router.post("/api/provisioning/allow-list") { request, context in
            let (listing, person) = try await Self.read(Listing.self, request, context)
            let isKnown = try await desk.allow(
                listing.allowed, card: listing.card, secureElement: Self.secureElement(listing.secureElement),
                remark: listing.remark.map(Self.remark) ?? "", by: person)
            return try Self.done(isKnown, "the issuer has no card of that id")
        }
        router.post("/api/provisioning/tokens/{reference}/actions") { request, context in
            let (deed, person) = try await Self.read(Deed.self, request, context)
            let isKnown = try await desk.act(
                deed.action, on: Self.parameter("reference", context), reason: deed.reason, by: person)
            return try Self.done(isKnown, "the issuer knows no such token")
        }
        router.post("/api/provisioning/lost-devices") { request, context in
            let (lost, person) = try await Self.read(Lost.self, request, context)
            let count = try await desk.reportLost(secureElement: Self.secureElement(lost.secureElement), by: person)
            return try Self.done(count > 0, "no token that could be suspended is in that secure element")
        }
    }

    private static func read<Body: ClosedBody>(
        _ type: Body.Type, _ request: Request, _ context: ServerRequestContext
    ) async throws -> (body: Body, person: String) {
        let person = try context.operatorInRole(.operator)
        try request.requireMediaType("application/json")
        let bytes = try await Data(request.body.collect(upTo: 16_384).readableBytesView)
        let body = try JSONDecoder().decode(type, from: bytes)
        let sent = try JSONSerialization.jsonObject(with: bytes) as? [String: Any] ?? [:]
        guard Set(sent.keys).isSubset(of: Body.members) else {
            throw ServerError(
                code: .malformedRequest, reason: "the body has a member that this operation does not take", status: .badRequest)
        }
        return (body, person.name)
    }

    private static func parameter(_ name: String, _ context: ServerRequestContext) -> String {
        context.parameters.get(name)?.removingPercentEncoding ?? ""
    }

    private static func done(_ isKnown: Bool, _ reason: String) throws(ServerError) -> Response {
        guard isKnown else { throw ServerError(code: .notFound, reason: reason, status: .notFound) }
        return Response(status: .noContent)
    }

    private static func remark(_ text: String) throws(ServerError) -> String {
        let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard (1...longestRemark).contains(trimmed.count) else {
            throw ServerError(
                code: .malformedRequest, reason: "a remark has 1 to \(longestRemark) characters", status: .unprocessableContent)
        }
        return trimmed
    }

    /// Lower-case hexadecimal digits.
    private static func secureElement(_ text: String) throws(ServerError) -> String {
        guard let bytes = Hexadecimal.bytes(text.lowercased()), bytes.count == 24 else {
            throw ServerError(
                code: .malformedRequest, reason: "a secure element has 48 hexadecimal digits", status: .unprocessableContent)
        }
        return Hexadecimal.text(bytes)
    }
}
