import BillfoldDiagnosis
import BillfoldPayments
import BillfoldServer

/// Hashes and compares the passwords that merchants' people confirm refunds with, away from requests, and limits how often they are tried.
struct RefundPasswords: Sendable {
    private let cost: PasswordHash.Cost
    private let identifiers: IdentifierSource
    private let gate: SignInGate

    init(cost: PasswordHash.Cost, identifiers: IdentifierSource, uptime: @escaping @Sendable () -> Duration) {
        self.cost = cost
        self.identifiers = identifiers
        gate = SignInGate(uptime: uptime, queue: 32)
    }

    /// Refuses with `weak-password` what no operator could have either.
    func hash(_ password: Secret<String>) async throws -> String {
        var generator = SourcedGenerator(source: identifiers)
        let salt = (0..<16).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        return try await gate.hash(for: "onboarding") { [cost] in try PasswordHash(password, cost: cost, salt: salt).text }
    }

    /// Whether a password is the one that was stored. Not limited: for passwords that nobody outside typed.
    func matches(_ password: Secret<String>, _ stored: String, for caller: String = "onboarding") async throws -> Bool {
        guard let hash = PasswordHash(stored: stored) else { return false }
        return try await gate.hash(for: caller) { hash.matches(password) }
    }

    /// Whether somebody typed a merchant's password. Refuses with 429 `rate-limited` a merchant or an address that is tried too often.
    func confirms(_ password: Secret<String>, _ stored: String, of merchant: MerchantID, from address: String) async throws -> Bool {
        try gate.admit(merchant.description, from: address)
        return try await matches(password, stored, for: address)
    }
}
