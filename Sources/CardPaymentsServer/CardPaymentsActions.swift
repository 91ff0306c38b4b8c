public import BillfoldPayments
public import BillfoldServer
import BillfoldStorage
import HTTPTypes

/// What operators may have done to card payments, each after an approval and under the approval's id: running one twice does
/// nothing more.
public struct CardPaymentsActions: Sendable {
    let server: CardPaymentsServer
    /// Links the rows that resolving a dead letter leaves in the merchant's chain of operators' actions.
    let links: AuditChain

    public init(server: CardPaymentsServer, links: AuditChain) {
        self.server = server
        self.links = links
    }

    /// The actions by kind:
    /// - `refund` of a payment's id; its detail is the body of `POST /v1/payments/{id}/refunds`;
    /// - `redeliver` of a dead letter's id: the message's schedule starts again.
    public var all: [String: ApprovalQueue.Action] { ["refund": refund, "redeliver": redeliver] }

    @Sendable private func refund(_ request: ApprovalRequest) async throws -> String {
        try await refusing {
            let body = try RefundRequestBody(Array(request.detail.utf8))
            let service = server.service
            for merchant in service.context.merchants.all {
                guard let payment = try await service.known(request.subject, merchant: merchant) else { continue }
                let refund = try await service.refund(
                    payment.id.description, body, key: request.id.description, merchant: merchant)
                return "refund \(refund.id) of \(refund.amount) \(refund.currency): \(refund.state)"
            }
            throw CardPaymentsError(code: .paymentNotFound, reason: "there is no such payment")
        }
    }

    @Sendable private func redeliver(_ request: ApprovalRequest) async throws -> String {
        let (context, links) = (server.service.context, links)
        guard let id = try? TimeOrderedID(text: request.subject) else { throw Self.noLetter }
        let now = context.clock.now()
        for merchant in context.merchants.all {
            let isResolved = try await context.database.write { tx in
                try OutboxRecords.resolve(
                    id, merchant: merchant.id, action: .retry, by: request.decidedBy ?? request.requestedBy,
                    because: "approval \(request.id)", at: now, linking: links, in: tx)
            }
            if isResolved { return "the message is being sent again" }
        }
        throw Self.noLetter
    }

    private static var noLetter: ServerError {
        ServerError(code: .conflict, reason: "no message of that id is given up, or not any more", status: .conflict)
    }

    /// What the service refuses before anything moved becomes the approval's outcome. Anything else leaves it approved, to be
    /// run again.
    private func refusing(_ action: () async throws -> String) async throws -> String {
        do { return try await action() } catch {
            if let refusal = ErrorMapping().withCardPayments().refusal(for: error), refusal.status.kind == .clientError {
                throw ServerError(refusal)
            }
            throw error
        }
    }
}
