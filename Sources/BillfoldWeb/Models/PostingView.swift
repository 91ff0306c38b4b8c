/// One line of a ledger.
package struct PostingView: Sendable, Hashable {
    package let template: String
    package let account: String
    package let amount: String
    package let at: String
    package let atMachine: String

    /// - Parameters:
    ///   - amount: Debit positive, credit negative.
    ///   - at: Microseconds since 1970.
    package init(template: String, account: String, amount: String, at: Int64) {
        self.template = template
        self.account = account
        self.amount = amount
        self.at = InstantText.utc(at)
        atMachine = InstantText.machine(at)
    }
}
