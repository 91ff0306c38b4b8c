import Alipay
import BillfoldMoney

/// An amount in documents and messages: `{"value":"10.00","currency":"HKD"}`.
package struct ExpressMoney: Sendable, Hashable, Codable {
    /// Decimal text in major units with the currency's exact minor digits.
    package var value: String
    package var currency: String

    init(_ amount: Amount) {
        value = amount.text
        currency = amount.currency.alphabeticCode
    }

    /// Nil when this is no amount.
    var amount: Amount? {
        guard let currency = try? Currency(currency) else { return nil }
        return try? Amount(value, currency: currency)
    }
}

/// An order in the merchant's books.
struct ExpressOrderRecord: PartyDocument, Hashable {
    static let kind = "express.order"

    enum State: String, Sendable, Hashable, Codable {
        case unpaid
        /// The gateway said so under its signature. Never left but by refunds.
        case paid
        case closed
        /// Paid, and all of it was given back.
        case refunded
    }

    struct Refund: Sendable, Hashable, Codable {
        enum State: String, Sendable, Hashable, Codable {
            /// Sent, and not answered under a signature yet.
            case asked
            case done
            case refused
        }

        /// `out_request_no`, `out_return_no` or `batch_no`.
        var number: String
        var amount: ExpressMoney
        var state: State
        /// Milliseconds since 1970.
        var at: Int64
        /// Why it was refused.
        var code: String?
    }

    /// `out_trade_no`.
    var id: String
    var account: ExpressAccount
    var generation: AlipayGeneration
    var offer: String
    var subject: String
    /// What the order asks for.
    var price: ExpressMoney
    /// The order string for the app.
    var text: String
    var faults: [ExpressFault]
    /// Milliseconds since 1970, as all times here.
    var madeAt: Int64
    var state = State.unpaid
    var tradeNo: String?
    var paidAt: Int64?
    var refunds: [Refund] = []
    /// How many notifications were taken.
    var notifications = 0

    /// Whether its refunds can be confirmed with a password at the gateway.
    var isConfirmable: Bool { generation == .legacy && account.refundPassword != nil }

    var isPaid: Bool { state == .paid || state == .refunded }

    /// Minor units of the price's currency that were given back for certain.
    var refunded: Int64 { refunds.filter { $0.state == .done }.compactMap { $0.amount.amount?.minorUnits }.reduce(0, +) }

    /// Notes the payment. A paid order stays as it is.
    mutating func pay(tradeNo: String, at now: Int64) {
        guard !isPaid else { return }
        state = .paid
        self.tradeNo = tradeNo
        paidAt = now
    }

    /// Notes how a refund ended. One that is done stays so.
    mutating func settle(refund number: String, _ state: Refund.State, code: String? = nil) {
        guard let index = refunds.firstIndex(where: { $0.number == number }), refunds[index].state != .done else { return }
        refunds[index].state = state
        refunds[index].code = code
        if self.state == .paid, refunded == price.amount?.minorUnits { self.state = .refunded }
    }

    /// Notes that all of a paid order went back, whoever asked for it.
    ///
    /// - Parameter number: The last refund's number. One that is not ours, a person's at the gateway for example, is entered with what was
    ///   left.
    mutating func giveBackWhole(refund number: String?, at now: Int64) {
        if let number { settle(refund: number, .done) }
        guard state == .paid, let whole = price.amount else { return }
        state = .refunded
        let left = whole.minorUnits - refunded
        guard let number, left > 0, !refunds.contains(where: { $0.number == number || $0.state == .asked }) else { return }
        let rest = Amount(minorUnits: left, currency: whole.currency)
        refunds.append(Refund(number: number, amount: ExpressMoney(rest), state: .done, at: now))
    }
}

/// A notification that was answered `success`, so that its repetition changes nothing.
struct ExpressNotificationRecord: PartyDocument {
    static let kind = "express.notification"
    /// `notify_id`.
    var id: String
    var order: String
    var says: String
    var at: Int64
}

/// Whose refund a number is: batches are told of by their number alone.
struct ExpressRefundName: PartyDocument {
    static let kind = "express.refund"
    var id: String
    var order: String
}

/// A delivery that the fault plan let fail, so that the next one is taken.
struct ExpressFailedDelivery: PartyDocument {
    static let kind = "express.failed-delivery"
    /// `notify_id`.
    var id: String
}
