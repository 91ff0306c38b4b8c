/// One line of a ledger.
package struct PostingView: Sendable, Hashable {
    package var template: String
    package var account: String
    /// Debit positive, credit negative.
    package var amount: String
    /// Microseconds since 1970.
    package var at: Int64

    package init(template: String, account: String, amount: String, at: Int64) {
        self.template = template
        self.account = account
        self.amount = amount
        self.at = at
    }
}

extension PostingView {
    package var model: [String: Any] {
        [
            "template": template, "account": account, "amount": amount, "at": InstantText.utc(at), "atMachine": InstantText.machine(at),
        ]
    }
}
