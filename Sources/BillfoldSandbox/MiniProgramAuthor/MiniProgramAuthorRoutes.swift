import BillfoldTrace
import HTTPTypes
import Hummingbird

/// The author's server over HTTP, below `/author`.
///
/// | address | |
/// |---|---|
/// | `POST /v1/sessions` | a code of `my.getAuthCode` becomes a session of the author's |
/// | `POST /v1/orders`, `POST /v1/orders/{number}/state` | an order for `my.tradePay`, and what became of it |
/// | `GET /v1/programs` | the mini programs, as far as they are published, with the codes that open them |
/// | `/v1/faults/…` | the fault plan: see ``PartyFault`` |
/// | `GET /postcards/…` | the pages of the HTML5 mini program |
///
/// A request may carry `X-Billfold-Run`: what is reported for it belongs to that run of a mini program.
struct MiniProgramAuthorRoutes: Sendable {
    let service: AuthorService
    let pages: AuthorPages

    func addRoutes<Context: RequestContext>(to router: some RouterMethods<Context>) {
        let (service, pages) = (service, pages)
        let intake = PartyIntake(party: .author, reporter: service.surroundings.reporter, faults: service.faults)
        let author = router.group("author").add(middleware: SandboxErrors())
        author.get("postcards/{file}") { _, context in try pages.answer(context.parameters.get("file") ?? "") }
        let api = author.group("v1")
        api.post("sessions") { request, _ in
            try await intake.take(request, as: "sign-in", from: .miniProgram) { read in
                let asked = try read.decode(AuthorWire.SignIn.self)
                return try SandboxBody.json(await service.signIn(asked, about: read.correlation), status: .created)
            }
        }
        api.post("orders") { request, _ in
            try await intake.take(request, as: "order", from: .miniProgram) { read in
                let asked = try read.decode(AuthorWire.Placing.self)
                return try SandboxBody.json(await service.order(asked, about: read.correlation), status: .created)
            }
        }
        api.post("orders/{number}/state") { request, context in
            let number = context.parameters.get("number") ?? ""
            return try await intake.take(request, as: "order-state", from: .miniProgram) { read in
                _ = try read.decode(AuthorWire.Asking.self)
                return try SandboxBody.json(await service.state(of: number, about: read.correlation))
            }
        }
        api.get("programs") { _, _ in try SandboxBody.json(await service.published()) }
        service.faults.addRoutes(to: api)
    }
}
