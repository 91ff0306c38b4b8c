package import BillfoldMoney
package import BillfoldWeb

/// A wallet's payment that waits for a person.
package struct WalletPaymentAlarm: Sendable, Hashable {
    package enum Kind: String, Sendable, Hashable {
        /// The gateway has not judged it for longer than the wallet's patience, or does not want to.
        case unsettled
        /// The gateway took what it had refused, or refused what it had taken. Nothing was moved on the second word.
        case contradiction
    }

    /// Under which a contradiction is cleared.
    package static let contradictionAlarm = "wallet-contradiction"

    package let kind: Kind
    package let isUnsettled: Bool
    /// The payment's id at the gateway.
    package let id: String
    package let trade: String
    package let state: StateWord
    package let amount: Amount
    /// What the gateway said last, where it said anything.
    package let note: String
    package let startedAt: InstantText

    /// - Parameters:
    ///   - state: `held`, `captured` or `released`.
    ///   - startedAt: Microseconds since 1970.
    package init(kind: Kind, id: String, trade: String, state: String, amount: Amount, note: String, startedAt: Int64) {
        self.kind = kind
        isUnsettled = kind == .unsettled
        self.id = id
        self.trade = trade
        self.state = StateWord(state)
        self.amount = amount
        self.note = note
        self.startedAt = InstantText(startedAt)
    }
}
