import BillfoldJSON
package import BillfoldServer
import BillfoldStorage
import HTTPTypes

/// What operators may have done to provisioning after a second person approved it, each under the approval's id: running one twice does
/// nothing more.
package struct ProvisioningActions: Sendable {
    let reviews: ReviewService

    /// The actions by kind: `provisioning-review` of a review's id; its detail is `{"outcome":"approve|refuse","remark"}`.
    package var all: [String: ApprovalAction] { ["provisioning-review": ApprovalAction(read: read, run: conclude)] }

    private struct Detail {
        enum Outcome: String {
            case approve, refuse
        }

        var outcome: Outcome
        var remark: String

        init(_ bytes: [UInt8]) throws(ServerError) {
            let reader = try ApprovalReader(bytes, allowing: ["outcome", "remark"])
            guard let outcome = Outcome(rawValue: try reader.text("outcome", maximum: 16)) else {
                throw .malformed("the outcome is approve or refuse")
            }
            self.outcome = outcome
            remark = try reader.reason("remark")
        }
    }

    @Sendable private func read(_ subject: String, _ bytes: [UInt8]) async throws -> ApprovalAction.Wish {
        let detail = try Detail(bytes)
        let found = try await reviews.context.database.read { tx -> (StoredReview, StoredCard?)? in
            guard let id = try? TimeOrderedID(text: subject), let review = try ReviewRecords.find(id, in: tx) else { return nil }
            return (review, try CardRecords.find(review.card, in: tx))
        }
        guard let (review, card) = found else { throw Self.noReview }
        return ApprovalAction.Wish(
            detail: JSONObject(ordered: ["outcome": .string(detail.outcome.rawValue), "remark": .string(detail.remark)]),
            lines: [
                .init(detail.outcome == .approve ? "Let the token be paid with" : "Have the token deleted", review.token),
                .init("Card", card.map { "\($0.displayName) ending in \($0.suffix), \($0.id)" } ?? review.card),
                .init("Cardholder", card?.cardholderName ?? "not known"), .init("Network", review.network.rawValue),
                .init("Remark", detail.remark),
            ])
    }

    private static var noReview: ServerError { ServerError(code: .notFound, reason: "there is no such review", status: .notFound) }

    @Sendable private func conclude(_ request: ApprovalRequest) async throws -> String {
        let detail = try Detail(Array(request.detail.utf8))
        guard let id = try? TimeOrderedID(text: request.subject) else { throw Self.noReview }
        return try await reviews.conclude(
            id, approve: detail.outcome == .approve, remark: detail.remark, requestedBy: request.requestedBy,
            decidedBy: request.decidedBy ?? request.requestedBy, approval: request.id.description)
    }
}
