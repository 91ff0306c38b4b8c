import AlipayPlus
import BillfoldMoney
import BillfoldStorage

/// A payment as a wallet has it: what Alipay+ asked it to collect, from whom, and what became of it.
struct MobilePayment: PartyDocument, Hashable {
    static let kind = "mobile.payment"

    enum State: String, Sendable, Hashable, Codable {
        /// The customer has not decided.
        case waiting
        /// The customer has confirmed, and it is collected later: a fault plan wants it so.
        case confirmed
        case paid
        case refused
        case cancelled

        var isFinal: Bool { self == .paid || self == .refused || self == .cancelled }
    }

    struct Refund: Sendable, Hashable, Codable {
        /// `refundRequestId`.
        var id: String
        /// The wallet's own number of it.
        var number: String
        /// What Alipay+ gets back.
        var units: Int64
        /// What of it goes to the customer; the rest was the wallet's own offer.
        var toCustomer: Int64
        /// Milliseconds since 1970.
        var at: Int64
    }

    /// `paymentRequestId`, Alipay+'s.
    var id: String
    /// `paymentId`, the wallet's own.
    var number: String
    var acquirer: String
    var merchant: String
    var subject: String
    /// The merchant's number of the order.
    var order: String
    /// What the merchant charges.
    var price: Amount
    /// The price in the wallet's currency, before any offer.
    var payable: Amount
    /// What Alipay+ takes off, in minor units.
    var promotion: Int64
    /// What the wallet takes off on its own account.
    var offer: Int64
    var scenario: PaymentScenario
    /// `customerId`; nil until somebody has taken it up.
    var customer: String?
    /// Milliseconds since 1970, as all times here.
    var expiresAt: Int64?
    /// Where the customer goes back to.
    var redirect: String?
    var fault: MobileWalletFault?
    /// How often something of the fault plan has happened.
    var met = 0
    var state = State.waiting
    /// A documented result code, where it was refused.
    var failure: String?
    var refunds: [Refund] = []
    var madeAt: Int64
    var paidAt: Int64?

    /// What the wallet owes Alipay+ for it, in minor units.
    var owed: Int64 { payable.minorUnits - promotion }
    /// What the customer pays.
    var collected: Amount { Amount(minorUnits: owed - offer, currency: payable.currency) }
    var refunded: Int64 { refunds.reduce(0) { $0 + $1.units } }

    /// What became of it, in the protocol's words.
    var result: AlipayPlusResult {
        switch state {
        case .waiting, .confirmed: .paymentInProcess
        case .paid: .success
        case .refused: AlipayPlusResult(documented: failure ?? "") ?? .processFail
        case .cancelled: .orderIsClosed
        }
    }

    /// How much of a refund is the customer's: in proportion, rounded half up to what the currency can say; the last part is the exact
    /// rest.
    func customerPart(of units: Int64) throws -> Int64 {
        let left = collected.minorUnits - refunds.reduce(0) { $0 + $1.toCustomer }
        guard units < owed - refunded else { return left }
        let step = WireCurrency(payable.currency).multiple
        let part = try Amount(minorUnits: units / step, currency: payable.currency)
            .multiplied(by: Rational(collected.minorUnits, owed), rounding: .halfUp)
        return min(part.minorUnits * step, left)
    }
}

/// An order that was scanned: what the customer is shown while Alipay+ asks the wallet to collect.
struct MobileScan: PartyDocument {
    static let kind = "mobile.scan"
    /// The `paymentRequestId` that Alipay+ answered.
    var id: String
    var customer: String
    var merchant: String
    var subject: String
    var price: Amount
    var payable: Amount
    var at: Int64
}

/// A request that was cancelled before it came: it is never collected.
struct MobileTombstone: PartyDocument {
    static let kind = "mobile.tombstone"
    var id: String
}

/// A final payment of which Alipay+ is to be told.
struct MobileNotice: PartyDocument {
    static let kind = "mobile.notice"
    /// The payment's.
    var id: String
    /// How often it was sent.
    var sends = 0
}

/// A payment that is collected at an instant.
struct MobileLateSuccess: PartyDocument {
    static let kind = "mobile.late"
    /// The payment's.
    var id: String
}

/// What goes wrong with payments that are still to come.
struct MobileFaultWish: PartyDocument {
    static let kind = "mobile.fault"
    /// `order:` with a merchant's order number, `customer:` with a customer's id, or `seed`.
    var id: String
    var fault: MobileWalletFault?
    var seed: UInt64?
}

extension MobilePayment {
    /// Whether a repeated request asks for the same: what is compared is what `pay` compares (alipay-plus.md#idempotency [D]).
    func isSame(as other: MobilePayment) -> Bool { price == other.price && payable == other.payable && promotion == other.promotion }
}
