public import BillfoldServer
import BillfoldStorage
import Foundation
import HTTPTypes

/// What operators may have done to provisioning after a second person approved it, each under the approval's id: running one twice does
/// nothing more.
public struct ProvisioningActions: Sendable {
    let reviews: ReviewService

    /// The actions by kind: `provisioning-review` of a review's id; its detail is `{"outcome":"approve|refuse","remark"}`.
    public var all: [String: ApprovalQueue.Action] { ["provisioning-review": conclude] }

    private struct Detail: Decodable {
        enum Outcome: String, Decodable {
            case approve, refuse
        }

        var outcome: Outcome
        var remark: String
    }

    @Sendable private func conclude(_ request: ApprovalRequest) async throws -> String {
        guard let detail = try? JSONDecoder().decode(Detail.self, from: Data(request.detail.utf8)), !detail.remark.isEmpty else {
            throw ServerError(code: .malformedRequest, reason: "say what and, in a remark, why", status: .unprocessableContent)
        }
        guard let id = try? TimeOrderedID(text: request.subject) else {
            throw ServerError(code: .notFound, reason: "there is no such review", status: .notFound)
        }
        return try await reviews.conclude(
            id, approve: detail.outcome == .approve, remark: detail.remark, requestedBy: request.requestedBy,
            decidedBy: request.decidedBy ?? request.requestedBy, approval: request.id.description)
    }
}
