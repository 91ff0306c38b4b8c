package import BillfoldDiagnosis
package import BillfoldStorage
import HTTPTypes

/// Who may use the console, and who is using it.
package struct OperatorDirectory: Sendable {
    /// How long a session lasts at most, and how long it lasts unused.
    package struct Lifetimes: Sendable, Hashable {
        package var total: Duration
        package var unused: Duration

        package init(total: Duration = .seconds(12 * 3600), unused: Duration = .seconds(1800)) {
            self.total = total
            self.unused = unused
        }
    }

    private let database: any Database
    private let clock: any WallClock
    private let random: RandomBytes
    private let audit: any OperatorAudit
    private let cost: PasswordHash.Cost
    private let lifetimes: Lifetimes
    private let gate: SignInGate
    /// What an unknown name is compared with, so that it takes as long to refuse as a wrong password.
    private let decoy: PasswordHash

    /// - Parameter uptime: The clock behind the limits on attempts to sign in.
    package init(
        database: any Database, clock: any WallClock, uptime: @escaping @Sendable () -> Duration, random: RandomBytes,
        audit: any OperatorAudit, cost: PasswordHash.Cost = PasswordHash.Cost(), lifetimes: Lifetimes = Lifetimes()
    ) throws(ServerError) {
        self.database = database
        self.clock = clock
        self.random = random
        self.audit = audit
        self.cost = cost
        self.lifetimes = lifetimes
        gate = SignInGate(uptime: uptime, queue: SignInGate.longestQueue)
        decoy = try PasswordHash(Secret(random.token()), cost: cost, salt: random.bytes(16))
    }

    /// Whether nobody has been added yet.
    package func isEmpty() async throws -> Bool { try await database.read { try OperatorRecords.operatorCount(in: $0) == 0 } }

    /// Adds an operator. Refuses a name that is taken with `conflict`, a weak password with `weak-password`.
    package func add(_ name: String, password: Secret<String>, roles: Set<OperatorRole>, by actor: String) async throws {
        guard Self.isName(name) else {
            throw ServerError(
                code: .malformedRequest, reason: "a name has 1 to 64 letters, digits, '-', '_', '.' or '@'", status: .unprocessableContent)
        }
        let hash = try await hash(of: password, for: actor)
        let now = clock.now()
        let audit = audit
        let isAdded = try await database.write { tx in
            let isAdded = try OperatorRecords.insertOperator(name, password: hash, roles: roles, at: now, in: tx)
            try audit.append(
                OperatorAction(
                    at: now, actor: actor, action: "operator.add", object: name,
                    result: isAdded ? "done: \(roles.map(\.rawValue).sorted().joined(separator: ","))" : "refused: name taken"), in: tx)
            return isAdded
        }
        guard isAdded else { throw ServerError(code: .conflict, reason: "an operator of that name exists", status: .conflict) }
    }

    /// Ends an operator's sessions and lets them sign in no more. Refuses with `not-found` where nobody of that name can sign in.
    package func disable(_ name: String, by actor: String) async throws {
        let now = clock.now()
        try await change(name, action: "operator.disable", by: actor, at: now) { try OperatorRecords.disable(name, at: now, in: $0) }
    }

    /// Gives an operator a new password and ends their sessions. One who was disabled can sign in again. Refuses a weak password
    /// with `weak-password`, and with `not-found` a name that nobody has.
    package func reset(_ name: String, password: Secret<String>, by actor: String) async throws {
        let hash = try await hash(of: password, for: actor)
        try await change(name, action: "operator.reset", by: actor, at: clock.now()) {
            try OperatorRecords.setPassword(hash, of: name, in: $0)
        }
    }

    /// Everybody who was ever added, by name.
    package func operators() async throws -> [OperatorAccount] { try await database.read { try OperatorRecords.accounts(in: $0) } }

    private func change(
        _ name: String, action: String, by actor: String, at now: Timestamp,
        _ body: @escaping @Sendable (any Transaction) throws -> Bool
    ) async throws {
        let audit = audit
        let isDone = try await database.write { tx in
            let isDone = try body(tx)
            try audit.append(
                OperatorAction(
                    at: now, actor: actor, action: action, object: name, result: isDone ? "done" : "refused: no such operator"), in: tx)
            return isDone
        }
        guard isDone else { throw ServerError(code: .notFound, reason: "no such operator", status: .notFound) }
    }

    private func hash(of password: Secret<String>, for actor: String) async throws -> PasswordHash {
        let (salt, cost) = (random.bytes(16), cost)
        return try await gate.hash(for: actor) { try PasswordHash(password, cost: cost, salt: salt) }
    }

    /// Signs in.
    ///
    /// Refuses with 401 `sign-in-refused`, the same for a wrong name and a wrong password, with 429 `rate-limited` after too
    /// many attempts from one address or on one name, and with 503 `unavailable` when too many people sign in at once. The
    /// audit trail tells what was refused to an operator; a stranger's made-up names do not reach it.
    ///
    /// - Returns: The session and the token for its cookie, which is nowhere else.
    package func signIn(_ name: String, password: Secret<String>, from address: String) async throws -> (OperatorSession, token: String) {
        let refusal = ServerError(code: .signInRefused, reason: "the name or the password is wrong", status: .unauthorized)
        // What is no name costs its address an attempt, and is not remembered.
        guard Self.isName(name) else {
            try gate.admit(from: address)
            throw refusal
        }
        try gate.admit(name, from: address)
        let stored = try await database.read { try OperatorRecords.storedOperator(name, in: $0) }
        let hash = stored.flatMap { $0.isDisabled ? nil : PasswordHash(stored: $0.password) }
        let decoy = decoy
        let matches = try await gate.hash(for: address) { (hash ?? decoy).matches(password) }
        let now = clock.now()
        let audit = audit
        guard let stored, hash != nil, matches else {
            if let stored {
                try await database.write { tx in
                    try audit.append(
                        OperatorAction(at: now, actor: stored.name, action: "sign-in", object: address, result: "refused"), in: tx)
                }
            }
            throw refusal
        }
        let token = random.token()
        let session = OperatorSession(
            tokenHash: OperatorSession.hash(of: token), name: stored.name, roles: stored.roles, csrfToken: random.token(), createdAt: now,
            expiresAt: now.advanced(by: lifetimes.total))
        try await database.write { tx in
            // The password may have been replaced, or the operator disabled, while it was being checked.
            let current = try OperatorRecords.storedOperator(name, in: tx)
            guard let current, current.password == stored.password, !current.isDisabled else { throw refusal }
            try OperatorRecords.deleteSessions(expiredBy: now, in: tx)
            try OperatorRecords.insertSession(session, in: tx)
            try audit.append(OperatorAction(at: now, actor: stored.name, action: "sign-in", object: address, result: "done"), in: tx)
        }
        return (session, token)
    }

    /// The session behind a cookie's token, or `nil` when it has ended.
    package func session(token: String) async throws -> OperatorSession? {
        guard token.utf8.count == 64 else { return nil }
        let hash = OperatorSession.hash(of: token)
        guard let (session, usedAt) = try await database.read({ try OperatorRecords.session(hash, in: $0) }) else { return nil }
        let now = clock.now()
        guard now < session.expiresAt, now < usedAt.advanced(by: lifetimes.unused) else {
            try await database.write { try OperatorRecords.deleteSession(hash, in: $0) }
            return nil
        }
        // A row a minute is enough to know that the session is in use.
        if usedAt.advanced(by: .seconds(60)) < now { try await database.write { try OperatorRecords.touch(hash, at: now, in: $0) } }
        return session
    }

    package func signOut(_ session: OperatorSession) async throws {
        let now = clock.now()
        let audit = audit
        try await database.write { tx in
            try OperatorRecords.deleteSession(session.tokenHash, in: tx)
            try audit.append(OperatorAction(at: now, actor: session.name, action: "sign-out", object: "session", result: "done"), in: tx)
        }
    }

    private static func isName(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_.@".contains($0)) }
    }
}
