package import BillfoldDiagnosis
package import BillfoldMoney
package import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import Logging

/// What operators do with accounts, each action with its line in the audit trail, and how the books stand.
package struct WalletBackOffice: Sendable {
    let context: WalletContext
    let accounts: AccountService
    /// The platform of mini programs; nil where the wallet hosts none.
    package let miniPrograms: MiniProgramOffice?

    /// Money comes in from the bank for a customer, or is paid out.
    package enum Transfer: String, Sendable, Hashable, CaseIterable {
        case topUp = "top-up"
        case withdrawal
    }

    /// Opens an account with a login by e-mail and by telephone number. Refuses with `account-exists`, `weak-password` or
    /// `malformed-name`.
    ///
    /// - Parameter isFrozen: Whether nobody can use it until it is thawed: what one person opens alone, two persons let be used.
    package func openAccount(
        number: String, name: String, email: String, phone: String, loginPassword: Secret<String>, paymentPassword: Secret<String>,
        isFrozen: Bool = false, by actor: String
    ) async throws {
        _ = try await accounts.open(
            .init(
                number: number, name: name, logins: [email, phone].compactMap(LoginName.init), loginPassword: loginPassword,
                paymentPassword: paymentPassword, state: isFrozen ? .frozen : .active), by: actor)
    }

    /// Books a transfer once per `requestID`. Refuses with `account-not-found`, `invalid-amount`, or `insufficient-balance`.
    ///
    /// - Returns: False when it was booked before.
    @discardableResult
    package func transfer(
        _ transfer: Transfer, of amount: Amount, account number: String, requestID: String, by actor: String, reason: String
    ) async throws -> Bool {
        let now = context.now()
        let id = context.identifiers.next(at: now)
        let configuration = context.configuration
        guard amount.isPositive, amount.currency == configuration.currency else {
            throw WalletError(code: .invalidAmount, reason: "an amount is more than nothing, in \(configuration.currency)")
        }
        return try await context.database.writeRepeatably { tx in
            guard let account = try AccountRecords.find(number: number, in: tx) else {
                throw WalletError(code: .accountNotFound, reason: "there is no such account")
            }
            let row = CustomerTransfer(
                id: id, account: account.id, kind: transfer == .topUp ? .topUp : .withdrawal, amount: amount, by: actor, reason: reason,
                at: now)
            guard try RefundRecords.insert(row, requestID: requestID, in: tx) else { return false }
            let isMoved =
                try transfer == .topUp
                ? BalanceRecords.credit(amount, account.id, in: tx) : BalanceRecords.debit(amount, account.id, in: tx)
            guard isMoved else { throw WalletError(code: .insufficientBalance, reason: "the balance is too small") }
            let posting: WalletPostings = transfer == .topUp ? .topUp : .withdrawal
            try posting.book(amount, customer: number, source: id, owner: configuration.owner, at: now, in: tx)
            try audit("wallet.\(transfer.rawValue)", object: number, result: "\(amount): \(reason)", by: actor, at: now, in: tx)
            return true
        }
    }

    /// Freezes an account, which ends its sessions, or lets it be used again. Refuses with `account-not-found`.
    package func setFrozen(_ isFrozen: Bool, account number: String, by actor: String, reason: String) async throws {
        let now = context.now()
        try await context.database.writeRepeatably { tx in
            guard let account = try AccountRecords.find(number: number, in: tx) else {
                throw WalletError(code: .accountNotFound, reason: "there is no such account")
            }
            guard try AccountRecords.setState(isFrozen ? .frozen : .active, of: account.id, in: tx) else { return }
            if isFrozen { try SessionRecords.delete(of: account.id, in: tx) }
            try audit(isFrozen ? "wallet.freeze" : "wallet.thaw", object: number, result: reason, by: actor, at: now, in: tx)
        }
    }

    /// How people settle a payment that the gateway does not judge, having agreed with its operators.
    package enum Settlement: String, Sendable, Hashable, CaseIterable {
        /// The gateway has the money.
        case captured
        /// The gateway does not have it and will not take it: the customer has it back.
        case released
    }

    /// Settles a payment, told by its id at the gateway, by hand. Refuses with `payment-not-found`, or with `payment-settled` one that is
    /// settled otherwise.
    ///
    /// - Returns: False when it was settled so before.
    @discardableResult
    package func settle(payment request: String, as settlement: Settlement, by actor: String, reason: String) async throws -> Bool {
        let (now, context) = (context.now(), context)
        guard let id = try? TimeOrderedID(text: request) else {
            throw WalletError(code: .paymentNotFound, reason: "there is no such payment")
        }
        return try await context.database.writeRepeatably { tx in
            guard let hold = try HoldRecords.find(id, in: tx) else {
                throw WalletError(code: .paymentNotFound, reason: "there is no such payment")
            }
            let event: HoldState.Event = settlement == .captured ? .accepted : .refused
            switch hold.state.apply(event) {
            case .known: return false
            case .contradiction: throw WalletError(code: .paymentSettled, reason: "the payment is \(hold.state.rawValue)")
            case .move: break
            }
            let receipt = settlement == .captured ? OrderGatewayLink.Receipt(trade: hold.trade, paidAt: now, result: nil) : nil
            try HoldSettlement.settle(id, event, receipt: receipt, note: "by hand", at: now, context: context, in: tx)
            try audit("wallet.settle", object: request, result: "\(settlement.rawValue): \(reason)", by: actor, at: now, in: tx)
            return true
        }
    }

    func audit(
        _ action: String, object number: String, result: String, by actor: String, at now: Timestamp, in tx: any Transaction
    ) throws {
        try context.audit(action, object: number, result: result, by: actor, at: now, in: tx)
    }

    /// How the wallet's books stand.
    package struct Standing: Sendable, Hashable {
        package var trialBalance: TrialBalance
        /// What customers have, by the rows that refuse an overdraft.
        package var available: Amount
        package var held: Amount
        /// Payments that wait for the gateway's word.
        package var waiting: Int64

        /// Whether the ledger sums to nothing, and the balances are what the ledger says.
        package var isBalanced: Bool {
            let owed = trialBalance.accounts.filter { $0.account.hasPrefix("customer:") }.reduce(0) { $0 - $1.balance.minorUnits }
            let held = trialBalance.accounts.filter { $0.account == "held" }.reduce(0) { $0 - $1.balance.minorUnits }
            let isSound = (try? trialBalance.imbalances().isEmpty) ?? false
            return isSound && owed == available.minorUnits && held == self.held.minorUnits
        }
    }

    package func standing() async throws -> Standing {
        let configuration = context.configuration
        return try await context.database.read { tx in
            let totals = try BalanceRecords.totals(configuration.currency, in: tx)
            return Standing(
                trialBalance: try LedgerRecords.trialBalance(configuration.owner, in: tx), available: totals.available,
                held: totals.held, waiting: try HoldRecords.waiting(in: tx).count)
        }
    }

    /// A customer's balance that is free.
    package func balance(account number: String) async throws -> Amount {
        let currency = context.configuration.currency
        return try await context.database.read { tx in
            guard let account = try AccountRecords.find(number: number, in: tx) else {
                throw WalletError(code: .accountNotFound, reason: "there is no such account")
            }
            return try BalanceRecords.find(account.id, currency, in: tx).available
        }
    }

    /// Makes the demonstration customers that are not there yet, with their money. Test mode only.
    package func openDemoAccounts() async throws {
        for customer in context.configuration.demoCustomers {
            do {
                try await openAccount(
                    number: customer.number, name: customer.name, email: customer.email, phone: customer.phone,
                    loginPassword: Secret(customer.loginPassword), paymentPassword: Secret(customer.paymentPassword), by: "system")
            } catch let error as WalletError where error.code == .accountExists {
                context.logger.debug("a demonstration customer is there already", metadata: ["number": "\(customer.number)"])
            }
            try await transfer(
                .topUp, of: Amount(minorUnits: customer.balance, currency: context.configuration.currency), account: customer.number,
                requestID: "demo-\(customer.number)", by: "system", reason: "demonstration")
        }
    }
}
