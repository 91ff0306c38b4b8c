import AlipayPlus
import BillfoldDiagnosis
import BillfoldJSON
import BillfoldMoney

/// What the messages of one payment say together: that the amounts of its notification, answers and refunds are its own, and that no second
/// attempt begins while nobody knows how the first one ended.
struct PaymentStory {
    private struct Message {
        let name: String
        let json: JSONObject
        let isNotification: Bool
        let target: String
        let isRequest: Bool
    }

    private let messages: [Message]

    init(messages: [(name: String, message: AlipayPlusArtifact)]) {
        self.messages = messages.compactMap { name, message in
            message.json.map {
                Message(
                    name: name, json: $0, isNotification: message.isNotification, target: message.target,
                    isRequest: message.kind == .request)
            }
        }
    }

    func findings() -> [Finding] { toldAmounts() + refunds() + secondAttempts() }

    private var payments: [Message] { messages.filter { $0.isRequest && $0.target.contains("/payments/pay") } }

    /// The payment that a message names by its own id.
    private func payment(of message: Message) -> Message? {
        guard let id = message.json["paymentRequestId"]?.string else { return nil }
        let own = payments.filter { $0.name != message.name && ExactText.equal($0.json["paymentRequestId"]?.string, id) }
        return own.count == 1 ? own[0] : nil
    }

    private static func amount(_ value: JSONValue?) -> Amount? {
        guard let currency = value?["currency"]?.string, let text = value?["value"]?.scalar else { return nil }
        return try? WireAmount(currency: currency, value: text).amount()
    }

    private static func shown(_ amount: Amount) -> String { "\(amount.currency) \(amount.minorUnits)" }

    // MARK: What is told of a payment

    /// Amount and currency of a notification, and of an answer, are the payment's (alipay-plus.md#notification [D]).
    private func toldAmounts() -> [Finding] {
        messages.compactMap { message in
            guard !message.isRequest || message.isNotification, let payment = payment(of: message),
                let told = Self.amount(message.json["paymentAmount"]), let asked = Self.amount(payment.json["paymentAmount"]), told != asked
            else { return nil }
            return Finding(
                code: message.isNotification ? "alipay-plus.notification-differs" : "alipay-plus.answer-differs", subject: message.name,
                cause: message.isNotification
                    ? "The notification tells another amount than the payment's." : "The answer tells another amount than the payment's.",
                evidence: [
                    .init("payment in", payment.name), .init("asked for", Self.shown(asked)), .init("told", Self.shown(told)),
                ],
                mend: "Book nothing by it: compare amount and currency with the order's, inquire, and let a person look.")
        }
    }

    // MARK: Refunds

    /// Refunds are in the payment's currency, and together no more than it (alipay-plus.md#refund [D]).
    private func refunds() -> [Finding] {
        var returned: [String: (ids: Set<ExactText>, sum: WideInteger)] = [:]
        var found: [Finding] = []
        for refund in messages where refund.isRequest && refund.target.contains("/payments/refund") {
            guard let payment = payment(of: refund), let paid = Self.amount(payment.json["paymentAmount"]),
                let back = Self.amount(refund.json["refundAmount"])
            else { continue }
            func report(_ cause: String, mend: String, back: String) {
                found.append(
                    Finding(
                        code: "alipay-plus.refund-differs", subject: refund.name, cause: cause,
                        evidence: [.init("payment in", payment.name), .init("paid", Self.shown(paid)), .init("given back", back)],
                        mend: mend))
            }
            guard back.currency == paid.currency else {
                report(
                    "The refund is in another currency than the payment.", mend: "Refund in the currency of paymentAmount.",
                    back: Self.shown(back))
                continue
            }
            var known = returned[payment.name] ?? ([], WideInteger(0))
            // A repetition is the same refund.
            guard known.ids.insert(ExactText(refund.json["refundRequestId"]?.string ?? refund.name)).inserted else { continue }
            known.sum = known.sum + WideInteger(back.minorUnits)
            returned[payment.name] = known
            guard known.sum > WideInteger(paid.minorUnits) else { continue }
            report(
                "More is given back than was paid.", mend: "Keep the sum of a payment's refunds within its amount.",
                back: "\(back.currency) \(known.sum)")
        }
        return found
    }

    // MARK: Second attempts

    /// Another attempt for the same order although the first was answered U: it may have been paid, and the next one is paid too
    /// (alipay-plus.md#results).
    private func secondAttempts() -> [Finding] {
        let unknown = messages.first { !$0.isRequest && $0.json["result"]?["resultStatus"]?.string == "U" }
        guard let unknown else { return [] }
        var first: [ExactText: Message] = [:]
        var found: [Finding] = []
        for payment in payments {
            guard let order = payment.json["order"]?["referenceOrderId"]?.string, let id = payment.json["paymentRequestId"]?.string else {
                continue
            }
            guard let earlier = first[ExactText(order)], let earlierID = earlier.json["paymentRequestId"]?.string else {
                first[ExactText(order)] = payment
                continue
            }
            guard !ExactText.equal(earlierID, id), !hasEnded(earlierID) else { continue }
            found.append(
                Finding(
                    code: "alipay-plus.unknown-taken-as-failed", severity: .warning, subject: payment.name,
                    cause: "A second payment was begun for an order whose first one was answered U: the customer can pay twice.",
                    evidence: [
                        .init("referenceOrderId", order), .init("first", "\(earlierID) in \(earlier.name)"), .init("second", id),
                        .init("answered U in", unknown.name),
                    ],
                    mend: "U is not F: inquire the first one until it is final, or cancel it, before another paymentRequestId is used."))
        }
        return found
    }

    /// Whether something at hand says of a payment that it failed or was cancelled.
    private func hasEnded(_ id: String) -> Bool {
        messages.contains { message in
            if message.isRequest, message.target.contains("/payments/cancelPayment") {
                return ExactText.equal(message.json["paymentRequestId"]?.string, id)
            }
            return (!message.isRequest || message.isNotification) && message.json["paymentResult"]?["resultStatus"]?.string == "F"
                && ExactText.equal(message.json["paymentRequestId"]?.string, id)
        }
    }
}
