import BillfoldJSON
import BillfoldPayments
import BillfoldStorage

/// The rows of acquirers and wallets. A client id stands for one party of one side.
enum AlipayPlusPartyRecords {
    enum Side: String, Sendable {
        case acquirer, wallet
    }

    static let migration = Migration(
        "alipayplus-0001-parties",
        [
            """
            CREATE TABLE alipay_plus_parties (
                client_id TEXT NOT NULL PRIMARY KEY, side TEXT NOT NULL, name TEXT NOT NULL, document $BLOB NOT NULL,
                version BIGINT NOT NULL, updated_at BIGINT NOT NULL)
            """,
            "CREATE UNIQUE INDEX alipay_plus_parties_by_name ON alipay_plus_parties (side, name)",
        ])

    /// Stores a party, or what changed of it. Refuses with `identity-taken` a client id of the other side or of another name, and a
    /// name that another client has.
    static func put(
        _ document: [UInt8], clientID: String, side: Side, name: String, at now: Timestamp, in tx: any Transaction
    ) throws {
        let inserted = try tx.execute(
            """
            INSERT INTO alipay_plus_parties (client_id, side, name, document, version, updated_at) VALUES (?, ?, ?, ?, 1, ?)
            ON CONFLICT DO NOTHING
            """, [.text(clientID), .text(side.rawValue), .text(name), .blob(document), .integer(now.microseconds)])
        guard inserted == 0 else { return try GenerationRecords.partiesChanged(in: tx) }
        let isSame = try tx.query(
            "SELECT version FROM alipay_plus_parties WHERE client_id = ? AND side = ? AND name = ?",
            [.text(clientID), .text(side.rawValue), .text(name)])
        guard !isSame.isEmpty else {
            throw AlipayPlusServerError(code: .identityTaken, reason: "the client id or the party's own id belongs to another party")
        }
        let changed = try tx.execute(
            "UPDATE alipay_plus_parties SET document = ?, version = version + 1, updated_at = ? WHERE client_id = ? AND document <> ?",
            [.blob(document), .integer(now.microseconds), .text(clientID), .blob(document)])
        if changed > 0 { try GenerationRecords.partiesChanged(in: tx) }
    }

    struct Found: Sendable {
        var side: Side
        var document: [UInt8]
        var clientID: String
        var version: Int64
    }

    private static let columns = "side, document, client_id, version"

    static func find(clientID: String, in tx: any Transaction) throws -> Found? {
        try tx.query("SELECT \(columns) FROM alipay_plus_parties WHERE client_id = ?", [.text(clientID)]).first.map(read)
    }

    static func find(_ side: Side, name: String, in tx: any Transaction) throws -> Found? {
        try tx.query(
            "SELECT \(columns) FROM alipay_plus_parties WHERE side = ? AND name = ?", [.text(side.rawValue), .text(name)]
        ).first.map(read)
    }

    static func all(_ side: Side, in tx: any Transaction) throws -> [Found] {
        try tx.query("SELECT \(columns) FROM alipay_plus_parties WHERE side = ? ORDER BY name", [.text(side.rawValue)]).map(read)
    }

    static func acquirer(_ id: MerchantID, in tx: any Transaction) throws -> Acquirer? {
        try find(.acquirer, name: id.description, in: tx).map { try JSONDocument.decode(Acquirer.self, $0.document) }
    }

    /// By its payment method type.
    static func wallet(_ type: String, in tx: any Transaction) throws -> PartnerWallet? {
        try find(.wallet, name: type, in: tx).map { try JSONDocument.decode(PartnerWallet.self, $0.document) }
    }

    private static func read(_ row: Row) throws -> Found {
        Found(
            side: try row.known(0), document: try row.blob(1), clientID: try row.text(2),
            version: try row.integer(3))
    }
}

extension MerchantID {
    var sqlValue: SQLValue { .text(description) }
}
