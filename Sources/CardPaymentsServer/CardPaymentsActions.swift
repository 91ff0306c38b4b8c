public import BillfoldPayments
public import BillfoldServer
import BillfoldStorage
import Foundation
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
    /// - `redeliver` of a dead letter's id: the message's schedule starts again;
    /// - `discard` of a dead letter's id: it is never sent; its detail `{"remark"}` says why.
    public var all: [String: ApprovalQueue.Action] { ["refund": refund, "redeliver": redeliver, "discard": discard] }

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
        try await resolve(request, .retry, because: "approval \(request.id)")
        return "the message is being sent again"
    }

    @Sendable private func discard(_ request: ApprovalRequest) async throws -> String {
        struct Detail: Decodable { var remark: String }
        guard let detail = try? JSONDecoder().decode(Detail.self, from: Data(request.detail.utf8)), !detail.remark.isEmpty else {
            throw ServerError(code: .malformedRequest, reason: "say why in a remark", status: .unprocessableContent)
        }
        try await resolve(request, .discard, because: "approval \(request.id): \(detail.remark)")
        return "the message is never sent"
    }

    private func resolve(
        _ request: ApprovalRequest, _ action: OutboxRecords.OperatorAction, because reason: String
    ) async throws {
        let (context, links) = (server.service.context, links)
        guard let id = try? TimeOrderedID(text: request.subject) else { throw Self.noLetter }
        let now = context.clock.now()
        for merchant in context.merchants.all {
            let isResolved = try await context.database.write { tx in
                try OutboxRecords.resolve(
                    id, merchant: merchant.id, action: action, by: request.decidedBy ?? request.requestedBy, because: reason, at: now,
                    linking: links, in: tx)
            }
            if isResolved { return }
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
