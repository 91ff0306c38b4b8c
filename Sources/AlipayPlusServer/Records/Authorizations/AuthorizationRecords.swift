import AlipayPlus
import BillfoldJSON
import BillfoldPayments
import BillfoldStorage

/// The rows of authorisations.
enum AuthorizationRecords {
    static let migration = Migration(
        "alipayplus-0008-authorizations",
        [
            """
            CREATE TABLE alipay_plus_authorizations (
                acquirer TEXT NOT NULL, id $BLOB NOT NULL, reference TEXT NOT NULL, state TEXT NOT NULL, version BIGINT NOT NULL,
                terms $BLOB NOT NULL, progress $BLOB NOT NULL, code_hash $BLOB, access_hash $BLOB, refresh_hash $BLOB,
                created_at BIGINT NOT NULL, PRIMARY KEY (acquirer, id))
            """,
            "CREATE UNIQUE INDEX alipay_plus_authorizations_by_reference ON alipay_plus_authorizations (reference)",
            "CREATE UNIQUE INDEX alipay_plus_authorizations_by_code ON alipay_plus_authorizations (code_hash)",
            "CREATE UNIQUE INDEX alipay_plus_authorizations_by_access ON alipay_plus_authorizations (access_hash)",
            "CREATE UNIQUE INDEX alipay_plus_authorizations_by_refresh ON alipay_plus_authorizations (refresh_hash)",
        ])

    /// Keys of requests for a consent that was never given, or has ended.
    static let retention = RetentionRule.ended(
        "idempotency_keys", key: ["caller", "operation", "key"],
        where: """
            operation = '\(PrepareRequest.api)' AND created_at < ?
                AND subject NOT IN (SELECT id FROM alipay_plus_authorizations WHERE state = 'consented' OR state = 'active')
            """, kept: RetentionRule.keysKept)

    private static let columns = """
        acquirer, id, reference, state, version, terms, progress, code_hash, access_hash, refresh_hash, created_at
        """

    static func insert(_ authorization: Authorization, in tx: any Transaction) throws {
        try tx.execute(
            "INSERT INTO alipay_plus_authorizations (\(columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                authorization.acquirer.sqlValue, authorization.id.sqlValue, .text(authorization.reference),
                .text(authorization.state.rawValue), .integer(authorization.version), .blob(try JSONDocument.encode(authorization.terms)),
                .blob(try JSONDocument.encode(authorization.progress)), optional(authorization.codeHash),
                optional(authorization.accessHash), optional(authorization.refreshHash), .integer(authorization.createdAt.microseconds),
            ])
    }

    /// Stores what changed, if nobody changed it in between. `version` counts up.
    static func update(_ authorization: Authorization, in tx: any Transaction) throws -> Bool {
        try tx.execute(
            """
            UPDATE alipay_plus_authorizations SET state = ?, version = version + 1, progress = ?, code_hash = ?, access_hash = ?,
                refresh_hash = ?
            WHERE acquirer = ? AND id = ? AND version = ?
            """,
            [
                .text(authorization.state.rawValue), .blob(try JSONDocument.encode(authorization.progress)),
                optional(authorization.codeHash), optional(authorization.accessHash), optional(authorization.refreshHash),
                authorization.acquirer.sqlValue, authorization.id.sqlValue, .integer(authorization.version),
            ]) == 1
    }

    static func find(_ id: TimeOrderedID, acquirer: MerchantID, in tx: any Transaction) throws -> Authorization? {
        try authorizations("WHERE acquirer = ? AND id = ?", [acquirer.sqlValue, id.sqlValue], in: tx).first
    }

    static func find(reference: String, in tx: any Transaction) throws -> Authorization? {
        try authorizations("WHERE reference = ?", [.text(reference)], in: tx).first
    }

    /// Which of our own secrets a hash is of.
    enum Secret: String, Sendable {
        case code = "code_hash"
        case access = "access_hash"
        case refresh = "refresh_hash"
    }

    /// Another acquirer's is answered as none.
    static func find(_ secret: Secret, _ hash: KeyedHash, acquirer: MerchantID, in tx: any Transaction) throws -> Authorization? {
        try authorizations(
            "WHERE \(secret.rawValue) = ? AND acquirer = ?", [.blob(hash.bytes), acquirer.sqlValue], in: tx
        ).first
    }

    private static func authorizations(_ condition: String, _ bindings: [SQLValue], in tx: any Transaction) throws -> [Authorization] {
        try tx.query("SELECT \(columns) FROM alipay_plus_authorizations \(condition)", bindings).map { row in
            Authorization(
                acquirer: try MerchantID(row.text(0)), id: try row.timeOrderedID(1), reference: try row.text(2),
                state: try row.known(3), version: try row.integer(4),
                terms: try JSONDocument.decode(Authorization.Terms.self, row.blob(5)),
                progress: try JSONDocument.decode(Authorization.Progress.self, row.blob(6)), codeHash: try hash(row, 7),
                accessHash: try hash(row, 8), refreshHash: try hash(row, 9), createdAt: try row.timestamp(10))
        }
    }

    private static func hash(_ row: Row, _ column: Int) throws -> KeyedHash? {
        try row.optionalBlob(column).map { KeyedHash(stored: $0) }
    }

    private static func optional(_ hash: KeyedHash?) -> SQLValue { hash.map { .blob($0.bytes) } ?? .null }
}
