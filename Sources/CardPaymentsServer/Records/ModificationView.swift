import BillfoldMoney
import BillfoldPayments
import BillfoldStorage

/// A refund, void or reversal as its merchant sees it, and as it is kept under its idempotency key.
struct ModificationView: Codable, Sendable, Hashable {
    var id: String
    var payment: String
    var kind: String
    var state: String
    var amount: String
    var currency: String
    /// Why it was asked for, in the merchant's own words.
    var reason: String?
    /// What the acquirer said of it last.
    var answer: String?
    var settlementDay: String?

    init(_ modification: Modification) {
        id = modification.id.description
        payment = modification.payment.description
        kind = modification.kind.rawValue
        state = modification.state.rawValue
        amount = modification.amount.text
        currency = modification.amount.currency.alphabeticCode
        reason = modification.reason
        answer = modification.answer
        settlementDay = Self.acquirersDay(modification.settlementDay)
    }

    /// The day as the acquirer names it, `MMDD`, from `yyyyMMdd`.
    static func acquirersDay(_ stored: String?) -> String? { stored.map { String($0.suffix(4)) } }
}
