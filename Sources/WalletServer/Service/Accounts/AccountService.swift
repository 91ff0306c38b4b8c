import BillfoldDiagnosis
import BillfoldMoney
import BillfoldPayments
import BillfoldServer
import BillfoldStorage

/// Opens accounts and sessions.
struct AccountService: Sendable {
    let context: WalletContext
    let passwords: PasswordService

    /// What opening an account takes.
    struct Application: Sendable {
        var number: String
        var name: String
        var logins: [LoginName]
        var loginPassword: Secret<String>
        var paymentPassword: Secret<String>
        var state = WalletAccount.State.active
    }

    /// Opens an account with an empty balance. Refuses with `weak-password`, `malformed-name`, or `account-exists` where the number or
    /// a name is taken.
    func open(_ application: Application, by actor: String) async throws -> WalletAccount {
        guard WalletAccount.isNumber(application.number), let first = application.logins.first, (1...64).contains(application.name.count)
        else { throw WalletError(code: .malformedName, reason: "an account has a number that begins with 2088, a name and a login") }
        guard application.loginPassword.reveal().count >= 8 else {
            throw WalletError(code: .weakPassword, reason: "a login password has at least 8 characters")
        }
        guard WalletAccount.isPaymentPassword(application.paymentPassword.reveal()) else {
            throw WalletError(code: .weakPassword, reason: "a payment password has six digits")
        }
        let now = context.now()
        let id = context.identifiers.next(at: now)
        let account = WalletAccount(
            id: id, number: application.number, name: application.name, state: application.state, maskedLogin: first.masked,
            login: .init(hash: try await passwords.hash(application.loginPassword, .login, of: id), failures: 0),
            payment: .init(hash: try await passwords.hash(application.paymentPassword, .payment, of: id), failures: 0), createdAt: now)
        let (configuration, logins) = (context.configuration, application.logins)
        try await context.database.writeRepeatably { tx in
            // Our own row: this write was done already, and its commit's answer was lost.
            if try AccountRecords.find(id, in: tx) != nil { return }
            guard try AccountRecords.insert(account, logins: logins, in: tx) else {
                throw WalletError(code: .accountExists, reason: "the number or a login name is taken")
            }
            try BalanceRecords.open(account: id, currency: configuration.currency, in: tx)
            try AuditRecords.append(
                to: ChainedOperatorAudit.chain, by: actor, action: "wallet.open", object: account.number, result: "done", at: now,
                merchant: configuration.owner, linking: AuditChain(key: configuration.keys.audit), in: tx)
        }
        return account
    }

    static let refused = WalletError(code: .loginRefused, reason: "the account or the password is wrong, or there were too many tries")

    /// Logs in, with one answer for an unknown name, a wrong password, a locked login and a frozen account.
    ///
    /// - Parameter replaced: The token that the browser had; its session ends.
    /// - Returns: The new session's token for the cookie, which is nowhere else.
    func logIn(_ typed: String, password: Secret<String>, from address: String, replacing replaced: String?) async throws -> String {
        try passwords.admit(typed, from: address)
        let login = LoginName(typed)
        let account = try await context.database.lookup { tx in try login.flatMap { try AccountRecords.find(login: $0, in: tx) } }
        let isRight = try await passwords.matches(password, .login, of: account, from: address)
        guard let account else { throw Self.refused }
        let (now, limit) = (context.now(), context.configuration.loginLimit)
        let token = context.random.token()
        let session = WalletSession(
            token: context.hash(token, "session"), account: account.id, createdAt: now,
            expiresAt: now.advanced(by: context.configuration.sessionLifetime), usedAt: now)
        let old = replaced.map { context.hash($0, "session") }
        let isIn = try await context.database.writeRepeatably { tx in
            if try SessionRecords.find(session.token, in: tx) != nil { return true }
            guard isRight, try AccountRecords.takeSuccess(.login, of: account.id, hash: account.login.hash, at: now, in: tx) else {
                if !isRight {
                    _ = try AccountRecords.countFailure(
                        .login, of: account.id, limit: limit.tries, until: now.advanced(by: limit.lock), at: now, in: tx)
                }
                return false
            }
            if let old { try SessionRecords.delete(old, in: tx) }
            try SessionRecords.delete(expiredBy: now, in: tx)
            try SessionRecords.insert(session, in: tx)
            return true
        }
        context.count("wallet_logins_total", [("outcome", isIn ? "done" : "refused")])
        guard isIn else { throw Self.refused }
        return token
    }

    /// The session behind a cookie's token and its customer; `nil` when it has ended or the account is frozen.
    func session(token: String) async throws -> (WalletSession, WalletAccount)? {
        guard token.utf8.count == 64 else { return nil }
        let hash = context.hash(token, "session")
        let found = try await context.database.lookup { tx in
            try SessionRecords.find(hash, in: tx).flatMap { session in
                try AccountRecords.find(session.account, in: tx).map { (session, $0) }
            }
        }
        guard let (session, account) = found, account.state == .active else { return nil }
        let now = context.now()
        guard now < session.expiresAt, now < session.usedAt.advanced(by: context.configuration.sessionPause) else {
            try await context.database.writeRepeatably { tx in try SessionRecords.delete(hash, in: tx) }
            return nil
        }
        // A row a minute is enough to know that the session is in use.
        if session.usedAt.advanced(by: .seconds(60)) < now {
            try await context.database.writeRepeatably { tx in try SessionRecords.touch(hash, at: now, in: tx) }
        }
        return (session, account)
    }

    func logOut(token: String) async throws {
        let hash = context.hash(token, "session")
        try await context.database.writeRepeatably { tx in try SessionRecords.delete(hash, in: tx) }
    }
}
