import BillfoldDiagnosis
import UnionPay

/// What shows only between two messages: one order number for two transactions, and values that lost their form in a log.
struct MessagePairLint {
    let messages: [(name: String, message: Exhibit.MessageExhibit)]

    func findings() -> [Finding] { messages.flatMap { bareValues($0.name, $0.message) } + reusedNumbers() }

    /// UnionPay signs and sends texts alone: a number loses zeros in front, and its own form.
    private func bareValues(_ name: String, _ message: Exhibit.MessageExhibit) -> [Finding] {
        guard !message.bare.isEmpty else { return [] }
        return [
            Finding(
                code: "unionpay.bare-value", severity: .warning, subject: name,
                cause: "Fields stand as numbers where the message has texts: it is no copy of what was sent.",
                evidence: message.bare.map { .init($0, message.fields[$0] ?? "") },
                mend: "Keep every field as the text that it is: 0001 is no number, and what is signed are texts.")
        ]
    }

    /// A payment, a refund and a void have an `orderId` each; only a query and a reversal name the original's (apple-pay.md#undoing).
    private func reusedNumbers() -> [Finding] {
        let requests = messages.filter { $0.message.direction == .request }
        let payments = requests.filter { $0.message.fields["txnType"] == TransactionType.consume.rawValue }
        return requests.compactMap { name, message in
            guard let type = message.fields["txnType"].flatMap(TransactionType.init(rawValue:)),
                let order = message.fields.optional("orderId"),
                let payment = payments.first(where: { $0.name != name && Self.isSame($0.message.fields["orderId"], order) })
            else { return nil }
            switch type {
            case .refund, .void: return reused(name, order, by: type, payment: payment.name)
            case .consume where isOther(message, than: payment.message) && isFirst(payment.name, before: name):
                return reused(name, order, by: type, payment: payment.name)
            default: return nil
            }
        }
    }

    private static func isSame(_ one: String?, _ other: String) -> Bool { one.map { $0.utf8.elementsEqual(other.utf8) } ?? false }

    /// Of two payments, the one that came first is not the one to be told of.
    private func isFirst(_ one: String, before other: String) -> Bool {
        (messages.firstIndex { $0.name == one } ?? 0) < (messages.firstIndex { $0.name == other } ?? 0)
    }

    /// A repetition has the same time and amount.
    private func isOther(_ one: Exhibit.MessageExhibit, than other: Exhibit.MessageExhibit) -> Bool {
        ["txnTime", "txnAmt"].contains { one.fields[$0] != other.fields[$0] }
    }

    private func reused(_ name: String, _ order: String, by type: TransactionType, payment: String) -> Finding {
        let answer = messages.first { _, message in
            message.direction == .reply && message.fields["respCode"] == "12" && Self.isSame(message.fields["orderId"], order)
        }
        let isPayment = type == .consume
        return Finding(
            code: "unionpay.order-id-reused", subject: name,
            cause: isPayment
                ? "Two payments carry one orderId." : "The \(type.title) carries the payment's orderId, so UnionPay calls it a repetition.",
            evidence: [.init("orderId", order), .init("payment in", payment)]
                + (answer.map { [.init("answered 12 in", $0.name)] } ?? []),
            mend: isPayment
                ? "Make a new orderId for each attempt; repeat a message with its own txnTime and amount only."
                : "Make an orderId of its own for it, and name the payment by origQryId, or by origOrderId and origTxnTime.")
    }
}
