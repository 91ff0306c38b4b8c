import BillfoldJSON
import BillfoldMoney
import BillfoldPayments
package import BillfoldServer
import BillfoldStorage
import HTTPTypes

/// What operators may have done at the acquiring gateway after a second person approved it: running one twice does nothing more.
package struct AlipayPlusActions: Sendable {
    let backOffice: AlipayPlusBackOffice

    /// The actions by kind. `acquiring-settle-alarm`: the subject is the alarm's, the detail `{"acquirer","kind","reason"}`; kinds are
    /// `leg-stuck` and `refund-refused`.
    package var all: [String: ApprovalAction] { ["acquiring-settle-alarm": ApprovalAction(read: read, run: settle)] }

    private struct Detail {
        var acquirer: String
        var kind: AcquirerPaymentAlarm.Kind
        var reason: String

        init(_ bytes: [UInt8]) throws(ServerError) {
            let reader = try ApprovalReader(bytes, allowing: ["acquirer", "kind", "reason"])
            acquirer = try reader.text("acquirer", maximum: 64)
            guard let kind = AcquirerPaymentAlarm.Kind(rawValue: try reader.text("kind", maximum: 32)), kind != .amountDiffers else {
                throw .malformed(
                    "the kind is \(AcquirerPaymentAlarm.Kind.legStuck.rawValue) or \(AcquirerPaymentAlarm.Kind.refundRefused.rawValue)")
            }
            self.kind = kind
            reason = try reader.reason()
        }
    }

    @Sendable private func read(_ subject: String, _ bytes: [UInt8]) async throws -> ApprovalAction.Wish {
        let detail = try Detail(bytes)
        guard let acquirer = try? MerchantID(detail.acquirer), let id = try? TimeOrderedID(text: subject),
            let (alarm, payment) = try await backOffice.context.database.read({ tx in
                try AcquirerPaymentAlarmRecords.find(detail.kind, of: id, acquirer: acquirer, in: tx).map { alarm in
                    (alarm, try AcquirerPaymentRecords.find(alarm.payment, acquirer: acquirer, in: tx))
                }
            })
        else { throw ServerError(code: .conflict, reason: "there is no such alarm, or not any more", status: .conflict) }
        return ApprovalAction.Wish(
            detail: JSONObject(ordered: [
                "acquirer": .string(acquirer.description), "kind": .string(detail.kind.rawValue), "reason": .string(detail.reason),
            ]),
            lines: [
                .init("Settle by hand", detail.kind == .legStuck ? "what the wallet had collected went back" : "the refund was paid"),
                .init(
                    "Of the payment",
                    [alarm.payment.description, payment?.terms.amount.description].compactMap(\.self).joined(separator: ", ")),
                .init("Acquirer", acquirer.description), .init("The wallet said", alarm.note), .init("Reason", detail.reason),
            ])
    }

    @Sendable private func settle(_ request: ApprovalRequest) async throws -> String {
        let detail = try Detail(Array(request.detail.utf8))
        let alarm = AcquiringAlarm(acquirer: detail.acquirer, kind: detail.kind.rawValue, subject: request.subject)
        return try await backOffice.settle(alarm, because: detail.reason, by: request.people) ? "settled" : "done before, or no such alarm"
    }
}
