import BillfoldMoney
public import BillfoldServer
import Foundation
import HTTPTypes

/// What operators may have done at the gateway after a second person approved it, each under the approval's id: running one twice does
/// nothing more.
public struct AlipayActions: Sendable {
    let backOffice: AlipayBackOffice

    /// The actions by kind. `merchant-payout`: the subject is a partner's id, the detail
    /// `{"amount":{"amount":"10.00","currency":"CNY"},"reason"}`. `receiver-payout`: the same, with the `receiver` of its split
    /// payments who is paid out.
    public var all: [String: ApprovalQueue.Action] {
        ["merchant-payout": { try await payOut($0, toReceiver: false) }, "receiver-payout": { try await payOut($0, toReceiver: true) }]
    }

    private struct Detail: Decodable {
        var amount: Amount
        var reason: String
        var receiver: String?
    }

    private func payOut(_ request: ApprovalRequest, toReceiver: Bool) async throws -> String {
        guard let detail = try? JSONDecoder().decode(Detail.self, from: Data(request.detail.utf8)),
            (detail.receiver != nil) == toReceiver
        else {
            throw ServerError(code: .malformedRequest, reason: "the detail is not what this action takes", status: .unprocessableContent)
        }
        let people = [request.requestedBy, request.decidedBy].compactMap(\.self).joined(separator: ", ")
        do {
            let isNew = try await backOffice.payOut(
                detail.amount, to: request.subject, receiver: detail.receiver, request: "approval-\(request.id)", by: people,
                because: detail.reason)
            return isNew ? "paid out \(detail.amount)" : "done before"
        } catch let error as AlipayServerError {
            // A refusal means that nothing moved.
            throw ServerError(Refusal(error))
        }
    }
}
