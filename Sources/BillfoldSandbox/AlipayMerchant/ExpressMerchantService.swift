import Alipay
import BillfoldJSON
import BillfoldMoney
import BillfoldStorage
import BillfoldTrace
import Foundation
import Synchronization

/// The merchant's server: makes orders, believes the gateway's signed word alone, gives money back and keeps its books.
struct ExpressMerchantService: Sendable {
    let surroundings: PartySurroundings
    let registration: OrderGatewayRegistration
    let maker: ExpressOrderMaker
    let calls: OrderGatewayCalls
    /// Numbers of orders that are to be closed while they are paid.
    let races: AsyncStream<String>.Continuation

    private var now: Int64 { surroundings.milliseconds }
    private var time: AlipayTime { AlipayTime(secondsSince1970: now / 1_000) }
    private var database: any Database { surroundings.database }

    // MARK: Orders

    /// Makes an order and signs it. `offer-unknown`, `generation-unknown`.
    func place(_ offer: String, _ generation: AlipayGeneration, faults: [ExpressFault]) async throws -> ExpressOrderRecord {
        guard let offer = ExpressOffer.find(offer) else {
            throw SandboxRefusal(code: "offer-unknown", reason: "the shop does not sell that", status: 404)
        }
        // A contract that the gateway does not know could sell nothing.
        _ = try await registration.keySet(of: offer.account)
        let number = newNumber(prefix: "TL")
        var text = try await maker.text(of: number, for: offer, in: generation, at: time)
        if faults.contains(.orderCorrupt) { text = ExpressOrderMaker.corrupted(text) }
        let order = ExpressOrderRecord(
            id: number, account: offer.account, generation: generation, offer: offer.id, subject: offer.name,
            price: ExpressMoney(offer.price), text: text, faults: faults, madeAt: now)
        try await database.write { try PartyRecords.put(order, in: $0) }
        if faults.contains(.closeRacesPayment) { races.yield(number) }
        return order
    }

    /// Makes an order and has the gateway make its trade for a buyer, which a mini program then has paid by its number. `offer-unknown`,
    /// `generation-unknown` for a contract without an application, `trade-refused`, `gateway-unavailable`.
    func create(_ offer: String, buyer: String) async throws -> ExpressOrderRecord {
        let order = try await place(offer, .modern, faults: [])
        guard let sold = ExpressOffer.find(offer) else { return order }
        let number = try await calls.create(order, offer: sold, buyer: buyer)
        return try await change(order.id) { $0.tradeNo = number }
    }

    func order(_ number: String) async throws -> ExpressOrderRecord {
        guard let order = try await database.read({ try PartyRecords.find(ExpressOrderRecord.self, number, in: $0) }) else {
            throw SandboxRefusal(code: "order-unknown", reason: "the merchant made no order of this number", status: 404)
        }
        return order
    }

    func orders() async throws -> [ExpressOrderRecord] {
        try await database.read { try PartyRecords.all(ExpressOrderRecord.self, in: $0) }
    }

    /// The day first, as `batch_no` wants it; letters and digits only.
    private func newNumber(prefix: String) -> String {
        let random = surroundings.bytes(8).map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 2 ? digits : "0" + digits
        }.joined()
        return prefix + time.compact + random
    }

    // MARK: What became of it

    /// What the merchant knows of an order, after asking the gateway where it is not known to be paid.
    ///
    /// - Parameter result: The signed text that came back to the phone. It is looked at, and decides nothing: the query does.
    func state(of number: String, result: PaymentResult? = nil) async throws -> ExpressOrderRecord {
        let order = try await order(number)
        if let result { try await note(result, of: order) }
        guard !order.isPaid, order.state != .closed else { return order }
        guard let trade = try await calls.query(order) else { return order }
        return try await book(trade, of: number)
    }

    /// What the gateway has, beside what the merchant has.
    func compare(_ number: String) async throws -> (ours: ExpressOrderRecord, theirs: OrderGatewayCalls.Trade?) {
        let order = try await order(number)
        return (order, try await calls.query(order))
    }

    private func book(_ trade: OrderGatewayCalls.Trade, of number: String) async throws -> ExpressOrderRecord {
        let now = now
        return try await change(number) { order in
            guard let price = order.price.amount,
                (try? Amount(alipay: trade.total, currency: price.currency, reading: .asObserved)) == price,
                order.tradeNo == nil || ExactText.equal(order.tradeNo, trade.tradeNo)
            else { throw SandboxRefusal(code: "trade-differs", reason: "the gateway has another trade under this number", status: 502) }
            switch trade.outcome {
            case .paid: order.pay(tradeNo: trade.tradeNo, at: now)
            case .givenBack:
                order.pay(tradeNo: trade.tradeNo, at: now)
                order.giveBackWhole(refund: nil, at: now)
            case .closed: if order.state == .unpaid { order.state = .closed }
            case .open, .unclear: break
            }
        }
    }

    private func note(_ result: PaymentResult, of order: ExpressOrderRecord) async throws {
        let keys = try await registration.keySet(of: order.account)
        let told: (String, String?)
        do {
            let verified = try result.verified(by: order.generation == .legacy ? keys.partner : keys.application)
            told =
                verified.saysPaid && ExactText.equal(verified.outTradeNo, order.id)
                ? ("signed, and of this order", nil) : ("signed", "it is not a payment of this order")
        } catch  where result.result.isEmpty {
            told = ("empty", nil)
        } catch {
            told = ("not believed", "\(error.code)")
        }
        surroundings.reporter.report(
            .note, from: .merchant, to: .merchant, "result from the phone", correlation: ExpressTrace.about(order),
            fields: [.init("resultStatus", result.status.rawValue, meaning: "the wallet’s word, not signed"), .init("result", told.0)],
            problem: told.1)
    }

    /// Changes an order in a transaction of its own, and returns what it became.
    private func change(
        _ number: String, _ body: @escaping @Sendable (inout ExpressOrderRecord) throws -> Void
    ) async throws -> ExpressOrderRecord {
        try await database.write { tx in
            guard var order = try PartyRecords.find(ExpressOrderRecord.self, number, in: tx) else {
                throw SandboxRefusal(code: "order-unknown", reason: "the merchant made no order of this number", status: 404)
            }
            let before = order
            try body(&order)
            if order != before { try PartyRecords.put(order, in: tx) }
            return order
        }
    }

    // MARK: Money back, and closing

    /// Gives a part back. The same number with the same amount asks again; with another amount it is refused.
    ///
    /// Refuses with `refund-refused`, `beyond-payment`, `not-paid`, and with `not-confirmable` what the gateway has no page for.
    ///
    /// - Parameters:
    ///   - name: The caller's name for the refund; nil for a fresh one.
    ///   - isConfirmed: Whether it waits for a person who confirms it at the gateway (``confirmation(of:_:)``) instead of being asked for.
    func refund(_ number: String, _ text: String, name: String?, isConfirmed: Bool = false) async throws -> ExpressOrderRecord {
        let order = try await order(number)
        guard order.isPaid else { throw SandboxRefusal(code: "not-paid", reason: "the order is not paid", status: 409) }
        guard let price = order.price.amount, let amount = try? Amount(alipay: text, currency: price.currency, reading: .strict) else {
            throw SandboxRefusal(code: "amount-malformed", reason: "an amount is above zero, with the currency's digits", status: 400)
        }
        guard !isConfirmed || order.isConfirmable else {
            throw SandboxRefusal(code: "not-confirmable", reason: "only legacy orders in CNY are refunded by password", status: 409)
        }
        let refundNumber: String
        if let name {
            guard name.wholeMatch(of: /[0-9A-Za-z]{11,32}/) != nil else {
                throw SandboxRefusal(code: "number-malformed", reason: "a refund's number has 11 to 32 letters and digits", status: 400)
            }
            refundNumber = name
        } else {
            refundNumber = newNumber(prefix: "")
        }
        let refund = ExpressOrderRecord.Refund(number: refundNumber, amount: ExpressMoney(amount), state: .asked, at: now)
        // Written before it is sent: what the gateway then tells has a place to go.
        _ = try await database.write { tx in
            guard var known = try PartyRecords.find(ExpressOrderRecord.self, number, in: tx) else { return }
            if let earlier = known.refunds.first(where: { $0.number == refund.number }) {
                guard earlier.amount == refund.amount else {
                    throw SandboxRefusal(code: "number-reused", reason: "the refund's number stands for another amount", status: 409)
                }
                return
            }
            let open = known.refunds.filter { $0.state != .refused }.compactMap { $0.amount.amount?.minorUnits }.reduce(0, +)
            guard open + amount.minorUnits <= price.minorUnits else {
                throw SandboxRefusal(code: "beyond-payment", reason: "more would go back than was paid", status: 409)
            }
            known.refunds.append(refund)
            try PartyRecords.put(known, in: tx)
            try PartyRecords.put(ExpressRefundName(id: refund.number, order: number), in: tx)
        }
        if isConfirmed { return try await self.order(number) }
        switch try await calls.refund(order, refund) {
        case .done: return try await change(number) { $0.settle(refund: refund.number, .done) }
        case .accepted: return try await self.order(number)
        case .refused(let code):
            _ = try await change(number) { $0.settle(refund: refund.number, .refused, code: code) }
            throw SandboxRefusal(code: "refund-refused", reason: "the gateway refuses: \(code)", status: 409)
        }
    }

    /// The address at the gateway where a person confirms a refund that is under way. Refuses with `not-confirmable`.
    func confirmation(of refund: String, _ number: String) async throws -> String {
        let order = try await order(number)
        guard order.isConfirmable, let wanted = order.refunds.first(where: { $0.number == refund && $0.state == .asked }) else {
            throw SandboxRefusal(code: "not-confirmable", reason: "no refund of that number waits for a password", status: 409)
        }
        return try await calls.confirmation(order, wanted)
    }

    /// Closes the trade where it is not paid, and returns what became of it.
    func close(_ number: String) async throws -> ExpressOrderRecord {
        try await calls.close(try await order(number))
        return try await state(of: number)
    }

    // MARK: Notifications

    /// Takes a notification's body. Whether the answer is exactly `success`.
    func take(notification body: [UInt8], isReported: Bool) async throws -> Bool {
        let observed: AlipayNotification
        do { observed = try AlipayNotification(form: body) } catch {
            surroundings.reporter.report(
                .note, from: .merchant, to: .merchant, "notification", correlation: [:], problem: "unreadable: \(error.code)")
            return false
        }
        guard let order = try await subject(of: observed) else {
            surroundings.reporter.report(
                .note, from: .merchant, to: .merchant, "notification", correlation: [:], problem: "it is about no order of ours")
            return false
        }
        if !isReported {
            surroundings.reporter.report(
                .notification, from: .gateway, to: .merchant, observed.parameters["trade_status"] ?? "notification",
                correlation: ExpressTrace.about(order))
        }
        let keys = try await registration.keySet(of: order.account)
        let verified: VerifiedNotification
        do { verified = try observed.verified(by: order.generation == .legacy ? keys.partner : keys.application) } catch {
            report(order, "not believed", problem: "\(error.code)")
            return false
        }
        if try await fails(verified, order) { return false }
        let times = order.faults.contains(.notificationDoubled) ? 2 : 1
        var isTaken = false
        for _ in 0..<times { isTaken = try await take(verified, of: order.id) }
        return isTaken
    }

    private func subject(of notification: AlipayNotification) async throws -> ExpressOrderRecord? {
        let (number, batch) = (notification.parameters["out_trade_no"], notification.parameters["batch_no"])
        return try await database.read { tx in
            if let number { return try PartyRecords.find(ExpressOrderRecord.self, number, in: tx) }
            guard let batch, let name = try PartyRecords.find(ExpressRefundName.self, batch, in: tx) else { return nil }
            return try PartyRecords.find(ExpressOrderRecord.self, name.order, in: tx)
        }
    }

    /// Judges and books in one transaction, so that two deliveries at once count once.
    private func take(_ notification: VerifiedNotification, of number: String) async throws -> Bool {
        guard let id = notification.notifyID else { return false }
        let now = now
        let (order, verdict) = try await database.write { tx -> (ExpressOrderRecord?, NotificationRules.Verdict) in
            guard let order = try PartyRecords.find(ExpressOrderRecord.self, number, in: tx) else {
                return (nil, .refused("it is about no order of ours"))
            }
            if try PartyRecords.find(ExpressNotificationRecord.self, id, in: tx) != nil { return (order, .nothingNew) }
            let verdict = NotificationRules.judge(notification, of: order, at: now)
            if case .refused = verdict { return (order, verdict) }
            var taken = order
            if case .change(let changed) = verdict { taken = changed }
            taken.notifications += 1
            try PartyRecords.put(taken, in: tx)
            try PartyRecords.put(
                ExpressNotificationRecord(
                    id: id, order: number, says: notification.tradeStatus ?? notification["notify_type"] ?? "", at: now), in: tx)
            return (order, verdict)
        }
        guard let order else { return false }
        switch verdict {
        case .change(let changed):
            report(
                order, "booked", fields: [.init("state", changed.state.rawValue), .init("trade_status", notification.tradeStatus ?? "")])
            return true
        case .nothingNew:
            report(order, "nothing new", fields: [.init("state", order.state.rawValue)])
            return true
        case .refused(let why):
            report(order, "refused", problem: why)
            return false
        }
    }

    /// Whether the fault plan lets this delivery fail.
    private func fails(_ notification: VerifiedNotification, _ order: ExpressOrderRecord) async throws -> Bool {
        if order.faults.contains(.notificationLost) {
            report(order, "lost (fault plan)", problem: "the notification never arrived")
            return true
        }
        guard let id = notification.notifyID else { return false }
        if order.faults.contains(.notificationReordered), order.refunds.isEmpty {
            report(order, "held up (fault plan)", problem: "a refund's notification will come first")
            return true
        }
        guard order.faults.contains(.notificationLate) else { return false }
        let isFirst = try await database.write { tx in
            guard try PartyRecords.find(ExpressFailedDelivery.self, id, in: tx) == nil else { return false }
            try PartyRecords.put(ExpressFailedDelivery(id: id), in: tx)
            return true
        }
        if isFirst { report(order, "failed once (fault plan)", problem: "the first delivery failed") }
        return isFirst
    }

    private func report(_ order: ExpressOrderRecord, _ what: String, fields: [TraceEntry.Field] = [], problem: String? = nil) {
        surroundings.reporter.report(
            .note, from: .merchant, to: .merchant, "notification: \(what)", correlation: ExpressTrace.about(order), fields: fields,
            problem: problem)
    }

    // MARK: Books

    /// One line of the merchant's books.
    struct Entry: Sendable, Hashable, Codable {
        enum Kind: String, Sendable, Hashable, Codable { case payment, refund }
        var order: String
        var tradeNo: String
        /// The refund's number; nil for payments.
        var number: String?
        var kind: Kind
        var amount: ExpressMoney
        /// Milliseconds since 1970.
        var at: Int64
    }

    /// Every payment and every refund that is done, oldest order first.
    func books() async throws -> [Entry] {
        try await orders().flatMap { order -> [Entry] in
            guard order.isPaid, let tradeNo = order.tradeNo, let paidAt = order.paidAt else { return [] }
            return [Entry(order: order.id, tradeNo: tradeNo, kind: .payment, amount: order.price, at: paidAt)]
                + order.refunds.filter { $0.state == .done }.map {
                    Entry(order: order.id, tradeNo: tradeNo, number: $0.number, kind: .refund, amount: $0.amount, at: $0.at)
                }
        }
    }
}
