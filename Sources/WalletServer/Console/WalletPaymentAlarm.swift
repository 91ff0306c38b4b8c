package import BillfoldMoney
import BillfoldWeb

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

    package var kind: Kind
    /// The payment's id at the gateway.
    package var id: String
    package var trade: String
    /// `held`, `captured` or `released`.
    package var state: String
    package var amount: Amount
    /// What the gateway said last, where it said anything.
    package var note: String
    /// Microseconds since 1970.
    package var startedAt: Int64

    package init(kind: Kind, id: String, trade: String, state: String, amount: Amount, note: String, startedAt: Int64) {
        self.kind = kind
        self.id = id
        self.trade = trade
        self.state = state
        self.amount = amount
        self.note = note
        self.startedAt = startedAt
    }
}

extension WalletPaymentAlarm {
    func model(mayAsk: Bool, mayClear: Bool) -> [String: Any] {
        var model: [String: Any] = [
            "id": id, "trade": trade, "state": StateWord(state), "amount": amount.description,
            "startedAt": InstantText.utc(startedAt), "startedAtMachine": InstantText.machine(startedAt),
            "title": kind == .unsettled ? "Not judged by the gateway" : "The gateway contradicts itself",
            "tells": kind == .unsettled
                ? "The money is set aside and the gateway has not said whether it took it. Ask the gateway’s operators, then settle it as they have it."
                : "The gateway said the opposite of what is booked here. Nothing was moved on its second word.",
            "mayAsk": mayAsk && kind == .unsettled, "mayClear": mayClear && kind == .contradiction, "alarm": Self.contradictionAlarm,
        ]
        model["note"] = note.isEmpty ? nil : note
        return model
    }
}
