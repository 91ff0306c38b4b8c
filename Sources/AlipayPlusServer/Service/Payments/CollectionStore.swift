import AlipayPlus
import BillfoldJSON
import BillfoldMoney
import BillfoldPayments
import BillfoldStorage

/// Applies events to payments: reads, decides by the pure state machine, and writes state, postings, errands, deadlines, notifications
/// and audit together, until the write follows what was read.
struct CollectionStore: Sendable {
    /// End the payment when its time is over.
    static let expiry = "alipay-plus-expiry"
    /// Ask the wallet what became of a leg.
    static let inquiry = "alipay-plus-inquiry"

    let audit: AuditChain
    let identifiers: IdentifierSource
    let requests: WalletRequests
    let composer: NotificationComposer
    let inquiries: InquirySchedule

    /// A change of a payment and what belongs to it.
    struct Change: Sendable {
        var event: CollectionEvent
        var actor: String
        /// The new leg's facts, for ``CollectionEvent/walletChosen(leg:wallet:)``.
        var detail: AcquirerPayment.LegDetail?
        /// What the wallet told of the leg.
        var told: Told?
        /// The refund that the amount is reserved for, or released by.
        var refund: RefundWish?
        /// How long errands of this change are left to the request that makes it.
        var lease: Duration?
    }

    /// What a wallet tells of a leg besides its outcome.
    struct Told: Sendable, Hashable {
        var walletPaymentID: String?
        var customerID: String?
    }

    enum RefundWish: Sendable {
        case new(requestID: String, id: TimeOrderedID, reason: String)
        case ended(AcquirerRefund)
    }

    struct Applied: Sendable {
        var payment: AcquirerPayment
        var advanced: Bool
        var refund: AcquirerRefund?
        /// The errands that the change made.
        var errands: [OutboxMessage] = []
    }

    /// Stores a new payment and arms its end. Throws `contended` where its request id or its reference is taken.
    func begin(_ wanted: AcquirerPayment, by actor: String, in tx: any Transaction) throws -> AcquirerPayment {
        var payment = wanted
        let row = audit.extend(
            payment.auditChain, from: &payment.auditHead, at: payment.createdAt, actor: actor, action: "made", object: payment.paymentID,
            result: payment.state.rawValue)
        guard try AcquirerPaymentRecords.insert(payment, in: tx) else {
            throw PaymentsError(code: .contended, reason: "the payment's request id or reference is taken")
        }
        try tx.executeBatch([
            AuditRecords.insertion(row, merchant: payment.acquirer),
            DeadlineRecords.arming(
                Deadline(merchant: payment.acquirer, subject: payment.id, kind: Self.expiry, dueAt: payment.expiresAt)),
        ])
        return payment
    }

    /// Applies one event. Throws ``ResultRefusal`` where it does not fit, and then has changed nothing.
    func apply(
        _ change: Change, to id: TimeOrderedID, acquirer: MerchantID, at now: Timestamp, in tx: any Transaction
    ) throws -> Applied {
        try tx.changing("the payment") { _ in
            guard let found = try AcquirerPaymentRecords.find(id, acquirer: acquirer, in: tx) else {
                throw ResultRefusal(.orderNotExist)
            }
            let transition = found.standing.apply(change.event)
            switch transition.disposition {
            case .refused(let code): throw ResultRefusal(code: code, Self.reason(code, found))
            case .unchanged: return Applied(payment: found, advanced: false)
            case .advanced: break
            }
            var payment = found
            payment.standing = transition.standing
            let refund = try settle(&payment, by: change, after: transition, at: now)
            let row = audit.extend(
                payment.auditChain, from: &payment.auditHead, at: now, actor: change.actor, action: change.event.name,
                object: payment.paymentID, result: "\(found.state.rawValue) > \(payment.state.rawValue)")
            guard try AcquirerPaymentRecords.update(payment, in: tx) else { return nil }
            payment.version += 1
            let errands = try follow(
                payment, before: found, transition: transition, change: change, refund: refund, row: row, at: now, in: tx)
            return Applied(payment: payment, advanced: true, refund: refund, errands: errands)
        }
    }

    /// Why an event does not fit, for the engineer who reads the answer.
    private static func reason(_ code: String, _ payment: AcquirerPayment) -> String {
        switch code {
        case "REFUND_AMOUNT_EXCEED":
            let left = Amount(
                minorUnits: payment.standing.amount - payment.standing.refunded, currency: payment.terms.amount.currency)
            return "\(left) of the payment can still be refunded"
        case "CANCEL_WINDOW_EXCEED":
            let end = (payment.paidAt ?? payment.createdAt).alipayPlusTime.cancelDeadline
            return "it could be cancelled until \(end): refund it"
        case "BUSINESS_NOT_SUPPORT" where payment.standing.refunded > 0: return "it is refunded in part: refund the rest"
        default: return "a payment that is \(payment.state.rawValue) does not take this"
        }
    }

    /// Fills in what goes with the new state.
    private func settle(
        _ payment: inout AcquirerPayment, by change: Change, after transition: CollectionTransition, at now: Timestamp
    ) throws -> AcquirerRefund? {
        if payment.state == .failed || payment.state == .cancelled { payment.closedAt = payment.closedAt ?? now }
        switch change.event {
        case .walletChosen(let leg, let wallet):
            guard var detail = change.detail else { throw PaymentsError(code: .wrongState, reason: "a leg without its amounts") }
            let number = payment.legs.count { $0.id != leg && ExactText.equal($0.wallet, wallet) }
            guard number < WalletRequests.mostLegs else {
                throw ResultRefusal(code: "PAYMENT_COUNT_EXCEED_LIMIT", "the wallet was chosen \(number) times before")
            }
            detail.requestID = requests.payment(payment.requestID, of: payment.acquirer, by: wallet, number: number)
            payment.progress.details[leg.description] = detail
        case .collected(let leg):
            if case .capture? = transition.money { payment.paidAt = now }
            if let told = change.told { Self.note(told, of: leg, in: &payment) }
        case .refundReserved(let units):
            guard case .new(let requestID, let id, let reason)? = change.refund, let money = payment.settledMoney else {
                throw PaymentsError(code: .wrongState, reason: "a refund without a request, or of nothing")
            }
            let part = try money.part(units, after: payment.progress.refunded)
            payment.progress.refunded = payment.progress.refunded + part
            return AcquirerRefund(
                acquirer: payment.acquirer, requestID: requestID, id: id, payment: payment.id, state: .processing, part: part,
                reason: reason, createdAt: now)
        case .refundReleased:
            guard case .ended(let refund)? = change.refund else {
                throw PaymentsError(code: .wrongState, reason: "a release without its refund")
            }
            payment.progress.refunded = payment.progress.refunded - refund.part
            return refund
        default: break
        }
        return nil
    }

    private static func note(_ told: Told, of leg: TimeOrderedID, in payment: inout AcquirerPayment) {
        if let number = told.walletPaymentID { payment.progress.details[leg.description]?.walletPaymentID = number }
        if let customer = told.customerID { payment.progress.details[leg.description]?.customerID = customer }
    }

    /// Writes what follows from a change that holds.
    private func follow(
        _ payment: AcquirerPayment, before: AcquirerPayment, transition: CollectionTransition, change: Change,
        refund: AcquirerRefund?, row: AuditRow, at now: Timestamp, in tx: any Transaction
    ) throws -> [OutboxMessage] {
        var statements = [AuditRecords.insertion(row, merchant: payment.acquirer)]
        if case .walletChosen(let id, _) = change.event, let leg = payment.standing.leg(id) {
            statements.append(AcquirerPaymentRecords.insertion(leg, of: payment, at: now))
        }
        if payment.state.isFinal, !before.state.isFinal {
            statements.append(DeadlineRecords.disarming(Self.expiry, subject: payment.id, merchant: payment.acquirer))
        }
        for leg in before.legs where leg.state == .requested && payment.standing.leg(leg.id)?.state != .requested {
            statements.append(DeadlineRecords.disarming(Self.inquiry, subject: leg.id, merchant: payment.acquirer))
        }
        switch transition.money {
        case .capture(let leg)?: statements += try books(payment, leg, isBack: false, at: now)
        case .reverse(let leg)?: statements += try books(payment, leg, isBack: true, at: now)
        case nil: break
        }
        var errands: [OutboxMessage] = []
        for command in transition.commands {
            errands.append(try errand(command, of: payment, lease: change.lease, at: now, in: tx))
            if case .pay(let leg) = command {
                statements.append(
                    DeadlineRecords.arming(
                        Deadline(
                            merchant: payment.acquirer, subject: leg, kind: Self.inquiry,
                            dueAt: now.advanced(by: inquiries.wait(payment.scenario, after: 0)))))
            }
        }
        if case .refundReserved = change.event, let refund {
            guard try AcquirerRefundRecords.insert(refund, in: tx) else {
                throw PaymentsError(code: .contended, reason: "the refund was stored twice")
            }
            errands.append(try self.refund(refund, of: payment, lease: change.lease, at: now, in: tx))
        }
        statements += errands.map { OutboxRecords.insertion($0) }
        if transition.notifies {
            let wallet = try payment.settledLeg.flatMap { try AlipayPlusPartyRecords.wallet($0.wallet, in: tx) }
            statements += try composer.payment(payment, wallet: wallet, at: now)
        }
        if let leg = transition.alarm {
            statements += AcquirerPaymentAlarmRecords.raising(
                AcquirerPaymentAlarm(
                    acquirer: payment.acquirer, payment: payment.id, subject: leg, kind: .legStuck,
                    note: "the wallet neither cancelled nor refunded what it collected in vain", raisedAt: now))
        }
        try tx.executeBatch(statements)
        return errands
    }

    private func books(_ payment: AcquirerPayment, _ leg: TimeOrderedID, isBack: Bool, at now: Timestamp) throws -> [Statement] {
        guard let wallet = payment.standing.leg(leg)?.wallet, let money = payment.detail(of: leg)?.money else {
            throw PaymentsError(code: .corruptRecord, reason: "a leg without its amounts")
        }
        return try CollectionBooks.statements(
            money.whole, of: money, wallet: wallet, acquirer: payment.acquirer, source: payment.id, isBack: isBack, at: now)
    }

    // MARK: Errands

    private func errand(
        _ command: CollectionTransition.Command, of payment: AcquirerPayment, lease: Duration?, at now: Timestamp, in tx: any Transaction
    ) throws -> OutboxMessage {
        func wallet(_ id: TimeOrderedID) throws -> (CollectionLeg, AcquirerPayment.LegDetail, PartnerWallet) {
            guard let leg = payment.standing.leg(id), let detail = payment.detail(of: id),
                let wallet = try AlipayPlusPartyRecords.wallet(leg.wallet, in: tx)
            else { throw PaymentsError(code: .corruptRecord, reason: "a leg without its wallet") }
            return (leg, detail, wallet)
        }
        switch command {
        case .pay(let id):
            let (leg, detail, wallet) = try wallet(id)
            let token = try detail.authorization.flatMap {
                try AuthorizationRecords.find($0, acquirer: payment.acquirer, in: tx)?.progress.sealedAccess
            }
            return try WalletErrand.message(
                .pay, WalletErrand.pay(leg, of: payment, detail, pspID: wallet.pspID), to: leg.wallet, of: payment, id: id, subject: id,
                sealedToken: token, lease: lease, at: now)
        case .cancel(let id):
            let (leg, _, wallet) = try wallet(id)
            // A pay that waits for its next attempt is not sent any more.
            try OutboxRecords.withdraw(id, merchant: payment.acquirer, in: tx)
            let request = WalletCancelRequest(
                acquirerId: payment.acquirer.description, pspId: wallet.pspID, paymentRequestId: payment.walletRequestID(of: id))
            return try WalletErrand.message(
                .cancel, request, to: leg.wallet, of: payment, id: identifiers.next(at: now), subject: id, lease: nil, at: now)
        case .giveBack(let id):
            let (leg, detail, wallet) = try wallet(id)
            let request = WalletRefundRequest(
                acquirerId: payment.acquirer.description, pspId: wallet.pspID, paymentRequestId: payment.walletRequestID(of: id),
                refundRequestId: "back-\(payment.walletRequestID(of: id))", refundAmount: WireAmount(detail.money.price),
                refundFromAmount: WireAmount(detail.money.owed(detail.money.whole)), refundReason: "collected in vain")
            return try WalletErrand.message(
                .giveBack, request, to: leg.wallet, of: payment, id: identifiers.next(at: now), subject: id, lease: nil, at: now)
        }
    }

    private func refund(
        _ refund: AcquirerRefund, of payment: AcquirerPayment, lease: Duration?, at now: Timestamp, in tx: any Transaction
    ) throws -> OutboxMessage {
        guard let leg = payment.settledLeg, let money = payment.settledMoney,
            let wallet = try AlipayPlusPartyRecords.wallet(leg.wallet, in: tx)
        else {
            throw PaymentsError(code: .corruptRecord, reason: "a refund of a payment without its leg")
        }
        let request = WalletRefundRequest(
            acquirerId: payment.acquirer.description, pspId: wallet.pspID, paymentRequestId: payment.walletRequestID(of: leg.id),
            refundRequestId: refund.id.description,
            refundAmount: WireAmount(Amount(minorUnits: refund.part.price, currency: money.price.currency)),
            refundFromAmount: WireAmount(money.owed(refund.part)),
            refundReason: refund.reason.isEmpty ? nil : refund.reason)
        return try WalletErrand.message(
            .refund, request, to: leg.wallet, of: payment, id: refund.id, subject: refund.id, lease: lease, at: now)
    }

    /// Stores how a refund ended: done and booked, or refused and released. Doing it again changes nothing.
    func finish(
        _ id: TimeOrderedID, acquirer: MerchantID, failure: String?, at now: Timestamp, in tx: any Transaction
    ) throws {
        guard var refund = try AcquirerRefundRecords.find(id, acquirer: acquirer, in: tx), refund.state == .processing,
            let payment = try AcquirerPaymentRecords.find(refund.payment, acquirer: acquirer, in: tx), let money = payment.settledMoney,
            let leg = payment.settledLeg
        else { return }
        refund.state = failure == nil ? .success : .failed
        refund.failure = failure
        refund.doneAt = now
        guard try AcquirerRefundRecords.finish(refund, in: tx) else { return }
        if failure == nil {
            try tx.executeBatch(
                CollectionBooks.statements(
                    refund.part, of: money, wallet: leg.wallet, acquirer: acquirer, source: refund.id, isBack: true, at: now))
        } else {
            _ = try apply(
                Change(event: .refundReleased(refund.part.price), actor: "wallet:\(leg.wallet)", refund: .ended(refund)),
                to: payment.id, acquirer: acquirer, at: now, in: tx)
        }
    }
}
