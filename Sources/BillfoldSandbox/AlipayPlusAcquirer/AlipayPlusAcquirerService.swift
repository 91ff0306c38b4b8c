import AlipayPlus
import AlipayPlusValues
import BillfoldMoney
import BillfoldStorage
import BillfoldTrace
import Foundation

/// The acquirer's server: pays through Alipay+, believes its signature alone, asks as long as it does not know, and keeps books of its own.
struct AlipayPlusAcquirerService: Sendable {
    let surroundings: PartySurroundings
    let line: AlipayPlusLine
    /// The acquirer's own origin, as the gateway reaches it.
    let origin: String
    /// The merchant's origin, as browsers reach it.
    let shop: String

    var now: Int64 { surroundings.milliseconds }
    var database: any Database { surroundings.database }

    // MARK: Orders

    /// Makes an order. `offer-unknown`.
    func place(_ offer: String) async throws -> AcquirerOrder {
        guard let offer = PlusOffer.find(offer) else {
            throw SandboxRefusal(code: "offer-unknown", reason: "the shop does not sell that", status: 404)
        }
        return try await place(offer)
    }

    func place(_ offer: PlusOffer) async throws -> AcquirerOrder {
        let order = AcquirerOrder(id: newNumber("PN"), offer: offer.id, subject: offer.name, price: offer.price, madeAt: now)
        try await database.write { try PartyRecords.put(order, in: $0) }
        return order
    }

    func order(_ number: String) async throws -> AcquirerOrder {
        guard let order = try await database.read({ try PartyRecords.find(AcquirerOrder.self, number, in: $0) }) else {
            throw SandboxRefusal(code: "order-unknown", reason: "the merchant made no order of this number", status: 404)
        }
        return order
    }

    func orders() async throws -> [AcquirerOrder] { try await database.read { try PartyRecords.all(AcquirerOrder.self, in: $0) } }

    func newNumber(_ prefix: String) -> String {
        "\(prefix)\(AlipayPlusTime(millisecondsSince1970: now).day)\(surroundings.digits(12))"
    }

    // MARK: Paying

    /// Begins an attempt to have an order paid. `order-paid` where that is done, `code-missing` for a code payment without a code,
    /// `agreement-missing` for a debit without a customer's consent, and `pay-refused` where Alipay+ does not take it in.
    ///
    /// - Parameter userAgent: Of the browser that opened the store's page, which tells the wallet.
    func pay(
        _ number: String, by way: PaymentScenario, code: String? = nil, agreement: AcquirerAgreement? = nil, userAgent: String? = nil
    ) async throws -> AcquirerOrder {
        let order = try await order(number)
        guard !order.attempts.contains(where: { $0.state == .paid }) else {
            throw SandboxRefusal(code: "order-paid", reason: "the order is paid", status: 409)
        }
        guard way != .paymentCode || code != nil else {
            throw SandboxRefusal(code: "code-missing", reason: "no code was scanned", status: 400)
        }
        guard way != .automaticDebit || agreement?.accessToken != nil else {
            throw SandboxRefusal(code: "agreement-missing", reason: "nobody agreed to be debited", status: 409)
        }
        let request = payRequest(newNumber("PR"), for: order, by: way, code: code, agreement: agreement, userAgent: userAgent)
        let now = now
        // Written before it is sent: what is then told has a place to go, and what is not told is asked for.
        _ = try await change(order.id) { order, tx in
            order.attempts.append(.init(id: request.paymentRequestId, way: way, madeAt: now))
            try PartyRecords.put(
                AcquirerRequest(
                    id: request.paymentRequestId, order: order.id, body: String(decoding: request.body, as: UTF8.self)), in: tx)
            try arm(request.paymentRequestId, seconds: AcquirerSchedule.wait(way, after: 0, age: 0) ?? 2, in: tx)
        }
        let after = try await send(request, of: order.id, isRepeated: false)
        if let attempt = after.attempts.last, attempt.state == .failed, attempt.number == nil {
            throw SandboxRefusal(code: "pay-refused", reason: attempt.failure ?? "", status: 422)
        }
        return after
    }

    /// Sends `pay`, for the first time or again: the same request is the same payment.
    private func send(_ request: PayRequest, of order: String, isRepeated: Bool) async throws -> AcquirerOrder {
        let id = request.paymentRequestId
        let answer: PayAnswer
        do {
            answer = try await line.call(request, about: [AlipayPlusTrace.request: id, AlipayPlusTrace.order: order])
        } catch is SandboxError { return try await self.order(order) }
        let facts = AcquirerFacts(answer)
        return try await change(order) { order, tx in
            let price = order.price
            try order.change(id) { attempt in
                attempt.paymentData = answer.paymentData ?? attempt.paymentData
                attempt.page = answer.paymentUrl ?? answer.normalUrl ?? attempt.page
                attempt.orderCode = answer.orderCodeForm?.codeDetails?.first?.codeValue ?? attempt.orderCode
                let outcome = answer.outcome(of: attempt.asked(price), by: attempt.way, isRepeated: isRepeated)
                try book(outcome, facts, into: &attempt, price: price, in: tx)
            }
        }
    }

    // MARK: What became of it

    /// Books what Alipay+ said under its signature. What is final stays as it is, what is not known stays open, and a word that contradicts
    /// what was asked for is refused with `payment-differs`.
    private func book(
        _ outcome: AlipayPlusOutcome, _ facts: AcquirerFacts, into attempt: inout AcquirerOrder.Attempt, price: Amount,
        in tx: any Transaction
    ) throws {
        if case .unknown(let doubt) = outcome, doubt.isContradiction {
            throw SandboxRefusal(code: "payment-differs", reason: "Alipay+ tells of another payment: \(doubt.rawValue)", status: 409)
        }
        attempt.number = attempt.number ?? facts.number
        guard attempt.state == .inProcess else { return }
        switch outcome {
        case .unknown: return
        case .done:
            attempt.state = .paid
            attempt.pspID = facts.pspID
            attempt.wallet = facts.wallet
            attempt.walletNumber = facts.walletNumber
            attempt.settlement = try facts.settlement?.amount() ?? Self.settled(price)
            attempt.paidAt = facts.paidAt ?? now
        case .refused(let code):
            attempt.state = attempt.isCancelling ? .cancelled : .failed
            attempt.failure = code
        }
        if !attempt.isCancelling || attempt.state != .paid { try PartyRecords.remove(AcquirerInquiry.self, attempt.id, in: tx) }
    }

    /// What is settled where nothing was said of it: the amount itself in the contract's currency; of another currency nothing is known.
    private static func settled(_ amount: Amount) -> Amount? { amount.currency == AcquirerContract.settlement ? amount : nil }

    private func arm(_ attempt: String, seconds: Int64, in tx: any Transaction) throws {
        try PartyRecords.put(
            AcquirerInquiry(id: attempt), due: surroundings.clock.now().advanced(by: .seconds(seconds)), in: tx)
    }

    /// Asks for what is open of an order, once: its payment, and refunds under the numbers that they were asked for with.
    func ask(_ number: String) async throws -> AcquirerOrder {
        let order = try await order(number)
        guard let attempt = order.attempt else { return order }
        if attempt.state == .inProcess { return try await inquire(attempt.id, of: order) }
        for refund in attempt.refunds where refund.state == .asked {
            _ = try await sendRefund(refund.id, refund.amount, of: attempt.id, order: order.id, isRepeated: true)
        }
        return try await self.order(number)
    }

    private func inquire(_ id: String, of order: AcquirerOrder) async throws -> AcquirerOrder {
        let answer: InquiryPaymentAnswer
        do {
            answer = try await line.call(
                InquiryPaymentRequest(paymentRequestId: id),
                about: [AlipayPlusTrace.request: id, AlipayPlusTrace.order: order.id])
        } catch is SandboxError { return order }
        if answer.result.resultCode == AlipayPlusResult.orderNotExist.resultCode {
            // The request never arrived: it is sent again, the same, unless nobody wants it any more.
            guard order.attempts.first(where: { $0.id == id })?.isCancelling == false,
                let sent = try await database.read({ try PartyRecords.find(AcquirerRequest.self, id, in: $0) })
            else { return order }
            return try await send(try PayRequest(body: Array(sent.body.utf8)), of: order.id, isRepeated: true)
        }
        let facts = AcquirerFacts(answer)
        return try await change(order.id) { order, tx in
            let price = order.price
            try order.change(id) { try book(answer.outcome(of: $0.asked(price)), facts, into: &$0, price: price, in: tx) }
        }
    }

    /// Asks for what is due, and cancels what was asked for long enough. Returns how much that was.
    func pollDue() async throws -> Int {
        let due = try await database.read { [surroundings] in
            try PartyRecords.due(AcquirerInquiry.self, at: surroundings.clock.now(), limit: 16, in: $0)
        }
        for inquiry in due { try await poll(inquiry.id) }
        return due.count
    }

    private func poll(_ id: String) async throws {
        let now = now
        let found = try await database.write { tx -> AcquirerOrder? in
            guard let request = try PartyRecords.find(AcquirerRequest.self, id, in: tx),
                var order = try PartyRecords.find(AcquirerOrder.self, request.order, in: tx),
                var attempt = order.attempts.first(where: { $0.id == id })
            else {
                try PartyRecords.remove(AcquirerInquiry.self, id, in: tx)
                return nil
            }
            attempt.inquiries += 1
            let wait = AcquirerSchedule.wait(attempt.way, after: attempt.inquiries, age: (now - attempt.madeAt) / 1_000)
            if wait == nil { attempt.isCancelling = true }
            order.change(id) { $0 = attempt }
            try PartyRecords.put(order, in: tx)
            try arm(id, seconds: wait ?? AlipayPlusSchedule.inStoreCancel.last ?? 5, in: tx)
            return order
        }
        guard let order = found, let attempt = order.attempts.first(where: { $0.id == id }) else { return }
        if attempt.state == .inProcess {
            let after = try await inquire(id, of: order)
            guard let known = after.attempts.first(where: { $0.id == id }), known.isCancelling, known.state == .inProcess else { return }
            _ = try? await sendCancel(id, of: order.id)
        } else if attempt.isCancelling {
            _ = try? await sendCancel(id, of: order.id)
        } else {
            try await database.write { try PartyRecords.remove(AcquirerInquiry.self, id, in: $0) }
        }
    }

    // MARK: Cancelling and giving back

    /// Takes the order's payment back as a whole. Refuses with `cancel-refused`; without an answer it is asked again until there is one.
    func cancel(_ number: String) async throws -> AcquirerOrder {
        let order = try await order(number)
        guard let attempt = order.attempt, attempt.state == .inProcess || attempt.state == .paid else {
            throw SandboxRefusal(code: "nothing-to-cancel", reason: "the order has no payment that can be cancelled", status: 409)
        }
        _ = try await change(order.id) { order, tx in
            order.change(attempt.id) { $0.isCancelling = true }
            try arm(attempt.id, seconds: AlipayPlusSchedule.inStoreCancel[0], in: tx)
        }
        return try await sendCancel(attempt.id, of: order.id)
    }

    private func sendCancel(_ id: String, of order: String) async throws -> AcquirerOrder {
        let answer: CancelPaymentAnswer
        do {
            answer = try await line.call(
                CancelPaymentRequest(paymentRequestId: id), about: [AlipayPlusTrace.request: id, AlipayPlusTrace.order: order])
        } catch is SandboxError { return try await self.order(order) }
        let (now, isMissing) = (now, answer.result.resultCode == AlipayPlusResult.orderNotExist.resultCode)
        let after = try await change(order) { order, tx in
            var isOpen = false
            order.change(id) { attempt in
                isOpen = isMissing && now < attempt.madeAt + Int64(AlipayPlusSchedule.longTimeout) * 1_000
                switch (answer.result.resultStatus, answer.result.resultCode) {
                // Our own request to pay may still be on its way.
                case (.failure, "ORDER_NOT_EXIST") where isOpen: break
                case (.success, _), (.failure, "ORDER_NOT_EXIST"):
                    attempt.state = attempt.state == .failed ? .failed : .cancelled
                    attempt.isCancelling = false
                case (.failure, _): attempt.isCancelling = false
                case (.unknown, _): break
                }
            }
            if answer.result.resultStatus != .unknown, !isOpen { try PartyRecords.remove(AcquirerInquiry.self, id, in: tx) }
        }
        guard !answer.result.isFailure || answer.result.resultCode == "ORDER_NOT_EXIST" else {
            throw SandboxRefusal(code: "cancel-refused", reason: answer.result.resultCode, status: 409)
        }
        return after
    }

    /// Gives a part back. The same number with the same amount asks again; with another amount it is refused.
    ///
    /// - Parameter name: The caller's name for the refund; nil for a fresh one. Refuses with `not-paid`, `amount-malformed`,
    ///   `number-reused`, `beyond-payment`, `refund-refused`.
    func refund(_ number: String, _ text: String, name: String?) async throws -> AcquirerOrder {
        let order = try await order(number)
        guard let attempt = order.attempt, attempt.state == .paid else {
            throw SandboxRefusal(code: "not-paid", reason: "the order is not paid", status: 409)
        }
        guard let amount = try? Amount(text, currency: order.price.currency), amount.isPositive else {
            throw SandboxRefusal(code: "amount-malformed", reason: "an amount is above zero, in the order's currency", status: 400)
        }
        let id = name ?? newNumber("RF")
        guard id.wholeMatch(of: /[0-9A-Za-z-]{1,64}/) != nil else {
            throw SandboxRefusal(code: "number-malformed", reason: "a refund's number has 1 to 64 letters and digits", status: 400)
        }
        // Written before it is sent: what is not answered is asked for again under the same number.
        _ = try await change(order.id) { order, _ in
            let price = order.price
            try order.change(attempt.id) { attempt in
                if let earlier = attempt.refunds.first(where: { $0.id == id }) {
                    guard earlier.amount == amount else {
                        throw SandboxRefusal(code: "number-reused", reason: "the refund's number stands for another amount", status: 409)
                    }
                    return
                }
                let open = attempt.refunds.filter { $0.state != .refused }.reduce(0) { $0 + $1.amount.minorUnits }
                guard open + amount.minorUnits <= price.minorUnits else {
                    throw SandboxRefusal(code: "beyond-payment", reason: "more would go back than was paid", status: 409)
                }
                attempt.refunds.append(.init(id: id, amount: amount, state: .asked))
            }
        }
        let isRepeated = attempt.refunds.contains { $0.id == id }
        return try await sendRefund(id, amount, of: attempt.id, order: order.id, isRepeated: isRepeated)
    }

    private func sendRefund(
        _ id: String, _ amount: Amount, of attempt: String, order: String, isRepeated: Bool
    ) async throws -> AcquirerOrder {
        let answer: RefundAnswer
        do {
            answer = try await line.call(
                RefundRequest(
                    paymentRequestId: attempt, refundRequestId: id, refundAmount: WireAmount(amount), refundReason: "asked for at the desk"),
                about: [AlipayPlusTrace.request: attempt, AlipayPlusTrace.order: order])
        } catch is SandboxError { return try await self.order(order) }
        let outcome = answer.outcome(of: WireAmount(amount), isRepeated: isRepeated)
        let after = try await change(order) { order, _ in
            try order.change(attempt) { attempt in
                guard let index = attempt.refunds.firstIndex(where: { $0.id == id }), attempt.refunds[index].state != .done else { return }
                switch outcome {
                case .done:
                    attempt.refunds[index].state = .done
                    attempt.refunds[index].number = answer.refundId
                    attempt.refunds[index].settlement = try answer.settlementAmount?.amount() ?? Self.settled(amount)
                    attempt.refunds[index].at = answer.refundTime?.millisecondsSince1970 ?? now
                case .refused(let code):
                    attempt.refunds[index].state = .refused
                    attempt.refunds[index].code = code
                case .unknown: break
                }
            }
        }
        if case .refused(let code) = outcome { throw SandboxRefusal(code: "refund-refused", reason: code, status: 409) }
        return after
    }

    // MARK: Notifications

    /// Takes a notification that is verified. The result says whether it settled: anything but S is sent again.
    func notified(_ message: NotifyPaymentRequest) async throws -> AlipayPlusResult {
        guard message.acquirerId == AcquirerContract.acquirerID else { return .paramIllegal.saying("another acquirer's payment") }
        let facts = AcquirerFacts(message)
        return try await database.write { tx in
            guard let request = try PartyRecords.find(AcquirerRequest.self, message.paymentRequestId, in: tx),
                var order = try PartyRecords.find(AcquirerOrder.self, request.order, in: tx)
            else { return .orderNotExist }
            let price = order.price
            do {
                try order.change(message.paymentRequestId) { attempt in
                    attempt.notifications += 1
                    try book(message.outcome(of: attempt.asked(price)), facts, into: &attempt, price: price, in: tx)
                }
            } catch let refusal as SandboxRefusal { return .paramIllegal.saying(refusal.reason) }
            try PartyRecords.put(order, in: tx)
            return .success
        }
    }

    /// Notes what happened to a consent.
    func notified(_ message: AuthNotifyRequest) async throws -> AlipayPlusResult {
        surroundings.reporter.report(
            .note, from: .acquirer, to: .acquirer, "consent", correlation: [:],
            fields: [.init("authorizationNotifyType", message.authorizationNotifyType.rawValue)])
        let note = AcquirerConsentNote(
            id: surroundings.reporter.makeName(), type: message.authorizationNotifyType.rawValue, authState: message.authState, at: now)
        let isOver = message.authorizationNotifyType == .tokenCanceled
        try await database.write { tx in
            try PartyRecords.put(note, in: tx)
            guard isOver, let id = message.authState, var agreement = try PartyRecords.find(AcquirerAgreement.self, id, in: tx) else {
                return
            }
            agreement.end()
            try PartyRecords.put(agreement, in: tx)
        }
        return .success
    }

    private func change(
        _ number: String, _ body: @escaping @Sendable (inout AcquirerOrder, any Transaction) throws -> Void
    ) async throws -> AcquirerOrder {
        try await database.write { tx in
            guard var order = try PartyRecords.find(AcquirerOrder.self, number, in: tx) else {
                throw SandboxRefusal(code: "order-unknown", reason: "the merchant made no order of this number", status: 404)
            }
            let before = order
            try body(&order, tx)
            if order != before { try PartyRecords.put(order, in: tx) }
            return order
        }
    }
}
