import BillfoldServer
import Foundation
import HTTPTypes
import Hummingbird
import PaymentCrypto

/// What operators do about cards in wallets, as JSON. Each takes the role `operator` and answers 204, if nothing else is said; ending a review
/// takes two persons and goes through `/api/approvals`.
///
/// - `PUT /api/provisioning/programmes/{id}/switch` and `PUT /api/provisioning/cards/{id}/switch` `{"on","remark"}`
/// - `POST /api/provisioning/cards/{id}/replacement` `{"remark"}`
/// - `POST /api/provisioning/allow-list` `{"card","secureElement","allowed","remark"?}`
/// - `POST /api/provisioning/tokens/{reference}/actions` `{"action","reason"}`
/// - `POST /api/provisioning/stops/{id}` `{"do":"retry|resolve","remark"}`
/// - `POST /api/provisioning/lost-devices` `{"secureElement"}`, answered with 200 and `{"tokens"}`
/// - `POST /api/provisioning/found-devices` `{"secureElement","remark"}`
struct ProvisioningRoutes: Sendable {
    private struct Turn: OperatorBody {
        static let members: Set = ["on", "remark"]
        var on: Bool
        var remark: String
    }
    private struct Listing: OperatorBody {
        static let members: Set = ["card", "secureElement", "allowed", "remark"]
        var card: String
        var secureElement: String
        var allowed: Bool
        var remark: String?
    }
    private struct Deed: OperatorBody {
        static let members: Set = ["action", "reason"]
        var action: ProvisioningAction
        var reason: ProvisioningActionReason
    }
    private struct Resolution: OperatorBody {
        enum Deed: String, Decodable {
            case retry, resolve
        }
        static let members: Set = ["do", "remark"]
        var `do`: Deed
        var remark: String
    }
    private struct Lost: OperatorBody {
        static let members: Set = ["secureElement"]
        var secureElement: String
    }
    private struct Stopped: Encodable {
        /// How many tokens are being suspended, or deleted where nobody was verified.
        var tokens: Int
    }
    private struct Found: OperatorBody {
        static let members: Set = ["secureElement", "remark"]
        var secureElement: String
        var remark: String
    }

    let desk: any ProvisioningDesk

    func add(to router: some RouterMethods<ServerRequestContext>) {
        let desk = desk
        router.put("/api/provisioning/programmes/{id}/switch") { request, context in
            let (turn, person) = try await Turn.read(request, context)
            let isKnown = try await desk.switchProgramme(
                context.pathPart("id"), on: turn.on, remark: OperatorRemark.checked(turn.remark), by: person)
            return try Self.done(isKnown, "the issuer has no programme of that id")
        }
        router.put("/api/provisioning/cards/{id}/switch") { request, context in
            let (turn, person) = try await Turn.read(request, context)
            let isKnown = try await desk.switchCard(
                context.pathPart("id"), on: turn.on, remark: OperatorRemark.checked(turn.remark), by: person)
            return try Self.done(isKnown, "the issuer has no card of that id")
        }
        router.post("/api/provisioning/cards/{id}/replacement") { request, context in
            let (remark, person) = try await OperatorRemark.read(request, context)
            let isKnown = try await desk.replaceCard(
                context.pathPart("id"), remark: OperatorRemark.checked(remark.remark), by: person)
            return try Self.done(isKnown, "the issuer has no card of that id")
        }
        router.post("/api/provisioning/allow-list") { request, context in
            let (listing, person) = try await Listing.read(request, context)
            let isKnown = try await desk.allow(
                listing.allowed, card: listing.card, secureElement: Self.secureElement(listing.secureElement),
                remark: listing.remark.map(OperatorRemark.checked) ?? "", by: person)
            return try Self.done(isKnown, "the issuer has no card of that id")
        }
        router.post("/api/provisioning/tokens/{reference}/actions") { request, context in
            let (deed, person) = try await Deed.read(request, context)
            let isKnown = try await desk.act(
                deed.action, on: context.pathPart("reference"), reason: deed.reason, by: person)
            return try Self.done(isKnown, "the issuer knows no such token")
        }
        router.post("/api/provisioning/stops/{id}") { request, context in
            let (resolution, person) = try await Resolution.read(request, context)
            let isOpen = try await desk.resolveStop(
                context.pathPart("id"), retry: resolution.do == .retry, remark: OperatorRemark.checked(resolution.remark), by: person
            )
            return try Self.done(isOpen, "no stop of that id is open")
        }
        router.post("/api/provisioning/lost-devices") { request, context in
            let (lost, person) = try await Lost.read(request, context)
            let count = try await desk.reportLost(secureElement: Self.secureElement(lost.secureElement), by: person)
            return try JSONAnswer.make(Stopped(tokens: count))
        }
        router.post("/api/provisioning/found-devices") { request, context in
            let (found, person) = try await Found.read(request, context)
            let isLost = try await desk.reportFound(
                secureElement: Self.secureElement(found.secureElement), remark: OperatorRemark.checked(found.remark), by: person)
            return try Self.done(isLost, "that secure element does not count as lost")
        }
    }

    private static func done(_ isKnown: Bool, _ reason: String) throws(ServerError) -> Response {
        guard isKnown else { throw ServerError(code: .notFound, reason: reason, status: .notFound) }
        return Response(status: .noContent)
    }

    /// Lower-case hexadecimal digits.
    private static func secureElement(_ text: String) throws(ServerError) -> String {
        guard let bytes = try? Hexadecimal.decode(text), bytes.count == 24 else {
            throw ServerError(
                code: .malformedRequest, reason: "a secure element has 48 hexadecimal digits", status: .unprocessableContent)
        }
        return Hexadecimal.encode(bytes)
    }
}
