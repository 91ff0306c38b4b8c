import AlipayPlus
import AlipayPlusValues
import BillfoldJSON
import BillfoldMoney
import BillfoldPayments
import BillfoldServer
import BillfoldStorage

/// What acquirers ask of the gateway. Every write is one transaction; every answer is made from the committed row.
struct AcquirerService: Sendable {
    let context: AlipayPlusServerContext
    let intake: PaymentIntake
    let cashier: CashierService
    let collector: Collector
    let authorizations: AuthorizationService
    let options: OptionService
    let unlisted: UnlistedPayments

    // MARK: Paying

    func pay(_ request: PayRequest, by acquirer: Acquirer) async throws -> PayAnswer {
        let taken = try await intake.take(request, by: acquirer)
        if !taken.errands.isEmpty {
            context.metrics.moved("made")
            for errand in taken.errands { try await run(errand) }
        }
        // Without an errand what was stored, or found, in the write is what the payment is.
        let payment = taken.errands.isEmpty ? taken.payment : try await current(taken.payment)
        let answer = try await answer(payment, to: acquirer)
        context.trace.note("pay answered", fields: AcquiringGatewayTrace.fields(answer.result), about: AcquiringGatewayTrace.about(payment))
        return answer
    }

    /// Does an errand that this request holds, and leaves it to the workers where its outcome is not known.
    private func run(_ errand: OutboxMessage) async throws {
        let delivery = await collector.deliver(errand, attempt: 1)
        // A worker need not wait for the lease to end: this request is done with it.
        let next = context.clock.now().advanced(by: .seconds(AlipayPlusSchedule.inStoreInquiry[0]))
        try await context.database.writeRepeatably { tx in
            try OutboxRecords.finishByRequest(errand, delivery, retryAt: next, in: tx)
        }
        delivery.committed?()
    }

    private func current(_ payment: AcquirerPayment) async throws -> AcquirerPayment {
        try await context.database.lookup { try AcquirerPaymentRecords.find(payment.id, acquirer: payment.acquirer, in: $0) } ?? payment
    }

    private func wallet(of payment: AcquirerPayment) async throws -> PartnerWallet? {
        guard let leg = payment.settledLeg else { return nil }
        return try await context.parties.wallet(leg.wallet)?.wallet
    }

    /// What the payer's next step needs goes with a payment that waits.
    private func answer(_ payment: AcquirerPayment, to acquirer: Acquirer) async throws -> PayAnswer {
        var answer = PaymentAnswers.pay(payment, wallet: try await wallet(of: payment))
        guard payment.state == .processing else { return answer }
        switch payment.scenario {
        case .cashier: try await addSheet(to: &answer, payment, of: acquirer)
        case .orderCode:
            answer.orderCodeForm = WireOrderCodeForm(
                paymentMethodType: .connectWallet, expireTime: payment.expiresAt.alipayPlusTime,
                codeDetails: [WireCodeDetail(codeValueType: .qrCode, codeValue: try cashier.orderCode(of: payment), displayType: .text)])
        case .entryCode: answer.paymentUrl = cashier.entryURL(of: payment)
        case .paymentCode, .automaticDebit: break
        }
        return answer
    }

    /// If exactly one wallet fits, the sheet is skipped and the links lead straight to it (alipay-plus.md#flow [D]).
    private func addSheet(to answer: inout PayAnswer, _ payment: AcquirerPayment, of acquirer: Acquirer) async throws {
        let links = try cashier.links(for: payment)
        let offered = try await cashier.choices(for: payment, of: acquirer).compactMap { choice in
            choice.isOffered ? SheetData.wallet(choice.wallet, links(choice.wallet)) : nil
        }
        let sheetURL = cashier.sheetURL(of: payment)
        answer.normalUrl = sheetURL
        answer.paymentData = SheetData.text(payment, offered, sheetURL: sheetURL, isTest: context.configuration.mode == .test)
        guard offered.count == 1, let only = offered.first?.links else { return }
        answer.normalUrl = only.normalURL
        answer.schemeUrl = only.schemeURL
        answer.applinkUrl = only.applinkURL
        answer.appIdentifier = only.appIdentifier
    }

    // MARK: Asking, cancelling, refunding

    func inquire(_ request: InquiryPaymentRequest, by acquirer: Acquirer) async throws -> InquiryPaymentAnswer {
        let (payment, refunds, wallet) = try await listed(acquirer) {
            try await context.database.lookup { tx -> (AcquirerPayment, [AcquirerRefund], PartnerWallet?) in
                let payment = try find(requestID: request.paymentRequestId, paymentID: request.paymentId, acquirer: acquirer.id, in: tx)
                return (
                    payment, try AcquirerRefundRecords.all(of: payment.id, acquirer: acquirer.id, in: tx),
                    try payment.settledLeg.flatMap { try AlipayPlusPartyRecords.wallet($0.wallet, in: tx) }
                )
            }
        }
        return PaymentAnswers.inquiry(payment, refunds: refunds, wallet: wallet)
    }

    /// By either of its names; another acquirer's payment is answered as none.
    ///
    /// None is an F, which says that nothing was taken, and rows can be lost by a failover. So it is said of no id that was given to this
    /// acquirer; what it means for an id of the acquirer's own is asked of the wallets, by ``listed(_:_:)``.
    private func find(
        requestID: String?, paymentID: String?, acquirer: MerchantID, in tx: any Transaction
    ) throws -> AcquirerPayment {
        var found: AcquirerPayment?
        if let paymentID {
            found = try (try? TimeOrderedID(text: paymentID)).flatMap { try AcquirerPaymentRecords.find($0, acquirer: acquirer, in: tx) }
        } else if let requestID {
            found = try AcquirerPaymentRecords.find(requestID: requestID, acquirer: acquirer, in: tx)
        }
        if let found, requestID == nil || ExactText.equal(found.requestID, requestID) { return found }
        guard found == nil else { throw ResultRefusal(.orderNotExist) }
        if let paymentID {
            let isOurs = (try? TimeOrderedID(text: paymentID)).map { context.issued.haveIssued($0, to: acquirer) } ?? false
            throw isOurs
                ? ResultRefusal(.unknownException, "what became of this payment is not known: ask again") : ResultRefusal(.orderNotExist)
        }
        throw requestID.map { Unlisted(requestID: $0) } ?? ResultRefusal(.orderNotExist)
    }

    /// Runs what looks for a payment. Where the books have none under its request id, the wallets decide what is answered.
    private func listed<Answer>(_ acquirer: Acquirer, _ body: () async throws -> Answer) async throws -> Answer {
        do { return try await body() } catch let unknown as Unlisted {
            throw try await unlisted.refusal(unknown.requestID, by: acquirer)
        }
    }

    /// Done as soon as it is stored: whatever a wallet has collected goes back. Doing it again changes nothing and says the same. What is
    /// not paid can be cancelled at any time; what is paid until 00:15 in UTC+8 of the day after it was (alipay-plus.md#cancelpayment [D]).
    func cancel(_ request: CancelPaymentRequest, by acquirer: Acquirer) async throws -> CancelPaymentAnswer {
        let now = context.clock.now()
        let applied = try await listed(acquirer) {
            try await context.database.writeRepeatably { [self] tx in
                let payment = try find(requestID: request.paymentRequestId, paymentID: request.paymentId, acquirer: acquirer.id, in: tx)
                let inWindow = payment.paidAt.map { now.alipayPlusTime < $0.alipayPlusTime.cancelDeadline } ?? true
                return try context.store.apply(
                    .init(event: .cancelled(inWindow: inWindow), actor: "acquirer:\(acquirer.id)"), to: payment.id, acquirer: acquirer.id,
                    at: now, in: tx)
            }
        }
        if applied.advanced {
            context.metrics.moved("cancelled")
            context.trace.note("payment cancelled", about: AcquiringGatewayTrace.about(applied.payment))
        }
        return CancelPaymentAnswer(
            result: .success, acquirerId: acquirer.id.description, pspId: try await wallet(of: applied.payment)?.pspID)
    }

    /// Reserves the amount, asks the wallet while the caller waits, and answers U as long as the wallet has not decided.
    func refund(_ request: RefundRequest, by acquirer: Acquirer) async throws -> RefundAnswer {
        let (now, amount) = (context.clock.now(), try request.refundAmount.amount())
        let key: IdempotencyKey
        do { key = try IdempotencyKey(caller: acquirer.clientID, operation: RefundRequest.api, key: request.refundRequestId) } catch {
            throw ResultRefusal(.paramIllegal, "refundRequestId is not printable ASCII without spaces")
        }
        let payment = try await listed(acquirer) {
            try await context.database.lookup { [self] tx in
                try find(requestID: request.paymentRequestId, paymentID: request.paymentId, acquirer: acquirer.id, in: tx)
            }
        }
        let errands = try await listed(acquirer) {
            try await reserve(amount, of: payment, for: request, under: key, by: acquirer, at: now)
        }
        for errand in errands { try await run(errand) }
        let found = try await context.database.lookup { tx -> (AcquirerRefund, AcquirerPayment)? in
            guard let refund = try AcquirerRefundRecords.find(requestID: request.refundRequestId, acquirer: acquirer.id, in: tx),
                let payment = try AcquirerPaymentRecords.find(refund.payment, acquirer: acquirer.id, in: tx)
            else { return nil }
            return (refund, payment)
        }
        guard let (refund, refunded) = found else { throw PaymentsError(code: .corruptRecord, reason: "a request id without its refund") }
        context.trace.note(
            "refund", fields: AcquiringGatewayTrace.fields(PaymentAnswers.result(refund)), about: AcquiringGatewayTrace.about(refunded))
        return PaymentAnswers.refund(refund, of: refunded, wallet: try await wallet(of: refunded))
    }

    /// Takes the request id and reserves the amount. Returns the errand that is leased to this request; none where it is a repeat.
    private func reserve(
        _ amount: Amount, of payment: AcquirerPayment, for request: RefundRequest, under key: IdempotencyKey, by acquirer: Acquirer,
        at now: Timestamp
    ) async throws -> [OutboxMessage] {
        // The wallet knows the refund by it, also where the books have lost that it was asked for.
        let id = context.requests.refund(request.refundRequestId, of: payment)
        let fingerprint = RequestFingerprint(parts: [payment.id.bytes, Array(amount.description.utf8)])
        let keyed = KeyedRequest(key, fingerprint: fingerprint, subject: id, at: now)
        do {
            let decided = try await context.database.decideOnce(keyed, answering: id.bytes, keeping: ResultRefusal.kept) { [self] tx in
                // A failover may have lost it since: its absence refuses nothing for good.
                guard let payment = try AcquirerPaymentRecords.find(payment.id, acquirer: acquirer.id, in: tx) else {
                    throw Unlisted(requestID: payment.requestID)
                }
                // The key may be forgotten, and the request id is not.
                if let earlier = try AcquirerRefundRecords.find(requestID: request.refundRequestId, acquirer: acquirer.id, in: tx) {
                    throw ForgottenKey(
                        isSame: earlier.payment == payment.id && earlier.part.price == amount.minorUnits
                            && amount.currency == payment.terms.amount.currency)
                }
                guard amount.currency == payment.terms.amount.currency else {
                    throw ResultRefusal(.currencyNotSupport, "a refund is in the payment's currency")
                }
                if let paidAt = payment.paidAt, now.alipayPlusTime > paidAt.alipayPlusTime.refundDeadline {
                    throw ResultRefusal(.refundWindowExceed)
                }
                return try context.store.apply(
                    .init(
                        event: .refundReserved(amount.minorUnits), actor: "acquirer:\(acquirer.id)",
                        refund: .new(requestID: request.refundRequestId, id: id, reason: request.refundReason ?? ""),
                        lease: context.configuration.lease), to: payment.id, acquirer: acquirer.id, at: now, in: tx
                ).errands
            }
            return try decided.made() ?? []
        } catch let forgotten as ForgottenKey {
            guard forgotten.isSame else { throw ResultRefusal(.repeatRequestInconsistent) }
            return []
        }
    }
}
