import BillfoldDiagnosis
import BillfoldStorage
import Logging

/// What one thread of the pool does: runs bodies on its connection, again where that is safe, and resolves unknown commits.
final class PostgreSQLSession {
    private let configuration: PostgreSQLConfiguration
    private let jitter: Jitter
    private let logger: Logger
    private var connection: PostgreSQLConnection?

    init(_ configuration: PostgreSQLConfiguration, jitter: Jitter, logger: Logger) {
        self.configuration = configuration
        self.jitter = jitter
        self.logger = logger
    }

    /// How one run of a body ended, other than by its value.
    private enum Ending: Error {
        /// Nothing was applied; the same body may run again.
        case again(PostgreSQLFailure)
        /// The answer to `COMMIT` is missing.
        case unknown(String)
        /// The body's own refusal or a final failure.
        case refused(any Error)
    }

    func settings(deadline: ContinuousClock.Instant) throws -> PostgreSQLSettings {
        var connectedBefore: ContinuousClock.Instant?
        return try connected(deadline, &connectedBefore).settings
    }

    /// - Parameter isPatient: Whether a server that refuses connections is tried again.
    func write<Result>(
        resolve: ((any Transaction) throws -> Result?)?, deadline: ContinuousClock.Instant, isPatient: Bool = true,
        _ body: (any Transaction) throws -> Result
    ) throws -> Result {
        // Why the outcome of an earlier run is open. From then on only a look that finds the write, or a run that commits, decides.
        var doubt: String?
        do {
            return try repeating(deadline, isPatient: isPatient) { connection throws(Ending) in
                do throws(Ending) {
                    // Without READ WRITE: a server that was turned read-only is held to it in sessions that are open already.
                    return try run(
                        body, begin: "BEGIN ISOLATION LEVEL \(configuration.isolation.rawValue)", writes: true, on: connection,
                        deadline: deadline)
                } catch {
                    guard case .unknown(let reason) = error else { throw error }
                    doubt = reason
                    disconnect()
                    logger.warning("the outcome of a commit is unknown", metadata: ["reason": "\(reason)"])
                    return try resolved(resolve, reason)
                }
            }
        } catch {
            guard let doubt else { throw error }
            return try decided(resolve, doubt, after: error)
        }
    }

    func read<Result>(deadline: ContinuousClock.Instant, _ body: (any Transaction) throws -> Result) throws -> Result {
        // READ COMMITTED would give each statement its own view; a read promises one for all.
        let level = configuration.isolation == .serializable ? "SERIALIZABLE" : "REPEATABLE READ"
        return try repeating(deadline) { connection throws(Ending) in
            do throws(Ending) {
                return try run(body, begin: "BEGIN ISOLATION LEVEL \(level) READ ONLY", writes: false, on: connection, deadline: deadline)
            } catch {
                // Nothing was written: a read whose end is unknown is simply made again.
                guard case .unknown(let reason) = error else { throw error }
                disconnect()
                throw .again(.connectionLost(reason))
            }
        }
    }

    func disconnect() { connection = nil }

    private func run<Result>(
        _ body: (any Transaction) throws -> Result, begin: String, writes: Bool, on connection: PostgreSQLConnection,
        deadline: ContinuousClock.Instant
    ) throws(Ending) -> Result {
        let transaction = PostgreSQLTransaction(connection, begin: begin, writes: writes, deadline: deadline)
        let outcome = Swift.Result { try body(transaction) }
        transaction.end()
        if let failure = transaction.failure {
            try abandon(connection, after: failure, deadline: deadline)
            throw isTransient(failure) ? .again(failure) : .refused(failure.storageError)
        }
        switch outcome {
        case .failure(let error):
            if transaction.hasBegun { try abandon(connection, after: nil, deadline: deadline) }
            if (error as? StorageError)?.code == .serializationFailure {
                throw .again(.server(state: "40001", message: "the body asked to be run again"))
            }
            throw .refused(error)
        case .success(let value):
            if transaction.hasBegun { try commit(connection, deadline) }
            return value
        }
    }

    private func isTransient(_ failure: PostgreSQLFailure) -> Bool {
        if case .deadline = failure { return false }
        return failure.losesConnection || failure.isSerializationFailure || failure.isStaleStatement
    }

    /// Rolls back, or leaves a connection that cannot be trusted any more: the server rolls back when it closes.
    private func abandon(
        _ connection: PostgreSQLConnection, after failure: PostgreSQLFailure?, deadline: ContinuousClock.Instant
    ) throws(Ending) {
        if let failure, failure.losesConnection || failure.isStaleStatement { return disconnect() }
        do { _ = try connection.run([.control("ROLLBACK")], deadline: deadline) } catch { disconnect() }
    }

    private func commit(_ connection: PostgreSQLConnection, _ deadline: ContinuousClock.Instant) throws(Ending) {
        let tag: String
        do {
            tag = try connection.run([.control("COMMIT")], deadline: deadline).first?.tag ?? ""
        } catch {
            guard error.isCertainAbort else { throw .unknown(error.storageError.reason) }
            try abandon(connection, after: error, deadline: deadline)
            throw error.isSerializationFailure ? .again(error) : .refused(error.storageError)
        }
        // The server had given the transaction up before it was asked.
        guard tag != "ROLLBACK" else {
            throw .refused(StorageError(code: .invalidStatement, reason: "the server rolled back at the commit"))
        }
        guard tag == "COMMIT" else { throw .unknown("the commit was answered with “\(tag)”") }
        // “Committed locally, but might not have been replicated” comes as a warning beside a success.
        guard connection.warnings.isEmpty else { throw .unknown(connection.warnings.joined(separator: "; ")) }
    }

    /// Asks `resolve` on a new connection whether the write is there.
    ///
    /// A look that finds nothing proves nothing: the old transaction may still wait for a standby, or be prepared on the nodes of a
    /// distributed engine, and show its rows later. So the body runs again. It inserts its key, or updates its row on a condition, and
    /// that waits for the old transaction's end: if it comes to a commit, the old one is gone.
    private func resolved<Result>(_ resolve: ((any Transaction) throws -> Result?)?, _ reason: String) throws(Ending) -> Result {
        guard let resolve else { throw .refused(Self.unknown(reason)) }
        let found: Result?
        do {
            found = try look(resolve)
        } catch {
            logger.error("an unknown commit could not be resolved", metadata: ["reason": "\(error)"])
            throw .refused(Self.unknown(reason))
        }
        guard let found else { throw .again(.connectionLost(reason)) }
        return found
    }

    /// What a write came to whose outcome was open when a later run of it failed: that run may have been refused because the first
    /// stands, or have ended while it waited for it. What a last look does not find stays open, and is never told as refused.
    private func decided<Result>(
        _ resolve: ((any Transaction) throws -> Result?)?, _ doubt: String, after error: any Error
    ) throws -> Result {
        if (error as? StorageError)?.code != .commitUnknown, let resolve, let found = try? look(resolve) { return found }
        throw Self.unknown(doubt)
    }

    private func look<Result>(_ resolve: (any Transaction) throws -> Result?) throws -> Result? {
        try read(deadline: .now + configuration.resolveLimit) { try resolve($0) }
    }

    private static func unknown(_ reason: String) -> StorageError {
        StorageError(code: .commitUnknown, reason: "the commit's answer was lost: \(reason)")
    }

    private func repeating<Result>(
        _ deadline: ContinuousClock.Instant, isPatient: Bool = true, _ attempt: (PostgreSQLConnection) throws(Ending) -> Result
    ) throws -> Result {
        var firstRefusal: ContinuousClock.Instant?
        var runs = 0
        while true {
            let connection = try connected(deadline, &firstRefusal, isPatient: isPatient)
            runs += 1
            do throws(Ending) {
                return try attempt(connection)
            } catch .again(let failure) {
                let pause = jitter.pause(before: runs + 1, configuration)
                guard runs < configuration.attempts, ContinuousClock.now + pause < deadline else { throw failure.storageError }
                sleep(pause)
            } catch .refused(let error) {
                throw error
            } catch .unknown(let reason) {
                throw StorageError(code: .commitUnknown, reason: reason)
            }
        }
    }

    /// The session's connection, made anew where it was lost, tried again for as long as the configuration is patient.
    private func connected(
        _ deadline: ContinuousClock.Instant, _ firstRefusal: inout ContinuousClock.Instant?, isPatient: Bool = true
    ) throws -> PostgreSQLConnection {
        var runs = 0
        while true {
            guard ContinuousClock.now < deadline else {
                throw StorageError(code: .unavailable, reason: "the deadline ended before the write or read began")
            }
            if let connection { return connection }
            do {
                let made = try PostgreSQLConnection(configuration.connection, deadline: deadline)
                connection = made
                return made
            } catch {
                guard error.losesConnection, isPatient else { throw error.storageError }
                let since = firstRefusal ?? .now
                firstRefusal = since
                runs += 1
                let pause = jitter.pause(before: runs + 4, configuration)
                guard ContinuousClock.now + pause < min(since + configuration.connectPatience, deadline) else {
                    throw error.storageError
                }
                sleep(pause)
            }
        }
    }
}
