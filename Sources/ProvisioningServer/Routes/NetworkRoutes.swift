import ApplePay
import BillfoldJSON
import BillfoldServer
import BillfoldStorage
import BillfoldTrace
import HTTPTypes
import Hummingbird

/// What card networks ask of the issuer and tell it, under `/network/v1`. Bodies are read whole and strictly; every answer is JSON.
struct NetworkRoutes: Sendable {
    let context: TokenContext

    func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        router.post("/network/v1/decisions") { request, _ in try await decide(request) }
        router.post("/network/v1/codes") { request, _ in try await deliverCode(request) }
        router.post("/network/v1/events") { request, _ in try await takeEvent(request) }
    }

    private func decide(_ request: Request) async throws -> Response {
        let network = try await network(request)
        let body = try DecisionRequest(try await request.json())
        guard body.network == network else { throw RequestReader.malformed("network", "is another than the one that asks") }
        let attempt = context.host.trace.attempt(request.headers)
        let told = body.recommendation
        let asked: [TraceEntry.Field] = [
            .init("requestId", body.id), .init("network", network.rawValue),
            .init("device", "\(body.device.kind.rawValue) \(body.device.name)"),
            .init("outcome", told.outcome.rawValue, meaning: "what the wallet recommends"),
            .init("reasons", (told.reasons.map(\.rawValue) + body.otherReasons).joined(separator: " ")),
            .init(
                "scores",
                [told.deviceScore, told.accountScore, told.phoneNumberScore].map { $0.map { String($0.value) } ?? "-" }.joined(
                    separator: " "),
                meaning: "device, account, phone number; 5 is best"),
            .init("activation", body.activation.isPresent ? body.activation.isValid ? "valid" : "invalid" : "none"),
        ]
        return try await context.host.trace.exchange(
            request, from: ProvisioningTrace.network, title: "decision", asked: asked, about: ["provisioning.token": body.token]
        ) {
            let answer = try await DecisionService(context: context).decide(body, attempt: attempt["provisioning.attempt"])
            // How the bank came to its answer belongs to the story, whoever reported the messages.
            let card = try? await context.database.read({ try DecisionRecords.find(token: body.token, in: $0)?.card })
            context.host.trace.note(
                "decision made",
                fields: [
                    .init("card", card ?? "none", meaning: "The bank's id of it."), .init("colour", answer.colour.rawValue),
                    .init("reasons", answer.reasons.map(\.rawValue).joined(separator: " ")),
                ],
                about: attempt.merging(["provisioning.token": body.token]) { known, _ in known })
            return (
                try JSONAnswer.make(answer, headers: [.cacheControl: "no-store"]),
                [.init("decision", answer.decision), .init("colour", answer.colour.rawValue)]
            )
        }
    }

    private func deliverCode(_ request: Request) async throws -> Response {
        struct Delivered: Encodable { var delivered = true }
        let network = try await network(request)
        let body = try CodeService.Request(try await request.json())
        let asked: [TraceEntry.Field] = [.init("requestId", body.id), .init("methodIdentifier", body.method), .init("code", "‹secret›")]
        return try await context.host.trace.exchange(
            request, from: ProvisioningTrace.network, title: "code", asked: asked, about: ["provisioning.token": body.token]
        ) {
            try await CodeService(context: context).deliver(body, from: network)
            return (try JSONAnswer.make(Delivered(), status: .accepted), [])
        }
    }

    private func takeEvent(_ request: Request) async throws -> Response {
        let network = try await network(request)
        let event = try TokenEvent(try await request.json())
        let asked: [TraceEntry.Field] = [
            .init("eventId", event.id), .init("kind", event.kind.rawValue), .init("state", event.told.snapshot.state.rawValue),
            .init("suspendedBy", event.told.snapshot.suspendedBy.sorted().map(\.rawValue).joined(separator: " ")),
            .init("sequence", String(event.told.snapshot.sequence)),
        ]
        return try await context.host.trace.exchange(
            request, from: ProvisioningTrace.network, title: "token event", asked: asked,
            about: ["provisioning.token": event.told.reference]
        ) {
            let effect = try await LifeCycleService(context: context).take(event, from: network)
            return (try JSONAnswer.make([String: String]()), [.init("effect", effect.rawValue)])
        }
    }

    /// The network whose key the request carries.
    private func network(_ request: Request) async throws -> CardScheme {
        let wanted = "a card network's key"
        let caller = try await context.host.callerKeys.require(request.bearer, wanted) { if case .network = $0 { true } else { false } }
        guard case .network(let scheme) = caller else { throw AppSessions.unauthorized(.otherKey, wanted) }
        return scheme
    }
}
