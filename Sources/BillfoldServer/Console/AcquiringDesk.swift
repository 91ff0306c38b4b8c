public import BillfoldWeb
import HTTPTypes
import Hummingbird

/// What the console can show and do of the acquiring gateway.
public protocol AcquiringDesk: Sendable {
    /// The payments that some party knows under a number, or without one the latest; and what waits for a person.
    func overview(_ number: String?) async throws -> AcquiringOverview
    /// `nil` where the gateway has no payment of that id.
    func payment(_ id: String) async throws -> AcquiringPaymentView?
    /// Sends a notification once more, the same content, and writes who asked to the trail. Returns false where the acquirer has none of
    /// that id, or where it is under way.
    func replay(_ id: String, of acquirer: String, because reason: String, by person: String) async throws -> Bool
}

/// `POST /api/acquiring/notifications/{acquirer}/{id}/replay` `{"remark"}` takes the role `operator` and answers 204.
struct AcquiringDeskRoutes: Sendable {
    let desk: any AcquiringDesk

    func add(to router: some RouterMethods<ServerRequestContext>) {
        router.post("/api/acquiring/notifications/{acquirer}/{id}/replay") { [desk] request, context in
            let (body, person) = try await OperatorRemark.read(request, context)
            let isTaken = try await desk.replay(
                context.parameters.get("id") ?? "", of: context.parameters.get("acquirer") ?? "",
                because: OperatorRemark.checked(body.remark), by: person)
            guard isTaken else {
                throw ServerError(code: .notFound, reason: "there is no such notification, or it is under way", status: .notFound)
            }
            return Response(status: .noContent)
        }
    }
}
