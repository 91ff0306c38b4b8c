import BillfoldDiagnosis
import BillfoldPayments
import BillfoldServer
import BillfoldStorage

/// Hashes and compares customers' passwords, away from requests.
///
/// A try is counted when its verdict is stored, never before: only what is stored is answered, so no number of tries at the same time
/// tells a guesser more than the limit allows.
struct PasswordService: Sendable {
    let context: WalletContext
    /// What an unknown name is compared with, so that it takes as long to refuse as a wrong password.
    private let decoy: PasswordHash
    private let gate: SignInGate

    init(context: WalletContext, uptime: @escaping @Sendable () -> Duration) throws(WalletError) {
        self.context = context
        do {
            decoy = try PasswordHash(
                unruled: Secret(context.random.token()), cost: context.configuration.passwordCost, salt: context.random.bytes(16))
        } catch {
            throw WalletError(code: .configurationInvalid, reason: error.reason)
        }
        gate = SignInGate(uptime: uptime, queue: 256, threads: 2, scale: context.configuration.loginScale)
    }

    /// Refuses with `rate-limited` a name or an address that tries to log in too often.
    func admit(_ name: String, from address: String) throws(WalletError) {
        do {
            // What is too long to be a name costs its address an attempt, and is not remembered.
            if name.utf8.count > 128 { try gate.admit(from: address) } else { try gate.admit(name, from: address) }
        } catch {
            throw WalletError(code: .rateLimited, reason: error.reason)
        }
    }

    func hash(_ password: Secret<String>, _ kind: WalletAccount.PasswordKind, of account: TimeOrderedID) async throws -> String {
        let (salt, cost, prepared) = (
            context.random.bytes(16), context.configuration.passwordCost, prepared(password, as: kind, of: account)
        )
        return try await gate.hash(for: account.description) { try PasswordHash(unruled: prepared, cost: cost, salt: salt).text }
    }

    /// Whether a password is an account's; false for no account, in the same time.
    ///
    /// - Parameter address: Whoever logs in is known by nothing else: with an account's own places, it would show which accounts exist.
    func matches(
        _ password: Secret<String>, _ kind: WalletAccount.PasswordKind, of account: WalletAccount?, from address: String? = nil
    ) async throws -> Bool {
        let stored = account.flatMap { account in
            PasswordHash(stored: kind == .login ? account.login.hash : account.payment.hash)
        }
        let (decoy, prepared) = (decoy, prepared(password, as: kind, of: account?.id))
        let isEqual = try await gate.hash(for: address ?? account?.id.description ?? "none") { (stored ?? decoy).matches(prepared) }
        return stored != nil && isEqual
    }

    /// Six digits are guessed at once from a stolen database, whatever one guess costs. Mixed with a key that is not in it they are not.
    private func prepared(
        _ password: Secret<String>, as kind: WalletAccount.PasswordKind, of account: TimeOrderedID?
    ) -> Secret<String> {
        guard kind == .payment else { return password }
        let mixed = context.hash(password.reveal(), "payment-password:\(account?.description ?? "none")")
        return Secret(mixed.bytes.map { String($0, radix: 16) }.joined(separator: "-"))
    }
}
