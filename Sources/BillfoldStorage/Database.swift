/// The statements of one atomic write or one consistent read.
///
/// The first statement that fails spoils the transaction: those after it are refused and the whole is rolled back, even
/// where the body caught the error. PostgreSQL works so, and SQLite is held to it.
///
/// SQL is the portable subset that SQLite, PostgreSQL and what speaks its protocol share: `?` placeholders, no triggers,
/// stored procedures, `LISTEN`, advisory locks, temporary tables, deferrable constraints or engine-specific upserts;
/// `INSERT … ON CONFLICT DO NOTHING` with the affected-row count instead. Only adapters and `…Records` files hold SQL.
public protocol Transaction: AnyObject {
    /// Runs a statement and returns the number of rows it changed.
    @discardableResult
    func execute(_ sql: String, _ bindings: [SQLValue]) throws -> Int

    /// Runs a query and returns its rows.
    func query(_ sql: String, _ bindings: [SQLValue]) throws -> [Row]

    /// Runs statements in order, in one round trip where the engine can, and returns the rows each changed.
    @discardableResult
    func executeBatch(_ statements: [Statement]) throws -> [Int]

    /// The engine's byte-string type, which `$BLOB` stands for in a ``Migration``: `BLOB` or `BYTEA`.
    var blobType: String { get }
}

/// How fresh a read must be.
public enum ReadConsistency: Sendable {
    /// Sees every write acknowledged before it began. The only one that may decide money.
    case strong
    /// May come from a replica and lag behind.
    case stale
}

/// A durable store. SQLite and PostgreSQL behave alike behind it; one contract suite holds both to that.
public protocol Database: Sendable {
    /// Whether other processes may write to the store, so that what happened has to be looked for there.
    var isShared: Bool { get }

    /// Runs `body` atomically and returns once the result is durable.
    ///
    /// `body` may run several times (serialisation failures, lost commits, a neighbour's failure in a shared group), so it
    /// must not send, count or capture mutable state; ids are chosen outside. It cannot suspend. A thrown error rolls back
    /// this body alone. A client that hangs up does not cancel a write that has begun.
    ///
    /// - Parameters:
    ///   - resolve: Decides an unknown commit: run on a new connection when the answer to `COMMIT` was lost, it
    ///     returns the result if the write is there, or `nil` to run `body` again. Without it an unknown commit is thrown as
    ///     ``StorageError/Code/commitUnknown``, and the caller must be able to repeat the write without harm.
    ///   - body: Reads and writes through the transaction it is given, which it must not keep.
    func write<Result: Sendable>(
        resolve: (@Sendable (any Transaction) throws -> Result?)?,
        _ body: @escaping @Sendable (any Transaction) throws -> Result
    ) async throws -> Result

    /// Runs `body` on one state of the store, whatever others write meanwhile. It cannot suspend, and a write in it is refused.
    func read<Result: Sendable>(
        _ consistency: ReadConsistency, _ body: @escaping @Sendable (any Transaction) throws -> Result
    ) async throws -> Result

    /// A strong read of a few rows by their keys, for the path of every request. It may run on the caller's own thread, which it
    /// must not hold for longer than a moment; anything longer is a ``read(_:_:)``.
    func lookup<Result: Sendable>(_ body: @escaping @Sendable (any Transaction) throws -> Result) async throws -> Result

    /// Why the store takes no writes, as far as it knows without asking; `nil` while nothing speaks against them.
    var illness: StorageError? { get }

    /// Finds out whether the store takes writes, by something small of its own that changes no row. Asked often it costs little: a
    /// write that was acknowledged a moment ago is answer enough.
    ///
    /// - Throws: ``illness``, or what the attempt came to.
    func probe() async throws

    /// Stops accepting work, finishes what has begun, and closes every connection.
    func close() async throws
}

extension Database {
    public var illness: StorageError? { nil }

    /// For a store that cannot tell: whether it answers at all.
    public func probe() async throws { _ = try await read(.strong) { try $0.query("SELECT 1") } }

    /// Writes without a way to decide an unknown commit: it is thrown as ``StorageError/Code/commitUnknown``.
    public func write<Result: Sendable>(
        _ body: @escaping @Sendable (any Transaction) throws -> Result
    ) async throws -> Result {
        try await write(resolve: nil, body)
    }

    /// Writes what may be written twice without harm, because the body itself finds its own earlier run in the store: under an
    /// idempotency key, as evidence that is known already, or as a row that is done. After a lost commit it simply runs again.
    public func writeRepeatably<Result: Sendable>(
        _ body: @escaping @Sendable (any Transaction) throws -> Result
    ) async throws -> Result {
        try await write(resolve: { _ in nil }, body)
    }

    public func lookup<Result: Sendable>(
        _ body: @escaping @Sendable (any Transaction) throws -> Result
    ) async throws -> Result {
        try await read(.strong, body)
    }

    /// A strong read.
    public func read<Result: Sendable>(
        _ body: @escaping @Sendable (any Transaction) throws -> Result
    ) async throws -> Result {
        try await read(.strong, body)
    }
}

extension Transaction {
    /// Runs a statement without bindings and returns the number of rows it changed.
    @discardableResult
    public func execute(_ sql: String) throws -> Int { try execute(sql, []) }
    /// Runs a query without bindings.
    public func query(_ sql: String) throws -> [Row] { try query(sql, []) }
    public var blobType: String { "BLOB" }
}
