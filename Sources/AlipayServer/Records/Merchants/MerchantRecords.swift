import BillfoldJSON
import BillfoldPayments
import BillfoldStorage

/// The rows of merchants and their applications.
enum MerchantRecords {
    static let migration = Migration(
        "alipay-0001-merchants",
        [
            """
            CREATE TABLE alipay_merchants (
                merchant TEXT NOT NULL PRIMARY KEY, document $BLOB NOT NULL, version BIGINT NOT NULL, updated_at BIGINT NOT NULL)
            """,
            """
            CREATE TABLE alipay_applications (
                merchant TEXT NOT NULL, app_id TEXT NOT NULL, document $BLOB NOT NULL, version BIGINT NOT NULL, updated_at BIGINT NOT NULL,
                PRIMARY KEY (merchant, app_id))
            """,
            "CREATE UNIQUE INDEX alipay_applications_by_name ON alipay_applications (app_id)",
        ])

    /// Stores a merchant in the place of the row of that version, or of none. Returns false where another write came first. To be run by
    /// ``MerchantRegister/change(_:)``.
    static func put(_ merchant: AlipayMerchant, after version: Int64?, at now: Timestamp, in tx: any Transaction) throws -> Bool {
        let document = try JSONDocument.encode(merchant)
        let rows = try tx.query("SELECT document, version FROM alipay_merchants WHERE merchant = ?", [merchant.partner.sqlValue])
        guard let known = rows.first else {
            return try version == nil
                && tx.execute(
                    "INSERT INTO alipay_merchants (merchant, document, version, updated_at) VALUES (?, ?, 1, ?) ON CONFLICT DO NOTHING",
                    [merchant.partner.sqlValue, .blob(document), .integer(now.microseconds)]) == 1
        }
        if try known.blob(0) == document { return true }
        guard let version, try known.integer(1) == version else { return false }
        return try tx.execute(
            "UPDATE alipay_merchants SET document = ?, version = version + 1, updated_at = ? WHERE merchant = ? AND version = ?",
            [.blob(document), .integer(now.microseconds), merchant.partner.sqlValue, .integer(version)]) == 1
    }

    /// Stores an application in the place of the row of that version, or of none. Returns false where another write came first: what it
    /// made, the gateway's key for the application among it, may have been handed out. Refuses with `identity-taken` an application id
    /// that another merchant has. To be run by ``MerchantRegister/change(_:)``.
    static func put(_ application: AlipayApplication, after version: Int64?, at now: Timestamp, in tx: any Transaction) throws -> Bool {
        let document = try JSONDocument.encode(application)
        let (owner, name) = (application.partner.sqlValue, SQLValue.text(application.appID))
        let rows = try tx.query(
            "SELECT document, version, merchant FROM alipay_applications WHERE app_id = ?", [name])
        guard let known = rows.first else {
            return try version == nil
                && tx.execute(
                    """
                    INSERT INTO alipay_applications (merchant, app_id, document, version, updated_at) VALUES (?, ?, ?, 1, ?)
                    ON CONFLICT DO NOTHING
                    """, [owner, name, .blob(document), .integer(now.microseconds)]) == 1
        }
        guard try known.text(2) == application.partner.description else {
            throw AlipayServerError(code: .identityTaken, reason: "the application id belongs to another merchant")
        }
        if try known.blob(0) == document { return true }
        guard let version, try known.integer(1) == version else { return false }
        return try tx.execute(
            """
            UPDATE alipay_applications SET document = ?, version = version + 1, updated_at = ?
            WHERE merchant = ? AND app_id = ? AND version = ?
            """, [.blob(document), .integer(now.microseconds), owner, name, .integer(version)]) == 1
    }

    static func merchant(_ id: MerchantID, in tx: any Transaction) throws -> (value: AlipayMerchant, version: Int64)? {
        try tx.query("SELECT document, version FROM alipay_merchants WHERE merchant = ?", [id.sqlValue]).first.map {
            (try JSONDocument.decode(AlipayMerchant.self, $0.blob(0)), try $0.integer(1))
        }
    }

    static func application(_ appID: String, in tx: any Transaction) throws -> (value: AlipayApplication, version: Int64)? {
        try tx.query("SELECT document, version FROM alipay_applications WHERE app_id = ?", [.text(appID)]).first.map {
            (try JSONDocument.decode(AlipayApplication.self, $0.blob(0)), try $0.integer(1))
        }
    }

    /// What reading a row once more gave a reader that knows a version of it.
    enum Reread<Value: Sendable>: Sendable {
        case absent
        /// The known version still holds: the document was not read.
        case unchanged
        case changed(Value)
    }

    /// A merchant, unless it has the known version still: a document holds keys, and is not read for nothing.
    static func merchant(
        _ id: MerchantID, unlessVersion known: Int64?, in tx: any Transaction
    ) throws -> Reread<(value: AlipayMerchant, version: Int64)> {
        let rows = try tx.query(
            "SELECT version, CASE WHEN version = ? THEN NULL ELSE document END FROM alipay_merchants WHERE merchant = ?",
            [.integer(known ?? 0), id.sqlValue])
        guard let row = rows.first else { return .absent }
        guard let document = try row.optionalBlob(1) else { return .unchanged }
        return .changed((try JSONDocument.decode(AlipayMerchant.self, document), try row.integer(0)))
    }

    /// An application and the merchant that owns it, unless both have the known versions still.
    static func application(
        _ appID: String, unlessVersions known: [Int64]?, in tx: any Transaction
    ) throws -> Reread<(value: AlipayApplication, owner: AlipayMerchant, versions: [Int64])> {
        let rows = try tx.query(
            """
            SELECT a.version, m.version FROM alipay_applications a JOIN alipay_merchants m ON m.merchant = a.merchant WHERE a.app_id = ?
            """, [.text(appID)])
        guard let row = rows.first else { return .absent }
        let versions = [try row.integer(0), try row.integer(1)]
        if versions == known { return .unchanged }
        guard let application = try application(appID, in: tx), let owner = try merchant(application.value.partner, in: tx) else {
            return .absent
        }
        return .changed((application.value, owner.value, versions))
    }

    static func all(in tx: any Transaction) throws -> [AlipayMerchant] {
        try tx.query("SELECT document FROM alipay_merchants ORDER BY merchant").map {
            try JSONDocument.decode(AlipayMerchant.self, $0.blob(0))
        }
    }

    static func applications(of merchant: MerchantID, in tx: any Transaction) throws -> [AlipayApplication] {
        try tx.query("SELECT document FROM alipay_applications WHERE merchant = ? ORDER BY app_id", [merchant.sqlValue]).map {
            try JSONDocument.decode(AlipayApplication.self, $0.blob(0))
        }
    }
}
