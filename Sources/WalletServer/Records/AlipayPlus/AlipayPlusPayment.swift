import AlipayPlus
import AlipayPlusValues
import BillfoldMoney
import BillfoldStorage

/// A payment that Alipay+ asks the wallet to collect. The customer's scan, or Alipay+'s request, makes it: whichever comes first.
struct AlipayPlusPayment: Sendable {
    enum State: String, Sendable, CaseIterable {
        /// The customer has not decided, or Alipay+ has not asked yet.
        case waiting
        case paid
        case refused
        /// Alipay+ took it back; what was paid has gone back to the customer.
        case cancelled

        enum Event: String, Sendable, CaseIterable {
            case confirmed, refused, cancelled
        }

        /// What follows from an event besides the new state.
        enum Step: Sendable, Hashable {
            /// - Parameter moves: Whether the customer's money moves: taken, or given back.
            case move(State, moves: Bool)
            /// Heard before, or too late to change anything.
            case unchanged
        }

        func apply(_ event: Event) -> Step {
            switch (self, event) {
            case (.waiting, .confirmed): .move(.paid, moves: true)
            case (.waiting, .refused): .move(.refused, moves: false)
            case (.waiting, .cancelled): .move(.cancelled, moves: false)
            case (.paid, .cancelled): .move(.cancelled, moves: true)
            case (.paid, _), (.refused, _), (.cancelled, _): .unchanged
            }
        }
    }

    struct Facts: Codable, Sendable, Hashable {
        var payee: String
        var subject: String
        /// What the merchant charges.
        var price: Amount
        /// The price in the wallet's currency, before any offer.
        var payable: Amount
        /// What Alipay+ takes off, in minor units.
        var promotion: Int64 = 0
        /// Where the customer goes back to.
        var redirect: String?
        /// Microseconds since 1970.
        var expiresAt: Int64?
        /// Whether Alipay+ has asked to collect.
        var isAsked = false
        /// A documented result code, where it was refused.
        var failure: String?
    }

    let id: TimeOrderedID
    /// `paymentRequestId`, Alipay+'s.
    let requestID: String
    var account: TimeOrderedID?
    var state = State.waiting
    var version: Int64 = 1
    /// What went back of it, in minor units.
    var refunded: Int64 = 0
    var facts: Facts
    let createdAt: Timestamp
    var paidAt: Timestamp?

    /// What the customer pays, which is what the wallet owes Alipay+.
    var amount: Amount { Amount(minorUnits: facts.payable.minorUnits - facts.promotion, currency: facts.payable.currency) }
    /// `paymentId`, the wallet's own.
    var number: String { id.description }

    /// What became of it, in the protocol's words.
    var result: AlipayPlusResult {
        switch state {
        case .waiting: .paymentInProcess
        case .paid: .success
        case .refused: AlipayPlusResult(documented: facts.failure ?? "") ?? .processFail
        case .cancelled: .orderIsClosed
        }
    }

    /// Whether a repeated request asks for the same: what is compared is what `pay` compares (alipay-plus.md#idempotency [D]).
    func asksTheSame(as other: Facts) -> Bool {
        facts.price == other.price && facts.payable == other.payable && (!facts.isAsked || facts.promotion == other.promotion)
    }
}

/// What Alipay+ had go back of a payment.
struct AlipayPlusRefund: Sendable {
    let id: TimeOrderedID
    /// `refundRequestId`; of a cancel the payment's request id.
    let requestID: String
    let payment: TimeOrderedID
    let account: TimeOrderedID
    let payee: String
    let amount: Amount
    let at: Timestamp
}

extension Timestamp {
    /// To the millisecond, as the wire has it.
    var alipayPlusTime: AlipayPlusTime { AlipayPlusTime(millisecondsSince1970: microseconds / 1_000) }
}
