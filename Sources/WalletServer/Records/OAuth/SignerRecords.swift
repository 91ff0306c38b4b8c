import BillfoldJSON
import BillfoldStorage
import MiniPrograms

/// The rows of clients, authors and workspaces.
enum SignerRecords {
    static let migration = Migration(
        "wallet-0010-signers",
        [
            """
            CREATE TABLE wallet_signers (
                kind TEXT NOT NULL, id TEXT NOT NULL, document $BLOB NOT NULL, version BIGINT NOT NULL, updated_at BIGINT NOT NULL,
                PRIMARY KEY (kind, id))
            """,
            "CREATE TABLE wallet_workspaces (id TEXT NOT NULL PRIMARY KEY, kind TEXT NOT NULL, name TEXT NOT NULL)",
        ])

    enum Kind: String, Sendable {
        case client
        case author
    }

    /// Replaces the party's own data. The version counts up where they changed; false where they did not.
    static func put(_ client: OAuthClient, at now: Timestamp, in tx: any Transaction) throws -> Bool {
        try put(JSONDocument.encode(client), as: .client, id: client.id, at: now, in: tx)
    }

    static func put(_ author: MiniProgramAuthor, at now: Timestamp, in tx: any Transaction) throws -> Bool {
        try put(JSONDocument.encode(author), as: .author, id: author.id, at: now, in: tx)
    }

    private static func put(
        _ document: [UInt8], as kind: Kind, id: String, at now: Timestamp, in tx: any Transaction
    ) throws -> Bool {
        let inserted = try tx.execute(
            "INSERT INTO wallet_signers (kind, id, document, version, updated_at) VALUES (?, ?, ?, 1, ?) ON CONFLICT DO NOTHING",
            [.text(kind.rawValue), .text(id), .blob(document), .integer(now.microseconds)])
        if inserted == 1 { return true }
        return try tx.execute(
            "UPDATE wallet_signers SET document = ?, version = version + 1, updated_at = ? WHERE kind = ? AND id = ? AND document <> ?",
            [.blob(document), .integer(now.microseconds), .text(kind.rawValue), .text(id), .blob(document)]) == 1
    }

    struct Found: Sendable {
        var document: [UInt8]
        var version: Int64
    }

    static func find(_ kind: Kind, _ id: String, in tx: any Transaction) throws -> Found? {
        try tx.query("SELECT document, version FROM wallet_signers WHERE kind = ? AND id = ?", [.text(kind.rawValue), .text(id)]).first
            .map { Found(document: try $0.blob(0), version: try $0.integer(1)) }
    }

    static func client(_ id: String, in tx: any Transaction) throws -> OAuthClient? {
        try find(.client, id, in: tx).map { try clients.value(id, $0.document) }
    }

    private static let clients = DecodedDocuments<String, OAuthClient>()

    static func author(_ id: String, in tx: any Transaction) throws -> MiniProgramAuthor? {
        try find(.author, id, in: tx).map { try JSONDocument.decode(MiniProgramAuthor.self, $0.document) }
    }

    static func clients(limit: Int, in tx: any Transaction) throws -> [OAuthClient] {
        try documents(.client, limit, in: tx).map { try JSONDocument.decode(OAuthClient.self, $0) }
    }

    static func authors(limit: Int, in tx: any Transaction) throws -> [MiniProgramAuthor] {
        try documents(.author, limit, in: tx).map { try JSONDocument.decode(MiniProgramAuthor.self, $0) }
    }

    private static func documents(_ kind: Kind, _ limit: Int, in tx: any Transaction) throws -> [[UInt8]] {
        try tx.query(
            "SELECT document FROM wallet_signers WHERE kind = ? ORDER BY id LIMIT ?", [.text(kind.rawValue), .integer(Int64(limit))]
        ).map { try $0.blob(0) }
    }

    /// A workspace keeps its kind: metadata that were delivered name it.
    static func put(_ workspace: MiniProgramWorkspace, in tx: any Transaction) throws -> Bool {
        let known = try Self.workspace(workspace.id, in: tx)
        guard known?.kind ?? workspace.kind == workspace.kind else {
            throw WalletError(code: .identityTaken, reason: "the workspace is of another kind")
        }
        let inserted = try tx.execute(
            "INSERT INTO wallet_workspaces (id, kind, name) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
            [.text(workspace.id), .text(workspace.kind.rawValue), .text(workspace.name)])
        if inserted == 1 { return true }
        return try tx.execute(
            "UPDATE wallet_workspaces SET name = ? WHERE id = ? AND name <> ?",
            [.text(workspace.name), .text(workspace.id), .text(workspace.name)]) == 1
    }

    static func workspace(_ id: String, in tx: any Transaction) throws -> MiniProgramWorkspace? {
        try tx.query("SELECT id, kind, name FROM wallet_workspaces WHERE id = ?", [.text(id)]).first.map(workspace)
    }

    static func workspaces(limit: Int, in tx: any Transaction) throws -> [MiniProgramWorkspace] {
        try tx.query("SELECT id, kind, name FROM wallet_workspaces ORDER BY id LIMIT ?", [.integer(Int64(limit))]).map(workspace)
    }

    private static func workspace(_ row: Row) throws -> MiniProgramWorkspace {
        MiniProgramWorkspace(id: try row.text(0), kind: try row.named(1), name: try row.text(2))
    }
}
