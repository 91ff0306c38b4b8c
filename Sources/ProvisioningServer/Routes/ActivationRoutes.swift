import ApplePay
import BillfoldJSON
import BillfoldServer
import BillfoldStorage
import BillfoldTrace
import HTTPTypes
import Hummingbird

/// `POST /provisioning/v1/cards/{id}/activations`: whoever is logged in to the bank's app confirms a token.
struct ActivationRoutes: Sendable {
    let context: TokenContext

    private struct Answer: Encodable {
        var tokenReference: String
        /// Whether the token can be paid with already; otherwise it will be in a moment.
        var active: Bool
    }

    func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        router.post("/provisioning/v1/cards/:id/activations") { request, context in
            try await activate(request, card: try context.parameters.require("id"))
        }
    }

    private func activate(_ request: Request, card: String) async throws -> Response {
        let session = try await AppSessions(context: context.host).session(bearer: request.bearer)
        let token = try RequestReader(try await request.json(), allowing: ["tokenReference"]).identifier("tokenReference")
        let about = ["provisioning.session": session.id.description, "provisioning.token": token]
        return try await context.host.trace.exchange(request, from: ProvisioningTrace.app, title: "activation", asked: [], about: about) {
            let isActive = try await AppVerification(context: context).activate(token, card: card, customer: session.customer)
            return (
                try JSONAnswer.make(Answer(tokenReference: token, active: isActive), status: .accepted), [.init("active", String(isActive))]
            )
        }
    }
}

extension ProvisioningTrace {
    /// Reports a request and what it was answered, refusals included, unless its caller does.
    ///
    /// - Parameter asked: Decoded and masked.
    func exchange(
        _ request: Request, from party: Party, title: String, asked: [TraceEntry.Field], about: [String: String],
        _ operation: () async throws -> (Response, [TraceEntry.Field])
    ) async throws -> Response {
        guard !isReportedByCaller(request.headers) else { return try await operation().0 }
        let about = about.merging(attempt(request.headers)) { known, _ in known }
        record(title, .request, from: party, to: Self.issuer, fields: asked, about: about)
        do {
            let (response, answered) = try await operation()
            record(title, .response, from: Self.issuer, to: party, fields: answered, about: about)
            return response
        } catch {
            let told = (error as? any ServedError)?.told ?? "refused"
            record(title, .response, from: Self.issuer, to: party, about: about, problem: told)
            throw error
        }
    }
}
