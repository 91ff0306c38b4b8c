import ApplePay
import BillfoldJSON
import BillfoldServer
import BillfoldStorage
import BillfoldTrace
import HTTPTypes
import Hummingbird

/// What the bank's back end and its app ask for, under `/provisioning/v1`. Bodies are read whole and strictly; every answer is JSON.
struct AppRoutes: Sendable {
    let sessions: AppSessions
    let cards: CustomerCards
    let passData: PassDataService
    let context: ProvisioningContext

    func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        let base = "/provisioning/v1"
        router.post("\(base)/sessions") { request, _ in try await openSession(request) }
        router.get("\(base)/cards") { request, _ in
            try await asApp(request, title: "cards") { session in try JSONAnswer.make(await cards.list(session)) }
        }
        router.get("\(base)/cards/:id/eligibility") { request, context in
            let id = try context.parameters.require("id")
            return try await asApp(request, title: "eligibility") { session in try JSONAnswer.make(await cards.eligibility(id, session)) }
        }
        router.get("\(base)/cards/:id/configuration") { request, context in
            let id = try context.parameters.require("id")
            return try await asApp(request, title: "configuration") { session in
                try JSONAnswer.make(await cards.configuration(id, session))
            }
        }
        router.post("\(base)/cards/:id/pass-data") { request, context in
            let id = try context.parameters.require("id")
            return try await asApp(request, title: "pass data") { session, about in
                let asked = try PassDataRequest(try await request.json())
                return JSONAnswer.verbatim(
                    try await passData.make(asked, card: id, session, about: about), headers: [.cacheControl: "no-store"])
            }
        }
        let documented = DocumentedCalls(cards: cards, passData: passData)
        router.post("\(base)/documented/configuration") { request, _ in
            try await asApp(request, title: "configuration") { session in
                try await documented.configuration(try await request.json(), session)
            }
        }
        router.post("\(base)/documented/pass-data") { request, _ in
            try await asApp(request, title: "pass data") { session, about in
                try await documented.passData(try await request.json(), session, about: about)
            }
        }
    }

    private func openSession(_ request: Request) async throws -> Response {
        try await context.callerKeys.requireBank(request.bearer)
        let body = try RequestReader(try await request.json(), allowing: ["customer", "device"])
        let (customer, device) = (try body.text("customer", maximum: 64), try body.text("device", maximum: 64))
        return try await traced(request, title: "session", about: [:]) { _ in
            let opened = try await sessions.open(customer: customer, device: device)
            return (
                try JSONAnswer.make(opened, status: .created, headers: [.cacheControl: "no-store"]),
                ["provisioning.session": opened.session]
            )
        }
    }

    /// Runs an operation for the customer whose session it is.
    private func asApp(_ request: Request, title: String, _ operation: (AppSession) async throws -> Response) async throws -> Response {
        try await asApp(request, title: title) { session, _ in try await operation(session) }
    }

    /// - Parameter operation: Is told what its own entries in the trace are about, too.
    private func asApp(
        _ request: Request, title: String, _ operation: (AppSession, _ about: [String: String]) async throws -> Response
    ) async throws -> Response {
        let session = try await sessions.session(bearer: request.bearer)
        return try await traced(request, title: title, about: ["provisioning.session": session.id.description]) { about in
            (try await operation(session, about), [:])
        }
    }

    /// Reports the exchange to the trace, refusals included, unless its caller does. Bodies are not shown.
    private func traced(
        _ request: Request, title: String, about: [String: String],
        _ operation: (_ about: [String: String]) async throws -> (Response, [String: String])
    ) async throws -> Response {
        let trace = context.trace
        let about = about.merging(trace.attempt(request.headers)) { known, _ in known }
        guard !trace.isReportedByCaller(request.headers) else { return try await operation(about).0 }
        trace.record(title, .request, from: ProvisioningTrace.app, to: ProvisioningTrace.issuer, about: about)
        do {
            let (response, learned) = try await operation(about)
            trace.record(
                title, .response, from: ProvisioningTrace.issuer, to: ProvisioningTrace.app,
                fields: [.init("status", String(response.status.code))], about: about.merging(learned) { _, new in new })
            return response
        } catch {
            let told = (error as? any ServedError)?.told ?? "refused"
            trace.record(title, .response, from: ProvisioningTrace.issuer, to: ProvisioningTrace.app, about: about, problem: told)
            throw error
        }
    }
}
