import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import Logging
import PaymentCrypto

/// Opens sessions for apps and knows them again by their tokens.
struct AppSessions: Sendable {
    let context: ProvisioningContext

    /// What the bank's back end hands to its app.
    struct Opened: Encodable {
        var session: String
        var token: String
        /// Milliseconds since 1970.
        var expiresAt: Int64
    }

    /// How long ended sessions are remembered, to tell an app that its own has ended.
    private static let memory: Duration = .seconds(-86_400)

    /// Brings the customer's cards in and opens a session.
    ///
    /// A processor that does not answer keeps nobody out whose cards were brought in not long ago. An answer that cannot be read does: what
    /// is stored as active may be blocked there.
    func open(customer: String, device: String) async throws -> Opened {
        // Before the cards are brought in: those that were fetched earlier are told by it.
        let now = context.clock.now()
        do {
            try await CardImport(context: context).run(customer: customer)
        } catch let error as ProvisioningError where error.code == .processorUnavailable {
            context.logger.error("cards were not brought up to date", metadata: ["reason": "\(error.reason)"])
            let known = try await context.database.read { tx in try CardRecords.find(customer: customer, in: tx) }
            let oldest = context.clock.now().advanced(by: .zero - context.configuration.cardMemory)
            guard known.contains(where: { $0.fetchedAt >= oldest }) else { throw error }
        }
        let session = AppSession(
            id: context.identifiers.next(at: now), customer: customer, device: device, createdAt: now,
            expiresAt: now.advanced(by: context.configuration.sessionLifetime))
        var generator = SourcedGenerator(source: context.identifiers)
        let token = "pst_" + Hexadecimal.encode((0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
        let hash = hash(token)
        try await context.database.writeRepeatably { tx in
            try SessionRecords.insert(session, token: hash, in: tx)
            try SessionRecords.forget(endedBefore: now.advanced(by: Self.memory), in: tx)
        }
        context.sessions.remember(session, token: hash)
        return Opened(session: session.id.description, token: token, expiresAt: session.expiresAt.milliseconds)
    }

    /// The session of a token. Refuses with `unauthorized` or `session-expired`.
    func session(bearer: String?) async throws -> AppSession {
        guard let bearer else { throw Self.unauthorized(.nothing, Self.wanted) }
        guard bearer.hasPrefix("pst_") else { throw Self.unauthorized(.otherKey, Self.wanted) }
        let (hash, now) = (hash(bearer), context.clock.now())
        guard let session = try await context.sessions.session(hash, at: now) else { throw Self.unauthorized(.unknownSession, Self.wanted) }
        guard session.expiresAt > now else { throw ProvisioningError(code: .sessionExpired, reason: "please log in again") }
        return session
    }

    private static let wanted = "a session's token (pst_…, in the answer to POST /provisioning/v1/sessions)"

    /// What was shown in place of what is wanted. Only who shows an ended key whole is told that it was one.
    enum Shown: String, Sendable {
        case nothing = "the request shows no credential, as 'Authorization: Bearer …'"
        case otherKey = "what is shown is of another kind"
        case sessionToken = "a session's token is shown"
        case unknownSession = "no such session is known here"
        case endedKey = "this key was ended: another one took its place"
        case unknownKey = "no such key is known here: it is not the registered one"
    }

    static func unauthorized(_ shown: Shown, _ wanted: String) -> ProvisioningError {
        ProvisioningError(code: .unauthorized, reason: "\(shown.rawValue); the bearer here is \(wanted)")
    }

    private func hash(_ token: String) -> KeyedHash {
        KeyedHash(of: token.utf8, purpose: "app-session", key: context.configuration.keys.hashing)
    }
}
