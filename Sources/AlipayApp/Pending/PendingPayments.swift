import Alipay
import BillfoldJSON

/// All payments that were begun and are not forgotten, oldest launch first: a value, and the rules by which it changes.
public struct PendingPayments: Sendable, Hashable, Codable {
    public private(set) var payments: [PendingPayment] = []
    /// How many launches there were.
    public private(set) var launches = 0
    /// Whether a payment from this phone ever succeeded.
    public private(set) var hasPaid = false
    /// The wallet's number of the last trade that succeeded with a result that names it.
    public internal(set) var lastTradeNumber: String?

    public init() {}

    /// More than a person begins; beyond it the oldest that are settled go first.
    static let limit = 64
    /// More than a lost list needs. Anybody can open the app with a result of an order that it never began.
    static let adoptedLimit = 8
    /// Twice the longest time for which an order can be paid, in milliseconds (alipay.md#payment-time: 15 days).
    static let lifetime: Int64 = 30 * 24 * 3_600_000

    public subscript(id: PendingPayment.ID) -> PendingPayment? { payments.first { $0.id == id } }

    /// The last payment of an order.
    public func payment(ofOrder number: String) -> PendingPayment? { payments.last { ExactText.equal($0.orderNumber, number) } }

    /// Notes that the wallet is about to be shown an order. An earlier launch of the same order is replaced: both stand for one payment.
    mutating func launch(_ order: OrderFacts, returnTo address: ReturnAddress, at now: Int64) -> PendingPayment {
        add(number: order.orderNumber, order: order, address: address, now: now)
    }

    /// Notes a payment that nobody remembers, from what came back.
    mutating func adopt(_ number: String, returnedTo address: ReturnAddress, at now: Int64) -> PendingPayment {
        let adopted = payments.filter { $0.order == nil }
        if adopted.count >= Self.adoptedLimit, let first = adopted.first { payments.removeAll { $0.id == first.id } }
        return add(number: number, order: nil, address: address, now: now)
    }

    private mutating func add(number: String, order: OrderFacts?, address: ReturnAddress, now: Int64) -> PendingPayment {
        payments.removeAll { ExactText.equal($0.orderNumber, number) || now - $0.launchedAt > Self.lifetime }
        while payments.count >= Self.limit { payments.remove(at: payments.firstIndex { $0.conclusion != nil } ?? 0) }
        launches += 1
        let payment = PendingPayment(
            id: launches, orderNumber: number, order: order, returnAddress: address, launchedAt: now, reply: nil, conclusion: nil,
            isReported: false)
        payments.append(payment)
        return payment
    }

    /// Which payment something is about that came back.
    enum Match: Hashable {
        case payment(PendingPayment.ID)
        /// A result of an order that the list does not hold.
        case unknownOrder(String)
        /// It came before.
        case repeated(PendingPayment.ID)
        case nothing
    }

    /// A result is of the order that it names. A reply without one (cancelled, failed) is of the latest launch with that return
    /// address, and of no earlier one: when the latest has its answer, it came before (alipay.md#pending-payments [I]).
    func match(_ reply: PaymentResult, orderNumber: String?, returnedTo url: String) -> Match {
        if let orderNumber {
            guard let known = payment(ofOrder: orderNumber) else { return .unknownOrder(orderNumber) }
            return known.conclusion == .succeeded || known.reply == reply ? .repeated(known.id) : .payment(known.id)
        }
        guard let latest = payments.last(where: { $0.returnAddress.takes(url) }) else { return .nothing }
        return latest.reply == nil && latest.conclusion == nil ? .payment(latest.id) : .repeated(latest.id)
    }

    /// Takes what came back. A payment that was believed to be over is open again: only success is final.
    mutating func take(_ reply: PaymentResult, for id: PendingPayment.ID) {
        change(id) { payment in
            guard payment.conclusion != .succeeded else { return }
            payment.reply = reply
            payment.conclusion = nil
            payment.isReported = false
        }
    }

    /// Notes the end of a payment. A payment that succeeded stays so.
    mutating func conclude(_ id: PendingPayment.ID, _ conclusion: PendingPayment.Conclusion) {
        change(id) { payment in
            guard payment.conclusion != .succeeded else { return }
            payment.conclusion = conclusion
        }
        if conclusion == .succeeded { hasPaid = true }
    }

    /// Notes that somebody was told of the end. The result of a payment that succeeded has done its service then.
    mutating func markReported(_ id: PendingPayment.ID) {
        change(id) { payment in
            payment.isReported = true
            if payment.conclusion == .succeeded { payment.reply = nil }
        }
    }

    private mutating func change(_ id: PendingPayment.ID, _ body: (inout PendingPayment) -> Void) {
        guard let index = payments.firstIndex(where: { $0.id == id }) else { return }
        body(&payments[index])
    }
}
