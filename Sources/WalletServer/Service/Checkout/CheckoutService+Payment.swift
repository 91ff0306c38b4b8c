import BillfoldDiagnosis
import BillfoldMoney
import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import Logging

extension CheckoutService {
    /// What a customer's payment password led to.
    enum Confirmation: Sendable, Hashable {
        /// The payment is under way or settled: the checkout tells which.
        case submitted
        case wrongPassword(triesLeft: Int64)
        case locked(until: Timestamp)
    }

    private enum Begun: Sendable {
        case new(OutboxMessage)
        /// Another request of the same checkout was first.
        case known
        case wrong(Confirmation)
    }

    /// Compares the payment password, sets the money aside and sends the payment, in this order and once per checkout.
    ///
    /// Refuses with `insufficient-balance`, with `trade-being-paid` where another checkout pays the same trade, and with
    /// `terms-changed` where `shown` is not what the trade costs.
    ///
    /// - Parameter shown: The amount that the customer saw, as text.
    func confirm(
        _ checkout: Checkout, account: WalletAccount, password: Secret<String>, shown: String
    ) async throws -> Confirmation {
        try requireOwn(checkout, account)
        guard checkout.state == .open else { return .submitted }
        guard let trade = checkout.trade, checkout.payable.text == shown else {
            throw WalletError(code: .termsChanged, reason: "what is to be paid has changed; look again")
        }
        let isRight = try await passwords.matches(password, .payment, of: account)
        let begun = try await submit(checkout, trade: trade, account: account, isRight: isRight)
        switch begun {
        case .wrong(let confirmation):
            context.trace.note("payment password refused", about: ["alipay.trade": trade], problem: "wrong or locked")
            return confirmation
        case .known: return .submitted
        case .new(let message):
            context.count("wallet_payments_total", [("channel", checkout.channel.rawValue)])
            try await afterSubmission {
                let delivery = await sender.deliver(.byRequest(message))
                let soon = context.now().advanced(by: .seconds(1))
                try await context.database.writeRepeatably { tx in
                    try OutboxRecords.finishByRequest(message, delivery, retryAt: soon, in: tx)
                }
                delivery.committed?()
            }
            return .submitted
        }
    }

    /// What fails from here on fails after the payment was stored: the workers take it over, and the page shows that it goes on.
    private func afterSubmission(_ body: () async throws -> Void) async throws {
        do {
            try await body()
        } catch let error as StorageError {
            context.logger.warning(
                "a payment's outcome could not be stored at once", metadata: ["error": "\(ErrorMapping.logDescription(of: error))"])
        } catch let error as PaymentsError where error.code == .contended {
            context.logger.debug("a worker stores a payment's outcome")
        }
    }

    /// One write: the verdict on the password, the payment, the money set aside, its entry, the message leased to this request.
    private func submit(_ checkout: Checkout, trade: String, account: WalletAccount, isRight: Bool) async throws -> Begun {
        let now = context.now()
        let id = context.identifiers.next(at: now)
        let (configuration, amount) = (context.configuration, checkout.payable)
        let hold = Hold(
            id: id, account: account.id, checkout: checkout.id, trade: trade, payee: EventDetail.storable(checkout.order.payee),
            subject: EventDetail.storable(checkout.order.subject), amount: amount, state: .held, refunded: 0, note: "", createdAt: now)
        let message = OutboxMessage(
            merchant: configuration.owner, id: id, destination: PaymentSender.destination, kind: PaymentSender.kind, subject: id,
            subjectVersion: 1,
            body: try OrderGatewayLink.paymentBody(requestID: id.description, trade: trade, buyer: account.number, amount: amount),
            schedule: PaymentSender.kind, dueAt: now.advanced(by: configuration.requestLease), createdAt: now)
        let limit = configuration.paymentLimit
        return try await context.database.writeRepeatably { tx -> Begun in
            // Our own row: this write was done already, and its commit's answer was lost.
            if try HoldRecords.find(id, in: tx) != nil { return .new(message) }
            guard isRight, try AccountRecords.takeSuccess(.payment, of: account.id, hash: account.payment.hash, at: now, in: tx) else {
                return .wrong(try Self.wrong(account, limit, isWrong: !isRight, at: now, in: tx))
            }
            guard try CheckoutRecords.submit(checkout.id, account: account.id, hold: id, in: tx) else { return .known }
            guard try HoldRecords.insert(hold, in: tx) else {
                throw WalletError(code: .tradeBeingPaid, reason: "this order is being paid already")
            }
            guard try BalanceRecords.hold(amount, account.id, in: tx) else {
                throw WalletError(code: .insufficientBalance, reason: "the balance is too small")
            }
            try WalletPostings.hold.book(
                amount, customer: account.number, source: id, owner: configuration.owner, at: now, in: tx)
            let insertion = OutboxRecords.insertion(message)
            try tx.execute(insertion.sql, insertion.bindings)
            return .new(message)
        }
    }

    /// Counts a wrong try and says what is left. A right one while the password is locked looks like a wrong one, and counts for nothing.
    static func wrong(
        _ account: WalletAccount, _ limit: WalletConfiguration.TryLimit, isWrong: Bool, at now: Timestamp, in tx: any Transaction
    ) throws -> Confirmation {
        if isWrong {
            _ = try AccountRecords.countFailure(
                .payment, of: account.id, limit: limit.tries, until: now.advanced(by: limit.lock), at: now, in: tx)
        }
        guard let current = try AccountRecords.find(account.id, in: tx)?.payment else { throw AccountService.refused }
        if let until = current.lockedUntil, now < until { return .locked(until: until) }
        return .wrongPassword(triesLeft: limit.tries - current.failures)
    }
}
