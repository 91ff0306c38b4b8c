import BillfoldStorage
import UnionPay

/// An order that a merchant pushed, waiting for a customer or paid.
struct UnionPayPushedOrder: Sendable, Hashable {
    var key: TransactionKey
    var number: TransactionNumber
    /// Minor units.
    var amount: Int64
    /// ISO 4217 numeric.
    var currency: String
    /// `orderDesc`.
    var text: String?
    /// Fields of the request that notifications repeat.
    var echo: [String: String]
    var backURL: String
    var payTimeout: BeijingTime?
    var plan: FaultPlan
    var isPaid = false
    var pushedAt: Timestamp

    /// Whether it is too late to pay it (unionpay-tn.md#time-limit).
    func isOver(at now: Timestamp) -> Bool { payTimeout.map { BeijingTime(now).secondsSince1970 > $0.secondsSince1970 } ?? false }
}
