public import struct Logging.Logger

/// Brings a store's schema up to what this program knows, once, however many processes start at the same time.
///
/// Each migration is one write that first claims its name in `billfold_migrations`: whoever's row stands runs the
/// statements, everybody else finds the name taken. A store that has a migration of one of our components which we do not
/// know is refused, unless that migration says that programs as old as this one may go on (``Migration/runsWith``). One whose
/// checksum is another is always refused.
public struct MigrationRunner: Sendable {
    /// One migration as the store has it.
    public struct Applied: Sendable, Hashable {
        public var name: String
        public var checksum: String
        public var appliedAt: Timestamp
        /// The oldest migration that a program must know to run beside this one; `nil` for this one itself.
        public var runsWith: String?
    }

    public var migrations: [Migration]
    private let clock: any WallClock
    private let logger: Logger

    /// - Parameters:
    ///   - migrations: Those of every component that uses the store, in the order in which they are to run. A
    ///     component is what stands before the first hyphen of a name.
    ///   - clock: Gives the time that the store keeps for each migration (``Applied/appliedAt``).
    ///   - logger: Is told what was applied.
    public init(_ migrations: [Migration], clock: any WallClock, logger: Logger) {
        self.migrations = migrations
        self.clock = clock
        self.logger = logger
    }

    /// Applies what is missing and returns its names.
    ///
    /// - Throws: `schema-mismatch` when the store's schema is newer, or a migration was changed after it ran.
    @discardableResult
    public func run(on database: any Database) async throws -> [String] {
        try await makeTable(on: database)
        try await check(Self.applied(in: database))
        var names: [String] = []
        defer {
            if let last = names.last {
                logger.info("schema brought up to date", metadata: ["migrations": "\(names.count)", "last": "\(last)"])
            }
        }
        for migration in migrations {
            let appliedAt = clock.now()
            let ran = try await database.write(resolve: nil) { [self] transaction in
                try claim(migration, at: appliedAt, in: transaction)
            }
            guard ran else { continue }
            names.append(migration.name)
            logger.debug("migration applied", metadata: ["name": "\(migration.name)"])
        }
        return names
    }

    /// Compares the store with what this program knows, changing nothing.
    ///
    /// - Returns: The names that `run` would apply; empty when the schema is current.
    public func pending(on database: any Database) async throws -> [String] {
        let applied = try await Self.applied(in: database)
        try check(applied)
        let names = Set(applied.map(\.name))
        return migrations.map(\.name).filter { !names.contains($0) }
    }

    /// What ran on the store, by name; empty for a store that was never migrated.
    public static func applied(in database: any Database) async throws -> [Applied] {
        do {
            return try await database.read(.strong) { transaction in
                let rules = try transaction.query("SELECT name, runs_with FROM billfold_migration_rules").map {
                    (try $0.text(0), try $0.text(1))
                }
                let runsWith = Dictionary(rules) { first, _ in first }
                return try transaction.query("SELECT name, checksum, applied_at FROM billfold_migrations ORDER BY name").map {
                    let name = try $0.text(0)
                    return Applied(
                        name: name, checksum: try $0.text(1), appliedAt: try $0.timestamp(2), runsWith: runsWith[name])
                }
            }
        } catch let error as StorageError where error.code == .invalidStatement {
            // No table yet: portable SQL has no other way to ask.
            return []
        }
    }

    private func makeTable(on database: any Database) async throws {
        // Two processes that make the same table at once can both see it missing; the later one is refused and looks again.
        for attempt in 1... {
            do {
                try await database.write { transaction in
                    try transaction.execute(
                        "CREATE TABLE IF NOT EXISTS billfold_migrations (name TEXT NOT NULL PRIMARY KEY, checksum TEXT NOT NULL, applied_at BIGINT NOT NULL)"
                    )
                    try transaction.execute(
                        "CREATE TABLE IF NOT EXISTS billfold_migration_rules (name TEXT NOT NULL PRIMARY KEY, runs_with TEXT NOT NULL)")
                }
                return
            } catch let error as StorageError where attempt < 20 && Self.isRace(error) { continue }
        }
    }

    private static func isRace(_ error: StorageError) -> Bool {
        [.uniqueViolation, .invalidStatement, .serializationFailure, .commitUnknown].contains(error.code)
    }

    /// Runs the migration unless its name is taken.
    private func claim(_ migration: Migration, at instant: Timestamp, in transaction: any Transaction) throws -> Bool {
        let checksum = migration.checksum
        let inserted = try transaction.execute(
            "INSERT INTO billfold_migrations (name, checksum, applied_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
            [.text(migration.name), .text(checksum), .integer(instant.microseconds)])
        guard inserted == 1 else { return false }
        if let runsWith = migration.runsWith {
            guard migration.isAdditive, Migration(runsWith, []).component == migration.component else {
                throw StorageError(
                    code: .schemaMismatch,
                    reason: "the migration \(migration.name) lets older programs run and is not additive, or names another component's")
            }
            try transaction.execute(
                "INSERT INTO billfold_migration_rules (name, runs_with) VALUES (?, ?)", [.text(migration.name), .text(runsWith)])
        }
        for statement in migration.statements {
            try transaction.execute(statement.replacing("$BLOB", with: transaction.blobType))
        }
        return true
    }

    private func check(_ applied: [Applied]) throws {
        let known = Dictionary(migrations.map { ($0.name, $0.checksum) }) { first, _ in first }
        let components = Set(migrations.map(\.component))
        for row in applied {
            if let checksum = known[row.name] {
                guard checksum == row.checksum else {
                    throw StorageError(code: .schemaMismatch, reason: "the migration \(row.name) was changed after it ran")
                }
            } else if components.contains(Migration(row.name, []).component), row.runsWith.flatMap({ known[$0] }) == nil {
                throw StorageError(
                    code: .schemaMismatch, reason: "the store's schema is newer than this program: it has \(row.name)")
            }
        }
    }
}

extension Migration {
    /// What stands before the first hyphen of the name.
    public var component: String { String(name.prefix { $0 != "-" }) }

    /// A fingerprint of the statements (FNV-1a, 64 bits). It finds an edit made by mistake; whoever may write to the table
    /// of migrations needs no collision.
    public var checksum: String {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in statements.joined(separator: "\u{0}").utf8 {
            hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
        }
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
