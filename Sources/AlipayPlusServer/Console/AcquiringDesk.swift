package import BillfoldServer
import HTTPTypes
import Hummingbird

/// What the console can show and do of the acquiring gateway.
package protocol AcquiringDesk: Sendable {
    /// The payments that some party knows under a number, or without one the latest; and what waits for a person.
    func overview(_ number: String?) async throws -> AcquiringOverview
    /// A page of an acquirer's payments; `nil` where the gateway has no such acquirer.
    func payments(of acquirer: String, _ wish: ListQuery<CollectionStanding.State>) async throws -> AcquiringPaymentList?
    /// `nil` where the gateway has no payment of that id.
    func payment(_ id: String) async throws -> AcquiringPaymentView?
    /// Sends a notification once more, the same content, and writes who asked to the trail. Returns false where the acquirer has none of
    /// that id, or where it is under way.
    func replay(_ id: String, of acquirer: String, because reason: String, by person: String) async throws -> Bool
    /// Has a wallet asked once more for what an alarm is about. Returns false where the alarm is not open, or nothing can be asked.
    func retry(_ alarm: AcquiringAlarm, because reason: String, by person: String) async throws -> Bool
    /// Marks an alarm that moves nothing as dealt with. Returns false where it is not open, or is about money that has to move: that takes
    /// two persons, by an action of the ``ApprovalQueue`` of the kind `acquiring-settle-alarm`.
    func clear(_ alarm: AcquiringAlarm, because reason: String, by person: String) async throws -> Bool
}

/// What an alarm of the acquiring gateway is known by.
package struct AcquiringAlarm: Sendable, Hashable {
    package var acquirer: String
    /// `leg-stuck`, `refund-refused` or `amount-differs`.
    package var kind: String
    /// The number of the wallet's part in a payment, or of the refund.
    package var subject: String

    package init(acquirer: String, kind: String, subject: String) {
        self.acquirer = acquirer
        self.kind = kind
        self.subject = subject
    }
}

/// `GET /api/acquiring/acquirers/{acquirer}/payments` answers with the acquirer's payments, page by page.
///
/// `POST /api/acquiring/notifications/{acquirer}/{id}/replay` and `POST /api/acquiring/alarms/{acquirer}/{kind}/{subject}/retry` and
/// `…/clear`, each with `{"remark"}`, take the role `operator` and answer 204.
struct AcquiringDeskRoutes: Sendable {
    let desk: any AcquiringDesk

    func add(to router: some RouterMethods<ServerRequestContext>) {
        router.get("/api/acquiring/acquirers/{acquirer}/payments") { [desk] request, context in
            _ = try context.operatorInRole(.viewer)
            let acquirer = context.parameters.get("acquirer") ?? ""
            guard let list = try await desk.payments(of: acquirer, request.list(of: "payments of \(acquirer)")) else {
                throw ServerError(code: .notFound, reason: "the gateway has no such acquirer", status: .notFound)
            }
            return try JSONAnswer.make(list, headers: [.cacheControl: "no-store"])
        }
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
        for (step, act) in [("retry", desk.retry), ("clear", desk.clear)] {
            router.post("/api/acquiring/alarms/{acquirer}/{kind}/{subject}/\(step)") { request, context in
                let (body, person) = try await OperatorRemark.read(request, context)
                func part(_ name: String) -> String { context.parameters.get(name) ?? "" }
                let alarm = AcquiringAlarm(acquirer: part("acquirer"), kind: part("kind"), subject: part("subject"))
                guard try await act(alarm, OperatorRemark.checked(body.remark), person) else {
                    throw ServerError(
                        code: .notFound, reason: "there is no such alarm, or nothing of the kind to do about it", status: .notFound)
                }
                return Response(status: .noContent)
            }
        }
    }
}
