import BillfoldJSON
import BillfoldPayments
import BillfoldStorage
import MiniPrograms

/// The rows of mini programs, builds, packages and codes.
enum MiniProgramRecords {
    static let migration = Migration(
        "wallet-0015-mini-programs",
        [
            """
            CREATE TABLE wallet_mini_programs (
                app TEXT NOT NULL PRIMARY KEY, author TEXT NOT NULL, document $BLOB NOT NULL, revision BIGINT NOT NULL,
                created_at BIGINT NOT NULL)
            """,
            "CREATE INDEX wallet_mini_programs_by_author ON wallet_mini_programs (author)",
            """
            CREATE TABLE wallet_builds (
                app TEXT NOT NULL, version TEXT NOT NULL, state TEXT NOT NULL, percent BIGINT NOT NULL, document $BLOB NOT NULL,
                upload_hash $BLOB NOT NULL, created_at BIGINT NOT NULL, PRIMARY KEY (app, version))
            """,
            "CREATE UNIQUE INDEX wallet_builds_by_upload ON wallet_builds (app, upload_hash)",
            "CREATE INDEX wallet_builds_by_state ON wallet_builds (app, state)",
            """
            CREATE TABLE wallet_packages (
                sha256 TEXT NOT NULL PRIMARY KEY, app TEXT NOT NULL, version TEXT NOT NULL, bytes $BLOB NOT NULL)
            """,
            """
            CREATE TABLE wallet_mini_program_codes (
                app TEXT NOT NULL, id TEXT NOT NULL, link TEXT NOT NULL, created_at BIGINT NOT NULL, PRIMARY KEY (app, id))
            """,
        ])

    // MARK: Mini programs

    /// Returns false where the id is taken.
    static func insert(_ app: HostedMiniProgram, at now: Timestamp, in tx: any Transaction) throws -> Bool {
        try tx.execute(
            "INSERT INTO wallet_mini_programs (app, author, document, revision, created_at) VALUES (?, ?, ?, 1, ?) ON CONFLICT DO NOTHING",
            [.text(app.appID), .text(app.author), .blob(try JSONDocument.encode(app)), .integer(now.microseconds)]) == 1
    }

    static func find(_ appID: String, in tx: any Transaction) throws -> HostedMiniProgram? {
        try tx.query("SELECT document FROM wallet_mini_programs WHERE app = ?", [.text(appID)]).first
            .map { try decoded.value(appID, $0.blob(0)) }
    }

    private static let decoded = DecodedDocuments<String, HostedMiniProgram>()

    /// Reads a mini program and keeps its row: whoever else changes it, or one of its builds, waits until this write is done.
    static func take(_ appID: String, in tx: any Transaction) throws -> HostedMiniProgram? {
        try tx.execute("UPDATE wallet_mini_programs SET revision = revision + 1 WHERE app = ?", [.text(appID)])
        return try find(appID, in: tx)
    }

    static func update(_ app: HostedMiniProgram, in tx: any Transaction) throws {
        try tx.execute(
            "UPDATE wallet_mini_programs SET document = ? WHERE app = ?", [.blob(try JSONDocument.encode(app)), .text(app.appID)])
    }

    /// In the order of their ids.
    static func list(after last: String = "", limit: Int, in tx: any Transaction) throws -> [HostedMiniProgram] {
        try tx.query(
            "SELECT document FROM wallet_mini_programs WHERE app > ? ORDER BY app LIMIT ?", [.text(last), .integer(Int64(limit))]
        ).map { try JSONDocument.decode(HostedMiniProgram.self, $0.blob(0)) }
    }

    // MARK: Builds

    private static let buildColumns = "app, version, state, percent, document, created_at"

    static func insert(_ build: MiniProgramBuild, upload: KeyedHash, in tx: any Transaction) throws -> Bool {
        let (state, percent) = StoredState.name(of: build.state)
        return try tx.execute(
            """
            INSERT INTO wallet_builds (app, version, state, percent, document, upload_hash, created_at) VALUES (?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT DO NOTHING
            """,
            [
                .text(build.appID), .text(build.version.description), .text(state), .integer(Int64(percent)),
                .blob(try JSONDocument.encode(build.detail)), .blob(upload.bytes), .integer(build.createdAt.microseconds),
            ]) == 1
    }

    /// Stores state and detail. The mini program's row must have been taken by the same write.
    static func update(_ build: MiniProgramBuild, in tx: any Transaction) throws {
        let (state, percent) = StoredState.name(of: build.state)
        try tx.execute(
            "UPDATE wallet_builds SET state = ?, percent = ?, document = ? WHERE app = ? AND version = ?",
            [
                .text(state), .integer(Int64(percent)), .blob(try JSONDocument.encode(build.detail)), .text(build.appID),
                .text(build.version.description),
            ])
    }

    static func build(_ appID: String, _ version: MiniProgramVersion, in tx: any Transaction) throws -> MiniProgramBuild? {
        try tx.query(
            "SELECT \(buildColumns) FROM wallet_builds WHERE app = ? AND version = ?", [.text(appID), .text(version.description)]
        ).first.map(build)
    }

    static func build(_ appID: String, upload: KeyedHash, in tx: any Transaction) throws -> MiniProgramBuild? {
        try tx.query(
            "SELECT \(buildColumns) FROM wallet_builds WHERE app = ? AND upload_hash = ?", [.text(appID), .blob(upload.bytes)]
        ).first.map(build)
    }

    /// The newest last.
    static func builds(_ appID: String, states: [ReleaseState]? = nil, in tx: any Transaction) throws -> [MiniProgramBuild] {
        let names = states.map { $0.map { StoredState.name(of: $0).0 } }
        let condition = names.map { " AND state IN (\($0.map { _ in "?" }.joined(separator: ", ")))" } ?? ""
        return try tx.query(
            "SELECT \(buildColumns) FROM wallet_builds WHERE app = ?\(condition)", [.text(appID)] + (names ?? []).map { .text($0) }
        ).map(build).sorted { $0.version < $1.version }
    }

    private static func build(_ row: Row) throws -> MiniProgramBuild {
        guard let version = MiniProgramVersion(text: try row.text(1)),
            let state = StoredState.state(try row.text(2), percent: Int(try row.integer(3)))
        else { throw WalletError(code: .corruptRecord, reason: "a build's version or state does not read back") }
        return MiniProgramBuild(
            appID: try row.text(0), version: version, state: state,
            detail: try JSONDocument.decode(MiniProgramBuild.Detail.self, row.blob(4)), createdAt: try row.timestamp(5))
    }

    // MARK: Packages

    static func insert(package bytes: [UInt8], sha256: String, of build: MiniProgramBuild, in tx: any Transaction) throws {
        try tx.execute(
            "INSERT INTO wallet_packages (sha256, app, version, bytes) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
            [.text(sha256), .text(build.appID), .text(build.version.description), .blob(bytes)])
    }

    /// Which build a package is.
    static func build(package sha256: String, in tx: any Transaction) throws -> MiniProgramBuild? {
        guard let row = try tx.query("SELECT app, version FROM wallet_packages WHERE sha256 = ?", [.text(sha256)]).first,
            let version = MiniProgramVersion(text: try row.text(1))
        else { return nil }
        return try build(row.text(0), version, in: tx)
    }

    static func package(_ sha256: String, in tx: any Transaction) throws -> [UInt8]? {
        try tx.query("SELECT bytes FROM wallet_packages WHERE sha256 = ?", [.text(sha256)]).first?.blob(0)
    }

    // MARK: Codes

    static func put(code id: String, link: String, of appID: String, at now: Timestamp, in tx: any Transaction) throws {
        let inserted = try tx.execute(
            "INSERT INTO wallet_mini_program_codes (app, id, link, created_at) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
            [.text(appID), .text(id), .text(link), .integer(now.microseconds)])
        guard inserted == 0 else { return }
        try tx.execute("UPDATE wallet_mini_program_codes SET link = ? WHERE app = ? AND id = ?", [.text(link), .text(appID), .text(id)])
    }

    static func codes(of appID: String, limit: Int, in tx: any Transaction) throws -> [(id: String, link: String)] {
        try tx.query(
            "SELECT id, link FROM wallet_mini_program_codes WHERE app = ? ORDER BY id LIMIT ?", [.text(appID), .integer(Int64(limit))]
        ).map { (try $0.text(0), try $0.text(1)) }
    }

    /// A state in its columns.
    private enum StoredState {
        static func name(of state: ReleaseState) -> (String, Int) {
            switch state {
            case .created: ("created", 0)
            case .underReview: ("under-review", 0)
            case .preparation: ("preparation", 0)
            case .pilot: ("pilot", 0)
            case .grayscale(let percent): ("grayscale", percent)
            case .released: ("released", 0)
            case .canceled: ("canceled", 0)
            case .archived: ("archived", 0)
            }
        }

        static func state(_ name: String, percent: Int) -> ReleaseState? {
            let all: [ReleaseState] = [
                .created, .underReview, .preparation, .pilot, .grayscale(percent: percent), .released, .canceled, .archived,
            ]
            return all.first { self.name(of: $0).0 == name }
        }
    }
}
