public import BillfoldServer
import Foundation
import HTTPTypes

/// What operators may have done at the acquiring gateway after a second person approved it: running one twice does nothing more.
public struct AlipayPlusActions: Sendable {
    let backOffice: AlipayPlusBackOffice

    /// The actions by kind. `acquiring-settle-alarm`: the subject is the alarm's, the detail `{"acquirer","kind","reason"}`; kinds are
    /// `leg-stuck` and `refund-refused`.
    public var all: [String: ApprovalQueue.Action] { ["acquiring-settle-alarm": { try await settle($0) }] }

    private struct Detail: Decodable {
        var acquirer: String
        var kind: String
        var reason: String
    }

    private func settle(_ request: ApprovalRequest) async throws -> String {
        guard let detail = try? JSONDecoder().decode(Detail.self, from: Data(request.detail.utf8)),
            [GatewayAlarm.Kind.legStuck, .refundRefused].contains(where: { $0.rawValue == detail.kind })
        else {
            throw ServerError(code: .malformedRequest, reason: "the detail is not what this action takes", status: .unprocessableContent)
        }
        let people = [request.requestedBy, request.decidedBy].compactMap(\.self).joined(separator: ", ")
        let alarm = AcquiringAlarm(acquirer: detail.acquirer, kind: detail.kind, subject: request.subject)
        return try await backOffice.settle(alarm, because: detail.reason, by: people) ? "settled" : "done before, or no such alarm"
    }
}
