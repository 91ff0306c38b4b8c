import AlipayPlus
import AlipayPlusValues
import BillfoldMoney
import BillfoldPayments
import BillfoldStorage

/// What Alipay+ asks of the wallet. The same request id is the same payment, or refund, for ever.
struct AlipayPlusCollections: Sendable {
    let context: WalletContext
    let side: WalletConfiguration.AlipayPlus

    /// The ways to pay that the wallet takes part in: those in which the customer confirms here.
    static let scenarios: [PaymentScenario] = [.cashier, .orderCode, .entryCode]

    /// Notes that a payment is to be collected; the customer confirms it, or has it shown already.
    func pay(_ request: WalletPayRequest) async throws -> WalletPayAnswer {
        if let violation = request.violations.first { return WalletPayAnswer(result: violation.result) }
        guard let scenario = request.paymentFactor?.scenario, Self.scenarios.contains(scenario) else {
            return WalletPayAnswer(result: .businessNotSupport)
        }
        let wanted: AlipayPlusPayment.Facts
        do throws(AlipayPlusError) { wanted = try facts(request) } catch {
            return WalletPayAnswer(result: AlipayPlusResult(refusing: error))
        }
        guard side.limits.contains(wanted.payable.minorUnits) else { return WalletPayAnswer(result: .paymentAmountExceedLimit) }
        let now = context.now()
        let fresh = AlipayPlusPayment(
            id: context.identifiers.next(at: now), requestID: request.paymentRequestId, facts: wanted, createdAt: now)
        let stored = try await context.database.writeRepeatably { tx -> AlipayPlusPayment? in
            if try AlipayPlusPaymentRecords.insert(fresh, in: tx) { return fresh }
            guard var known = try AlipayPlusPaymentRecords.find(requestID: fresh.requestID, in: tx) else { return nil }
            // What was cancelled before it came stays so.
            guard known.state != .cancelled || known.facts.isAsked else { return known }
            guard known.asksTheSame(as: wanted) else { return nil }
            guard !known.facts.isAsked else { return known }
            known.facts = wanted
            try AlipayPlusPaymentRecords.update(known, in: tx)
            return known
        }
        guard let stored else { return WalletPayAnswer(result: .repeatRequestInconsistent) }
        return WalletPayAnswer(
            result: stored.result, paymentId: stored.number, paymentTime: stored.paidAt?.alipayPlusTime,
            paymentAmount: WireAmount(stored.facts.price), customerId: try await customer(of: stored),
            normalUrl: "\(side.callOrigin)/payments/\(stored.id)")
    }

    private func facts(_ request: WalletPayRequest) throws(AlipayPlusError) -> AlipayPlusPayment.Facts {
        let price = try request.paymentAmount.amount()
        let payable = try (request.payToAmount ?? request.paymentAmount).amount()
        guard payable.currency == context.configuration.currency else {
            throw AlipayPlusError(code: .unknownCurrency, reason: "the wallet pays in \(context.configuration.currency)")
        }
        var promotion = Amount.zero(payable.currency)
        if let offer = request.promoAmount { promotion = try offer.amount() }
        guard promotion.currency == payable.currency, (0..<payable.minorUnits).contains(promotion.minorUnits) else {
            throw AlipayPlusError(code: .malformedAmount, reason: "promoAmount is not less than payToAmount, in its currency")
        }
        return .init(
            payee: Self.payee(request.order), subject: EventDetail.storable(request.order.orderDescription), price: price, payable: payable,
            promotion: promotion.minorUnits, redirect: request.paymentRedirectUrl,
            expiresAt: request.paymentExpiryTime.map {
                $0.millisecondsSince1970 * 1_000
            }, isAsked: true)
    }

    static func payee(_ order: WireOrder) -> String {
        EventDetail.storable(order.merchant?.merchantDisplayName ?? order.merchant?.merchantName ?? "—")
    }

    private func customer(of payment: AlipayPlusPayment) async throws -> String? {
        guard let id = payment.account else { return nil }
        return try await context.database.lookup { try AccountRecords.find(id, in: $0)?.number }
    }

    func inquire(_ request: WalletInquiryRequest) async throws -> WalletInquiryAnswer {
        guard let id = request.paymentRequestId else { return WalletInquiryAnswer(result: .paramIllegal) }
        guard let payment = try await context.database.lookup({ try AlipayPlusPaymentRecords.find(requestID: id, in: $0) }),
            payment.facts.isAsked
        else { return WalletInquiryAnswer(result: .orderNotExist) }
        return WalletInquiryAnswer(
            result: .success, paymentResult: payment.result, paymentRequestId: id, paymentId: payment.number,
            paymentAmount: WireAmount(payment.facts.price), payToAmount: WireAmount(payment.facts.payable),
            paymentTime: payment.paidAt?.alipayPlusTime, customerId: try await customer(of: payment))
    }

    /// Takes a payment back in whatever state it is, until 00:15 in UTC+8 of the next day (alipay-plus.md#cancelpayment [D]). What
    /// never came is kept from coming.
    func cancel(_ request: WalletCancelRequest) async throws -> PlainAnswer {
        guard let requestID = request.paymentRequestId else { return PlainAnswer(result: .paramIllegal) }
        let now = context.now()
        let id = context.identifiers.next(at: now)
        let zero = Amount.zero(context.configuration.currency)
        let stone = AlipayPlusPayment(
            id: id, requestID: requestID, state: .cancelled, facts: .init(payee: "—", subject: "—", price: zero, payable: zero),
            createdAt: now)
        let result = try await context.database.writeRepeatably { [self] tx -> AlipayPlusResult in
            if try AlipayPlusPaymentRecords.insert(stone, in: tx) { return .success }
            guard var payment = try AlipayPlusPaymentRecords.find(requestID: requestID, in: tx) else { return .unknownException }
            guard case .move(let state, let moves) = payment.state.apply(.cancelled) else { return .success }
            if moves {
                guard let paidAt = payment.paidAt, now.alipayPlusTime < paidAt.alipayPlusTime.cancelDeadline else {
                    return .cancelWindowExceed
                }
                let rest = Amount(minorUnits: payment.amount.minorUnits - payment.refunded, currency: payment.amount.currency)
                try giveBack(rest, of: &payment, requestID: requestID, id: id, at: now, in: tx)
            }
            payment.state = state
            try AlipayPlusPaymentRecords.update(payment, in: tx)
            return .success
        }
        return PlainAnswer(result: result)
    }

    func refund(_ request: WalletRefundRequest) async throws -> WalletRefundAnswer {
        if let violation = request.violations.first { return WalletRefundAnswer(result: violation.result) }
        guard let requestID = request.paymentRequestId, let amount = try? (request.refundFromAmount ?? request.refundAmount).amount() else {
            return WalletRefundAnswer(result: .paramIllegal)
        }
        let now = context.now()
        let id = context.identifiers.next(at: now)
        let notice = WalletNotices(context: context).notice(of: request, payment: requestID, amount)
        let isKept = Latest<Bool>()
        let (result, done) = try await context.database.writeRepeatably { [self] tx -> (AlipayPlusResult, AlipayPlusRefund?) in
            guard var payment = try AlipayPlusPaymentRecords.find(requestID: requestID, in: tx) else {
                let links = AuditChain(key: context.configuration.keys.audit)
                isKept.set(try UnmatchedNoticeRecords.keep(notice, linking: links, in: tx))
                let known = try UnmatchedNoticeRecords.find(
                    source: notice.source, naturalKey: notice.naturalKey, owner: notice.owner, in: tx)
                // An F is final: it is said once people have settled the notice.
                return (known?.settlement == nil ? .unknownException : .orderNotExist, nil)
            }
            if let known = try AlipayPlusPaymentRecords.refund(requestID: request.refundRequestId, in: tx) {
                let isSame = known.payment == payment.id && known.amount == amount
                if isSame { try match(notice, at: now, in: tx) }
                return isSame ? (.success, known) : (.repeatRequestInconsistent, nil)
            }
            guard payment.state == .paid, let paidAt = payment.paidAt else { return (.orderIsClosed, nil) }
            guard amount.currency == payment.amount.currency else { return (.currencyNotSupport, nil) }
            guard now.alipayPlusTime <= paidAt.alipayPlusTime.refundDeadline else { return (.refundWindowExceed, nil) }
            guard (0...(payment.amount.minorUnits - payment.refunded)).contains(amount.minorUnits) else {
                return (.refundAmountExceed, nil)
            }
            let refund = try giveBack(amount, of: &payment, requestID: request.refundRequestId, id: id, at: now, in: tx)
            try AlipayPlusPaymentRecords.update(payment, in: tx)
            try match(notice, at: now, in: tx)
            return (.success, refund)
        }
        if isKept.value == true { context.tell(notice) }
        guard let done else { return WalletRefundAnswer(result: result) }
        return WalletRefundAnswer(
            result: result, refundId: done.id.description, refundTime: done.at.alipayPlusTime, refundAmount: request.refundAmount)
    }

    /// What was kept for people while the payment was not known has found its place.
    private func match(_ notice: UnmatchedNotice, at now: Timestamp, in tx: any Transaction) throws {
        try UnmatchedNoticeRecords.match(
            source: notice.source, naturalKey: notice.naturalKey, owner: notice.owner, at: now,
            linking: AuditChain(key: context.configuration.keys.audit), in: tx)
    }

    /// Credits the customer and books it. A part may come to nothing in the customer's currency; it is noted all the same.
    @discardableResult
    private func giveBack(
        _ amount: Amount, of payment: inout AlipayPlusPayment, requestID: String, id: TimeOrderedID, at now: Timestamp,
        in tx: any Transaction
    ) throws -> AlipayPlusRefund {
        guard let account = try payment.account.flatMap({ try AccountRecords.find($0, in: tx) }) else {
            throw WalletError(code: .corruptRecord, reason: "a payment without its account")
        }
        if amount.isPositive {
            guard try BalanceRecords.credit(amount, account.id, in: tx) else {
                throw WalletError(code: .corruptRecord, reason: "a customer has no balance")
            }
            try WalletPostings.alipayPlusRefund.book(
                amount, customer: account.number, source: id, owner: context.configuration.owner, at: now, in: tx)
        }
        payment.refunded += amount.minorUnits
        let refund = AlipayPlusRefund(
            id: id, requestID: requestID, payment: payment.id, account: account.id, payee: payment.facts.payee, amount: amount, at: now)
        try AlipayPlusPaymentRecords.insert(refund, in: tx)
        return refund
    }
}
