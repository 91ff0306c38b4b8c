import BillfoldMoney

extension OrderView {
    var model: [String: Any] {
        [
            "id": id, "reference": reference, "goods": goods, "merchantName": merchantName, "total": total.text,
            "currency": total.currency.alphabeticCode,
            "state": StateWord(state),
            "items": items.map { ["label": $0.label, "amount": $0.isPending ? "pending" : $0.amount.text] }, "hasItems": !items.isEmpty,
            "payments": payments.map(\.model), "hasPayments": !payments.isEmpty,
            "refunds": refunds.map {
                [
                    "id": $0.id, "paymentID": $0.paymentID, "state": StateWord($0.state), "amount": $0.amount.description,
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
            "id": id, "amount": amount.description, "account": account, "state": StateWord(state),
            "startedAt": InstantText.utc(startedAt), "startedAtMachine": InstantText.machine(startedAt),
        ]
        model["evidence"] = evidence
        model["refundable"] = refundable?.text
        return model
    }
}
