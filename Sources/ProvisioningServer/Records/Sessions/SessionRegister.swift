import BillfoldPayments
import BillfoldStorage

/// Sessions by the hashes of their tokens. Their rows never change, so those that last and were shown of late are not read again.
final class SessionRegister: Sendable {
    private let database: any Database
    private let known = Remembered<KeyedHash, AppSession>()

    init(database: any Database) { self.database = database }

    /// The session of a token; one that has ended is read from the store, as long as that has it.
    func session(_ token: KeyedHash, at now: Timestamp) async throws -> AppSession? {
        if let session = known[token], session.expiresAt > now { return session }
        guard let session = try await database.lookup({ try SessionRecords.find(token: token, in: $0) }) else { return nil }
        if session.expiresAt > now { remember(session, token: token) }
        return session
    }

    /// Spares the first reading of a session that was just stored: only after its commit.
    func remember(_ session: AppSession, token: KeyedHash) { known.keep(session, for: token) }
}
