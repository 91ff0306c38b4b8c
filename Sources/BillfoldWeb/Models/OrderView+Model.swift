import BillfoldMoney

extension OrderView {
    var model: [String: Any] {
        [
            "id": id, "reference": reference, "goods": goods, "merchantName": merchantName, "total": total.text,
            "currency": total.currency.alphabeticCode,
            "state": StateWord(state).model,
            "items": items.map { ["label": $0.label, "amount": $0.isPending ? "pending" : $0.amount.text] }, "hasItems": !items.isEmpty,
            "payments": payments.map(\.model), "hasPayments": !payments.isEmpty,
            "refunds": refunds.map {
                [
                    "id": $0.id, "paymentID": $0.paymentID, "state": StateWord($0.state).model, "amount": $0.amount.description,
                    "reason": $0.reason,
                ]
            } as [[String: Any]],
            "hasRefunds": !refunds.isEmpty,
            "books": Self.books(postings), "hasBooks": !postings.isEmpty,
        ]
    }

    /// One table for each currency, with sums that must be equal.
    private static func books(_ postings: [Posting]) -> [[String: Any]] {
        let currencies = postings.map(\.amount.currency).reduce(into: [Currency]()) { if !$0.contains($1) { $0.append($1) } }
        return currencies.map { currency in
            let own = postings.filter { $0.amount.currency == currency }
            let debits = sum(own, .debit, currency)
            let credits = sum(own, .credit, currency)
            var model: [String: Any] = [
                "currency": currency.alphabeticCode, "debits": debits?.text ?? "too large", "credits": credits?.text ?? "too large",
                "rows": own.map { posting in
                    var row: [String: Any] = ["account": posting.account, "occasion": posting.occasion]
                    row[posting.side.rawValue] = posting.amount.text
                    return row
                },
            ]
            if debits == nil || debits != credits { model["imbalance"] = true }
            return model
        }
    }

    private static func sum(_ postings: [Posting], _ side: Posting.Side, _ currency: Currency) -> Amount? {
        try? Amount.sum(postings.filter { $0.side == side }.map(\.amount), currency: currency)
    }
}

extension OrderView.Payment {
    var model: [String: Any] {
        var model: [String: Any] = [
            "id": id, "amount": amount.description, "account": account, "state": StateWord(state).model,
            "startedAt": InstantText.utc(startedAt), "startedAtMachine": InstantText.machine(startedAt),
        ]
        model["evidence"] = evidence
        model["refundable"] = refundable?.text
        return model
    }
}

/// A state's word, how it is marked, and what may be promised to the customer while it stands.
struct StateWord {
    let word: String

    init(_ word: String) { self.word = word }

    var model: [String: Any] {
        var model: [String: Any] = ["word": word, "mark": mark]
        model["meaning"] = meaning
        return model
    }

    private var mark: String {
        switch word {
        case "succeeded", "done", "paid", "refunded", "partlyRefunded", "active", "on", "released", "delivered", "credited", "captured":
            "mark-done"
        case "failed", "refused", "rejected", "blocked", "off", "given up": "mark-bad"
        case "closed", "reversed", "expired", "deleted": "mark-quiet"
        default: "mark-open"
        }
    }

    private var meaning: String? {
        switch word {
        case "open": "The order and its amount are fixed. No money has been asked for."
        case "processing": "A payment is under way and nothing is settled. This is not a failure."
        case "expired": "The time for paying is over. No money was taken."
        case "created": "The order and its amount are fixed. No money has been asked for."
        case "authorised": "The token was checked, opened and tied to this order. Nothing has been sent yet."
        case "submitted": "The deduct message is stored and may have left."
        case "accepted": "The gateway has the message. That is not a payment."
        case "unknown": "The message was sent and nothing is settled. The gateway is being asked. This is not a failure."
        case "succeeded", "paid": "The money was taken, by the evidence of the gateway."
        case "failed": "No money was taken, by the evidence of the gateway."
        case "reversed": "The payment was undone before it settled."
        case "refunding": "A refund was accepted and is not settled yet."
        case "partlyRefunded": "A part of the money went back."
        case "refunded": "All of the money went back."
        case "closed": "The order ended without a payment."
        case "booked": "The money has left the merchant’s balance. The payer’s wallet is being told."
        case "credited": "The payer’s wallet has it."
        case "waiting": "It is being told, or waits for its next attempt."
        case "held": "The money is set aside until the gateway’s word is known. This is not a failure."
        case "captured": "The money was taken, by the word of the gateway."
        case "given up": "Every attempt of the schedule was made. It can be sent again."
        default: nil
        }
    }
}
