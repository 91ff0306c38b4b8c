import BillfoldWeb
import HTTPTypes
import Hummingbird

/// The pages about webhooks, and what operators do there.
///
/// - `GET /webhooks`: every endpoint.
/// - `GET /webhooks/{office}/{owner}`: an owner's endpoints and events.
/// - `GET /webhooks/{office}/{owner}/events/{event}`: one event with every attempt.
/// - `POST /api/webhooks/{office}/{owner}/events/{event}/endpoints/{endpoint}/resend` `{"remark"}` takes the role `operator` and answers
///   204.
struct WebhookConsoleRoutes: Sendable {
    let offices: [any EventOffice]

    func add(to room: ConsoleRoom, pages: any ConsolePages) {
        room.page("/webhooks") { [offices] _, _, reader in
            var books: [WebhookBook] = []
            for office in offices { books += try await office.books() }
            return try pages.webhooks(books, for: reader)
        }
        room.page("/webhooks/{office}/{owner}") { request, context, reader in
            let wish = try EventWish(request.query(allowing: ["object", "endpoint", "state", "before"]))
            guard let list = try await office(context)?.events(of: context.pathPart("owner"), wish) else {
                throw NoPage("nobody of that name has a back end here")
            }
            return try pages.webhooks(list, for: reader)
        }
        room.page("/webhooks/{office}/{owner}/events/{event}") { _, context, reader in
            guard let view = try await office(context)?.event(context.pathPart("event"), of: context.pathPart("owner")) else {
                throw NoPage("there is no such event, or it is forgotten")
            }
            return try pages.webhooks(view, for: reader)
        }
        let router = room.router
        router.post("/api/webhooks/{office}/{owner}/events/{event}/endpoints/{endpoint}/resend") { request, context in
            let (body, person) = try await OperatorRemark.read(request, context)
            let reason = try OperatorRemark.checked(body.remark)
            guard let office = office(context) else {
                throw ServerError(code: .notFound, reason: "no server of that name tells events", status: .notFound)
            }
            try await office.resend(
                context.pathPart("event"), of: context.pathPart("owner"), to: context.pathPart("endpoint"), because: reason, by: person)
            return Response(status: .noContent)
        }
    }

    private func office(_ context: ServerRequestContext) -> (any EventOffice)? {
        let name = context.pathPart("office")
        return offices.first { $0.name.utf8.elementsEqual(name.utf8) }
    }
}
