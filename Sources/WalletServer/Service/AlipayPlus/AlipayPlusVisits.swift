import AlipayPlus
import BillfoldDiagnosis
import BillfoldMoney
import BillfoldPayments
import BillfoldStorage

/// What a customer does with a payment of Alipay+: scans its code, confirms it with the payment password, or declines it.
struct AlipayPlusVisits: Sendable {
    let context: WalletContext
    let side: WalletConfiguration.AlipayPlus
    let line: AlipayPlusLine
    let passwords: PasswordService

    /// A code's longest text (alipay-plus.md#userinitiatedpay [D]).
    static let codeLimit = 512

    /// Asks Alipay+ what a code leads to, and notes that this customer wants to pay it.
    ///
    /// Refuses with `order-refused` and Alipay+'s code, or with `gateway-unavailable`.
    func scan(_ code: String, by account: WalletAccount) async throws -> TimeOrderedID {
        let answer = try await line.call(
            WalletUserInitiatedPayRequest(
                pspId: side.pspID, codeValue: code, customerId: account.number, env: WireEnv(terminalType: .app)), about: [:])
        guard answer.result.isSuccess, let requestID = answer.paymentRequestId, let order = answer.order,
            let price = try answer.paymentAmount?.amount(), let payable = try (answer.payToAmount ?? answer.paymentAmount)?.amount(),
            payable.currency == context.configuration.currency
        else {
            throw WalletError(
                code: .orderRefused, reason: answer.result.resultMessage ?? "", gatewayCode: answer.result.resultCode)
        }
        let now = context.now()
        let fresh = AlipayPlusPayment(
            id: context.identifiers.next(at: now), requestID: requestID, account: account.id,
            facts: .init(
                payee: AlipayPlusCollections.payee(order), subject: EventDetail.storable(order.orderDescription), price: price,
                payable: payable, redirect: answer.paymentRedirectUrl), createdAt: now)
        return try await context.database.writeRepeatably { tx in
            if try AlipayPlusPaymentRecords.insert(fresh, in: tx) { return fresh.id }
            // The request to collect may have been quicker.
            guard var known = try AlipayPlusPaymentRecords.find(requestID: requestID, in: tx) else { return fresh.id }
            if known.account == nil {
                known.account = account.id
                try AlipayPlusPaymentRecords.update(known, in: tx)
            }
            return known.id
        }
    }

    /// A payment of this customer. Refuses with `payment-not-found`.
    func payment(_ id: TimeOrderedID, of account: WalletAccount) async throws -> AlipayPlusPayment {
        try await context.database.lookup { try Self.find(id, of: account, in: $0) }
    }

    private static func find(_ id: TimeOrderedID, of account: WalletAccount, in tx: any Transaction) throws -> AlipayPlusPayment {
        guard let payment = try AlipayPlusPaymentRecords.find(id, in: tx), payment.account == account.id else {
            throw WalletError(code: .paymentNotFound, reason: "this customer has no such payment")
        }
        return payment
    }

    /// Compares the payment password, takes the money, and has Alipay+ told: once, in one write.
    ///
    /// Refuses with `terms-changed` where `shown` is not what is to be paid, and with `insufficient-balance`.
    func confirm(
        _ id: TimeOrderedID, by account: WalletAccount, password: Secret<String>, shown: String
    ) async throws -> CheckoutService.Confirmation {
        let isRight = try await passwords.matches(password, .payment, of: account)
        let (now, limit) = (context.now(), context.configuration.paymentLimit)
        let notice = context.identifiers.next(at: now)
        return try await context.database.writeRepeatably { [self] tx in
            var payment = try Self.find(id, of: account, in: tx)
            guard payment.state == .waiting else { return .submitted }
            guard payment.facts.isAsked, payment.amount.text == shown else {
                throw WalletError(code: .termsChanged, reason: "what is to be paid has changed; look again")
            }
            guard isRight, try AccountRecords.takeSuccess(.payment, of: account.id, hash: account.payment.hash, at: now, in: tx) else {
                return try CheckoutService.wrong(account, limit, isWrong: !isRight, at: now, in: tx)
            }
            guard payment.facts.expiresAt.map({ now.microseconds < $0 }) ?? true else {
                try end(&payment, .refused, failure: .orderIsClosed, notice: notice, at: now, in: tx)
                return .submitted
            }
            guard try BalanceRecords.debit(payment.amount, account.id, in: tx) else {
                throw WalletError(code: .insufficientBalance, reason: "the balance is too small")
            }
            try WalletPostings.alipayPlusPayment.book(
                payment.amount, customer: account.number, source: payment.id, owner: context.configuration.owner, at: now, in: tx)
            payment.paidAt = now
            try end(&payment, .confirmed, failure: nil, notice: notice, at: now, in: tx)
            return .submitted
        }
    }

    /// The customer does not want to pay: final, and told to Alipay+.
    func decline(_ id: TimeOrderedID, by account: WalletAccount) async throws {
        let now = context.now()
        let notice = context.identifiers.next(at: now)
        try await context.database.writeRepeatably { [self] tx in
            var payment = try Self.find(id, of: account, in: tx)
            try end(&payment, .refused, failure: .userPaymentVerificationFailed, notice: notice, at: now, in: tx)
        }
    }

    private func end(
        _ payment: inout AlipayPlusPayment, _ event: AlipayPlusPayment.State.Event, failure: AlipayPlusResult?, notice: TimeOrderedID,
        at now: Timestamp, in tx: any Transaction
    ) throws {
        guard case .move(let state, _) = payment.state.apply(event) else { return }
        payment.state = state
        payment.facts.failure = failure?.resultCode
        try AlipayPlusPaymentRecords.update(payment, in: tx)
        let message = OutboxMessage(
            merchant: context.configuration.owner, id: notice, destination: AlipayPlusNotifier.destination, kind: AlipayPlusNotifier.kind,
            subject: payment.id, subjectVersion: 1, body: [], schedule: AlipayPlusNotifier.kind, dueAt: now, createdAt: now)
        let insertion = OutboxRecords.insertion(message)
        try tx.execute(insertion.sql, insertion.bindings)
    }
}

/// Tells Alipay+ of final payments, until it has acknowledged them.
struct AlipayPlusNotifier: Sendable {
    static let destination = "alipay-plus"
    static let kind = "alipay-plus-notice"
    static let schedule = RetrySchedule.exponential(base: .seconds(1), cap: .seconds(300), attempts: 10_000_000)

    let context: WalletContext
    let line: AlipayPlusLine

    func deliver(_ message: OutboxMessage) async -> Delivery {
        do {
            let found = try await context.database.lookup { tx -> (AlipayPlusPayment, String?)? in
                guard let payment = try AlipayPlusPaymentRecords.find(message.subject, in: tx) else { return nil }
                return (payment, try payment.account.flatMap { try AccountRecords.find($0, in: tx)?.number })
            }
            guard let (payment, customer) = found, payment.facts.isAsked, payment.state == .paid || payment.state == .refused else {
                return Delivery(.delivered, note: "nothing is to be told any more")
            }
            let isPaid = payment.state == .paid
            let answer = try await line.call(
                WalletNotifyPaymentRequest(
                    paymentResult: payment.result, paymentRequestId: payment.requestID, paymentId: isPaid ? payment.number : nil,
                    paymentAmount: WireAmount(payment.facts.price), payToAmount: WireAmount(payment.facts.payable),
                    paymentTime: payment.paidAt?.alipayPlusTime, customerId: customer), about: AlipayPlusLine.about(payment.requestID))
            return Delivery(answer.result.isSuccess ? .delivered : .retry(after: nil), note: "\(answer.result)")
        } catch {
            return Delivery(.retry(after: nil), note: (error as? WalletError)?.reason ?? "our fault: \(type(of: error))")
        }
    }
}

/// Delivers what the wallet owes: payments to the order gateway, notices to Alipay+.
struct WalletSender: OutboxSender {
    let payments: PaymentSender
    let notices: AlipayPlusNotifier?

    func deliver(_ claim: OutboxClaim) async -> Delivery {
        guard claim.message.kind == AlipayPlusNotifier.kind, let notices else { return await payments.deliver(claim) }
        return await notices.deliver(claim.message)
    }
}
