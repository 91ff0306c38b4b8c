import BillfoldJSON
import BillfoldMoney
import BillfoldPayments
package import BillfoldServer
import HTTPTypes

/// What operators may have done at the gateway after a second person approved it, each under the approval's id: running one twice does
/// nothing more.
package struct AlipayActions: Sendable {
    let backOffice: AlipayBackOffice

    /// The actions by kind. `merchant-payout`: the subject is a partner's id, the detail
    /// `{"amount":{"amount":"10.00","currency":"CNY"},"reason"}`. `receiver-payout`: the same, with the `receiver` of its split
    /// payments who is paid out.
    package var all: [String: ApprovalAction] {
        ["merchant-payout": payout(toReceiver: false), "receiver-payout": payout(toReceiver: true)]
    }

    private struct Detail {
        var amount: Amount
        var reason: String
        var receiver: String?

        init(_ bytes: [UInt8], toReceiver: Bool) throws(ServerError) {
            let reader = try ApprovalReader(bytes, allowing: toReceiver ? ["amount", "receiver", "reason"] : ["amount", "reason"])
            amount = try reader.amount()
            receiver = toReceiver ? try reader.text("receiver", maximum: 64) : nil
            reason = try reader.reason()
        }
    }

    private func payout(toReceiver: Bool) -> ApprovalAction {
        ApprovalAction { subject, bytes in
            let detail = try Detail(bytes, toReceiver: toReceiver)
            guard let id = try? MerchantID(subject), let merchant = try await backOffice.context.merchants.partner(id)?.merchant else {
                throw ServerError(Refusal(AlipayServerError(code: .notFound, reason: "the gateway has no such merchant")))
            }
            var lines: [ApprovalAction.Line] = [
                .init("Pay out", "\(detail.amount)"), .init("To the merchant", "\(merchant.name), \(merchant.partner)"),
            ]
            if let receiver = detail.receiver { lines[1] = .init("To the receiver", "\(receiver), of \(merchant.name), \(merchant.partner)") }
            return ApprovalAction.Wish(
                detail: JSONObject(ordered: [
                    "amount": JSONValue(detail.amount), "receiver": detail.receiver.map { .string($0) }, "reason": .string(detail.reason),
                ]), lines: lines + [.init("Reason", detail.reason)])
        } run: { request in
            let detail = try Detail(Array(request.detail.utf8), toReceiver: toReceiver)
            do {
                let isNew = try await backOffice.payOut(
                    detail.amount, to: request.subject, receiver: detail.receiver, request: "approval-\(request.id)", by: request.people,
                    because: detail.reason)
                return isNew ? "paid out \(detail.amount)" : "done before"
            } catch let error as AlipayServerError {
                // A refusal means that nothing moved.
                throw ServerError(Refusal(error))
            }
        }
    }
}
