import BillfoldMoney
import BillfoldPayments
import BillfoldStorage

/// A refund, void or reversal as its merchant sees it, and as it is kept under its idempotency key.
struct ModificationView: Codable, Sendable, Hashable {
    var id: String
    var payment: String
    /// Of the payment; `nil` in what an earlier version has kept, and where its rows are lost.
    var order: String?
    /// The merchant's own number of that order.
    var reference: String?
    var kind: String
    var state: String
    var amount: String
    var currency: String
    /// Why it was asked for, in the merchant's own words.
    var reason: String?
    /// What the acquirer said of it last.
    var answer: String?
    var settlementDay: String?

    /// - Parameters:
    ///   - modification: As it stands.
    ///   - order: Of its payment.
    ///   - reference: The merchant's own number of the order.
    init(_ modification: Modification, order: TimeOrderedID?, reference: String?) {
        id = modification.id.description
        payment = modification.payment.description
        self.order = order?.description
        self.reference = reference
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
