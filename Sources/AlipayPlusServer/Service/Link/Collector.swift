import AlipayPlus
import BillfoldDiagnosis
import BillfoldJSON
import BillfoldMoney
import BillfoldPayments
import BillfoldStorage
import Logging

/// Turns what wallets say into events of payments: answers, notifications and inquiries alike.
struct Collector: Sendable {
    let context: AlipayPlusServerContext
    let wallets: WalletClient

    /// Delivers one errand and says what is to be stored of it.
    func deliver(_ message: OutboxMessage, attempt: Int64) async -> Delivery {
        guard let errand = try? JSONDocument.decode(WalletErrand.self, message.body) else {
            return Delivery(.park, note: "the errand does not read back")
        }
        let payment = await payment(of: message, errand)
        let about =
            payment.map { errand.kind == .refund ? AcquiringGatewayTrace.about($0) : AcquiringGatewayTrace.about($0, leg: message.subject) }
            ?? [:]
        let body = Array(errand.body.utf8)
        switch errand.kind {
        case .pay:
            guard let sent = try? await withToken(errand, message: message, payment: payment) else {
                return Delivery(.retry(after: nil), note: "the consent's token cannot be opened")
            }
            let outcome = await wallets.call(WalletPayRequest.self, body: sent, to: errand.wallet, about: about)
            return await pay(message, errand: errand, outcome: outcome, copy: MessageCopy(attempt: attempt), about: about)
        case .cancel:
            let outcome = await wallets.call(WalletCancelRequest.self, body: body, to: errand.wallet, about: about)
            return cancel(message, errand: errand, outcome: outcome, attempt: attempt)
        case .giveBack:
            return giveBack(
                message, errand: errand, outcome: await wallets.call(WalletRefundRequest.self, body: body, to: errand.wallet, about: about))
        case .refund:
            let outcome = await wallets.call(WalletRefundRequest.self, body: body, to: errand.wallet, about: about)
            return refund(message, errand: errand, outcome: outcome, copy: MessageCopy(attempt: attempt))
        case .takeBack:
            let outcome = await wallets.call(WalletCancelRequest.self, body: body, to: errand.wallet, about: about)
            return UnmatchedCollections(context: context).delivery(of: message, outcome)
        }
    }

    /// Puts the wallet's token into an automatic debit, just before it is sent: the one that was sealed with the errand, so that a token that
    /// is refreshed in between makes no repetition another request. Errands of earlier versions hold none.
    private func withToken(_ errand: WalletErrand, message: OutboxMessage, payment: AcquirerPayment?) async throws -> [UInt8] {
        let body = Array(errand.body.utf8)
        guard let id = payment?.detail(of: message.subject)?.authorization else { return body }
        var request = try WalletPayRequest(body: body)
        request.paymentMethod?.paymentMethodId = try await AuthorizationService.walletToken(
            of: id, acquirer: message.merchant, sealed: errand.sealedToken, context)?.reveal()
        return request.body
    }

    private func payment(of message: OutboxMessage, _ errand: WalletErrand) async -> AcquirerPayment? {
        let found = try? await context.database.lookup { tx in
            switch errand.kind {
            case .pay, .cancel, .giveBack: return try AcquirerPaymentRecords.find(leg: message.subject, in: tx)
            case .refund:
                return try AcquirerRefundRecords.find(message.subject, acquirer: message.merchant, in: tx).flatMap {
                    try AcquirerPaymentRecords.find($0.payment, acquirer: message.merchant, in: tx)
                }
            case .takeBack: return nil
            }
        }
        return found.flatMap { $0 }
    }

    // MARK: Answers

    /// A refusal of a later copy says nothing of the copy before it, which may have collected; and the first that the books know may be a
    /// later one, where the books have lost rows. So whenever it is refused the wallet is asked what became of the payment.
    private func pay(
        _ message: OutboxMessage, errand: WalletErrand, outcome: WalletClient.Outcome<WalletPayAnswer>, copy: MessageCopy,
        about: [String: String]
    ) async -> Delivery {
        guard case .answered(let answer, let bytes) = outcome, let sent = try? WalletPayRequest(body: Array(errand.body.utf8)) else {
            return unanswered(outcome)
        }
        var said = Said(
            answer.result, collected: .price(answer.paymentAmount), number: answer.paymentId, customer: answer.customerId, bytes: bytes)
        if answer.result.isFailure {
            switch await ask(sent.paymentRequestId, acquirer: sent.acquirerId, of: errand.wallet, about: about) {
            case .said(let other) where other.result.isSuccess || other.result.isFailure && copy == .repeated: said = other
            case .said(let other) where other.result.isFailure: break
            case .nothing(_) where copy == .first && !Self.speaksOfAnother(answer.result): break
            case .said, .nothing, .unknown: return unanswered(outcome)
            }
        }
        let heard = Latest<Heard>()
        var delivery = Delivery(
            .delivered, note: "\(said.result)", receipt: receipt(said.bytes),
            record: { [self, said] tx in heard.set(try hear(said, of: sent.paymentRequestId, from: errand.wallet, in: tx)) })
        delivery.committed = { [context] in context.tell(heard.value) }
        return delivery
    }

    /// Whether a refusal says itself that an earlier copy has arrived.
    private static func speaksOfAnother(_ refusal: AlipayPlusResult) -> Bool {
        refusal.resultCode == AlipayPlusResult.repeatRequestInconsistent.resultCode
    }

    /// So often a wallet may say that it has no such payment before it is believed: the payment may still be under way to it.
    private static let patience: Int64 = 3

    private func cancel(
        _ message: OutboxMessage, errand: WalletErrand, outcome: WalletClient.Outcome<PlainAnswer>, attempt: Int64
    ) -> Delivery {
        let givenUp: @Sendable (any Transaction) throws -> Void = { [self] tx in
            try apply(.givenUp(leg: message.subject), leg: message.subject, by: errand.wallet, in: tx)
        }
        guard case .answered(let answer, let bytes) = outcome else {
            var delivery = unanswered(outcome)
            delivery.givenUp = givenUp
            return delivery
        }
        let event: CollectionEvent? =
            switch (answer.result.resultStatus, answer.result.resultCode) {
            case (.success, _), (.failure, "ORDER_IS_CLOSED"): .legCancelled(leg: message.subject)
            case (.failure, "ORDER_NOT_EXIST"): attempt < Self.patience ? nil : .legCancelled(leg: message.subject)
            case (.failure, "CANCEL_WINDOW_EXCEED"): .cancelTooLate(leg: message.subject)
            default: nil
            }
        guard let event else {
            return Delivery(.retry(after: nil), note: "\(answer.result)", receipt: receipt(bytes), givenUp: givenUp)
        }
        return Delivery(
            .delivered, note: "\(answer.result)", receipt: receipt(bytes),
            record: { [self] tx in
                try apply(event, leg: message.subject, by: errand.wallet, in: tx)
            })
    }

    private func giveBack(
        _ message: OutboxMessage, errand: WalletErrand, outcome: WalletClient.Outcome<WalletRefundAnswer>
    ) -> Delivery {
        let givenUp: @Sendable (any Transaction) throws -> Void = { [self] tx in
            try apply(.givenUp(leg: message.subject), leg: message.subject, by: errand.wallet, in: tx)
        }
        guard case .answered(let answer, let bytes) = outcome else {
            var delivery = unanswered(outcome)
            delivery.givenUp = givenUp
            return delivery
        }
        switch answer.result.resultStatus {
        case .success:
            return Delivery(
                .delivered, receipt: receipt(bytes),
                record: { [self] tx in
                    try apply(.legReturned(leg: message.subject), leg: message.subject, by: errand.wallet, in: tx)
                })
        case .unknown: return Delivery(.retry(after: nil), note: "\(answer.result)", receipt: receipt(bytes), givenUp: givenUp)
        case .failure where Self.isOfTheEnvelope(answer.result):
            return Delivery(.retry(after: nil), note: "\(answer.result)", receipt: receipt(bytes), givenUp: givenUp)
        case .failure: return Delivery(.park, note: "\(answer.result)", receipt: receipt(bytes), givenUp: givenUp)
        }
    }

    private func refund(
        _ message: OutboxMessage, errand: WalletErrand, outcome: WalletClient.Outcome<WalletRefundAnswer>, copy: MessageCopy
    ) -> Delivery {
        let (now, acquirer, id) = (context.clock.now(), message.merchant, message.subject)
        let givenUp: @Sendable (any Transaction) throws -> Void = { tx in
            guard let refund = try AcquirerRefundRecords.find(id, acquirer: acquirer, in: tx) else { return }
            try tx.executeBatch(
                AcquirerPaymentAlarmRecords.raising(
                    AcquirerPaymentAlarm(
                        acquirer: acquirer, payment: refund.payment, subject: id, kind: .refundRefused,
                        note: "the wallet does not say what became of the refund", raisedAt: now)))
        }
        guard case .answered(let answer, let bytes) = outcome,
            answer.result.isSuccess
                || answer.result.isFailure && copy == .first && !Self.isOfTheEnvelope(answer.result)
                    && !Self.speaksOfAnother(answer.result)
        else {
            var delivery = unanswered(outcome)
            delivery.givenUp = givenUp
            return delivery
        }
        let failure = answer.result.isSuccess ? nil : answer.result.resultCode
        return Delivery(
            .delivered, note: "\(answer.result)", receipt: receipt(bytes),
            record: { [context] tx in
                try context.store.finish(id, acquirer: acquirer, failure: failure, at: now, in: tx)
            })
    }

    private func unanswered<Answer: AlipayPlusAnswer>(_ outcome: WalletClient.Outcome<Answer>) -> Delivery {
        switch outcome {
        case .unanswered(let note): Delivery(.retry(after: nil), note: note)
        case .answered(let answer, let bytes): Delivery(.retry(after: nil), note: "\(answer.result)", receipt: receipt(bytes))
        }
    }

    /// Of an answer so many bytes are kept as evidence.
    private func receipt(_ bytes: [UInt8]) -> [UInt8] { Array(bytes.prefix(1_024)) }

    // MARK: What became of a leg

    /// A wallet's word about one of our requests.
    struct Said: Sendable {
        var result: AlipayPlusResult
        var collected: Collected
        var told: CollectionStore.Told
        /// The message.
        var bytes: [UInt8]

        init(_ result: AlipayPlusResult, collected: Collected, number: String?, customer: String?, bytes: [UInt8]) {
            self.result = result
            self.collected = collected
            told = CollectionStore.Told(walletPaymentID: number, customerID: customer)
            self.bytes = bytes
        }
    }

    /// What a wallet knows of one of our requests.
    enum Asked: Sendable {
        case said(Said)
        /// It refuses to say: it has no such payment, or does not believe us at all.
        case nothing(AlipayPlusResult)
        case unknown
    }

    /// Asks a wallet what became of a request.
    func ask(_ requestID: String, acquirer: String?, of wallet: String, about: [String: String]) async -> Asked {
        let request = WalletInquiryRequest(acquirerId: acquirer, paymentRequestId: requestID)
        let outcome = await wallets.call(WalletInquiryRequest.self, body: request.body, to: wallet, about: about)
        guard case .answered(let answer, let bytes) = outcome else { return .unknown }
        if answer.result.isFailure { return .nothing(answer.result) }
        // A signature covers the answer's path and time and not the question: it has to name what was asked for, if it names anything.
        guard answer.result.isSuccess, let result = answer.paymentResult,
            answer.paymentRequestId.map({ ExactText.equal($0, requestID) }) ?? true
        else { return .unknown }
        return .said(
            Said(
                result, collected: .both(answer.paymentAmount, payable: answer.payToAmount), number: answer.paymentId,
                customer: answer.customerId, bytes: bytes))
    }

    /// Asks the wallet, and stores what it says. Returns whether the leg is decided.
    func inquire(_ leg: TimeOrderedID, of payment: AcquirerPayment) async throws -> Bool {
        guard let walletType = payment.standing.leg(leg)?.wallet else { return true }
        let requestID = payment.walletRequestID(of: leg)
        let asked = await ask(
            requestID, acquirer: payment.acquirer.description, of: walletType, about: AcquiringGatewayTrace.about(payment, leg: leg))
        guard case .said(let said) = asked, said.result.resultStatus != .unknown else { return false }
        let heard = try await context.database.writeRepeatably { [self] tx in try hear(said, of: requestID, from: walletType, in: tx) }
        context.tell(heard)
        return true
    }

    /// What a wallet says that it has collected.
    enum Collected: Sendable {
        /// An answer to `pay` has no other amount.
        case price(WireAmount?)
        /// Notices and answers to inquiries also have `payToAmount`, where the currencies differ (alipay-plus.md#wallet-side [D]).
        case both(WireAmount?, payable: WireAmount?)

        /// What the wallet names as the price.
        var price: WireAmount? {
            switch self {
            case .price(let price), .both(let price, _): price
            }
        }

        /// Nothing that is left out was agreed to.
        func fits(_ money: CollectionMoney) -> Bool {
            switch self {
            case .price(let price): price == WireAmount(money.price)
            case .both(let price, let payable):
                price == WireAmount(money.price)
                    && (payable.map { $0 == WireAmount(money.payable) } ?? (money.payable.currency == money.price.currency))
            }
        }
    }

    /// What a wallet's word has come to.
    enum Heard: Sendable, Hashable {
        case taken
        /// Nothing is booked, and an alarm is raised.
        case anotherAmount
        /// The books do not know what was collected: it waits for people, who are told of the first copy.
        case kept(first: UnmatchedNotice?)
    }

    /// Applies a wallet's word on a leg. A success of another amount than was asked for, or of none, is never booked.
    ///
    /// A success of a leg that the books do not know is kept for people: a failover may have lost it.
    ///
    /// - Parameter requestID: What the wallet knows the leg by.
    func hear(_ said: Said, of requestID: String, from wallet: String, in tx: any Transaction) throws -> Heard {
        let found = try AcquirerPaymentRecords.find(walletRequest: requestID, in: tx)
        switch said.result.resultStatus {
        case .unknown: return .taken
        case .failure:
            guard let found else { return .taken }
            try apply(.refused(leg: found.leg, code: Self.toldOn(said.result)), leg: found.leg, by: wallet, in: tx)
        case .success:
            guard let (payment, leg) = found else {
                let notice = UnmatchedCollections(context: context).notice(
                    of: requestID, from: wallet, told: said.told, price: said.collected.price, evidence: said.bytes)
                let links = AuditChain(key: context.configuration.keys.audit)
                return .kept(first: try UnmatchedNoticeRecords.keep(notice, linking: links, in: tx) ? notice : nil)
            }
            guard let money = payment.detail(of: leg)?.money else { return .taken }
            guard said.collected.fits(money) else {
                try tx.executeBatch(
                    AcquirerPaymentAlarmRecords.raising(
                        AcquirerPaymentAlarm(
                            acquirer: payment.acquirer, payment: payment.id, subject: leg, kind: .amountDiffers,
                            note: "the wallet does not say that it collected \(money.payable) for \(money.price)",
                            raisedAt: context.clock.now())))
                return .anotherAmount
            }
            try apply(.collected(leg: leg), leg: leg, by: wallet, told: said.told, in: tx)
        }
        return .taken
    }

    /// The code that the acquirer is told of a wallet's refusal. One that is about the envelope between the wallet and us would have the
    /// acquirer look for a fault of its own keys; what the wallet said stays in the trace.
    private static func toldOn(_ refusal: AlipayPlusResult) -> String {
        isOfTheEnvelope(refusal) ? AlipayPlusResult.processFail.resultCode : refusal.resultCode
    }

    /// Whether a refusal is about keys and clients between the wallet and us: it says nothing of what was asked.
    private static func isOfTheEnvelope(_ refusal: AlipayPlusResult) -> Bool {
        [.invalidSignature, .invalidClient, .keyNotFound, .accessDenied].contains { (known: AlipayPlusResult) in
            known.resultCode == refusal.resultCode
        }
    }

    private func apply(
        _ event: CollectionEvent, leg: TimeOrderedID, by wallet: String, told: CollectionStore.Told? = nil, in tx: any Transaction
    ) throws {
        guard let payment = try AcquirerPaymentRecords.find(leg: leg, in: tx) else { return }
        _ = try context.store.apply(
            .init(event: event, actor: "wallet:\(wallet)", told: told), to: payment.id, acquirer: payment.acquirer, at: context.clock.now(),
            in: tx)
    }
}
