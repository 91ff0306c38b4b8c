import AlipayPlus
import BillfoldJSON
import BillfoldPayments
import BillfoldStorage

/// The rows of payments and of their legs. An acquirer's request id stands for one payment for ever.
enum AcquirerPaymentRecords {
    static let migration = Migration(
        "alipayplus-0003-payments",
        [
            """
            CREATE TABLE alipay_plus_payments (
                acquirer TEXT NOT NULL, id $BLOB NOT NULL, request_id TEXT NOT NULL, reference TEXT NOT NULL, scenario TEXT NOT NULL,
                state TEXT NOT NULL, version BIGINT NOT NULL, terms $BLOB NOT NULL, progress $BLOB NOT NULL, created_at BIGINT NOT NULL,
                expires_at BIGINT NOT NULL, paid_at BIGINT, closed_at BIGINT, audit_sequence BIGINT NOT NULL, audit_hash $BLOB NOT NULL,
                PRIMARY KEY (acquirer, id))
            """,
            "CREATE UNIQUE INDEX alipay_plus_payments_by_request ON alipay_plus_payments (acquirer, request_id)",
            "CREATE UNIQUE INDEX alipay_plus_payments_by_reference ON alipay_plus_payments (reference)",
            "CREATE INDEX alipay_plus_payments_paid ON alipay_plus_payments (acquirer, paid_at) WHERE paid_at IS NOT NULL",
            """
            CREATE TABLE alipay_plus_legs (
                id $BLOB NOT NULL PRIMARY KEY, wallet TEXT NOT NULL, acquirer TEXT NOT NULL, payment $BLOB NOT NULL,
                created_at BIGINT NOT NULL)
            """,
            "CREATE INDEX alipay_plus_legs_of_wallet ON alipay_plus_legs (wallet, created_at)",
        ])

    /// What wallets know legs by, where that is not their id.
    static let legRequestsMigration = Migration(
        "alipayplus-0010-leg-requests",
        [
            "ALTER TABLE alipay_plus_legs ADD COLUMN request_id TEXT",
            "CREATE UNIQUE INDEX alipay_plus_legs_by_request ON alipay_plus_legs (request_id) WHERE request_id IS NOT NULL",
        ])

    private static let columns = """
        acquirer, id, request_id, reference, scenario, state, version, terms, progress, created_at, expires_at, paid_at, closed_at, \
        audit_sequence, audit_hash
        """

    /// Returns false where the acquirer's request id, or our reference, is taken.
    static func insert(_ payment: AcquirerPayment, in tx: any Transaction) throws -> Bool {
        let bindings: [SQLValue] = [
            payment.acquirer.sqlValue, payment.id.sqlValue, .text(payment.requestID), .text(payment.reference),
            .text(payment.scenario.rawValue), .text(payment.state.rawValue), .integer(payment.version),
            .blob(try JSONDocument.encode(payment.terms, sortsKeys: false)),
            .blob(try payment.progress == .init() ? beginning.get() : document(payment.progress)),
            .integer(payment.createdAt.microseconds), .integer(payment.expiresAt.microseconds), .optional(payment.paidAt),
            .optional(payment.closedAt), .integer(payment.auditHead.sequence), .blob(payment.auditHead.hash),
        ]
        return try tx.execute(insertion, bindings) == 1
    }

    private static func document(_ progress: AcquirerPayment.Progress) throws -> [UInt8] {
        try JSONDocument.encode(progress, sortsKeys: false)
    }

    /// Nearly every payment is stored before anything came of it.
    private static let beginning = Result { try document(.init()) }

    private static let insertion = """
        INSERT INTO alipay_plus_payments (\(columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING
        """

    /// Stores what changed, if nobody changed the payment in between. `version` counts up.
    static func update(_ payment: AcquirerPayment, in tx: any Transaction) throws -> Bool {
        try tx.execute(
            """
            UPDATE alipay_plus_payments SET state = ?, version = version + 1, progress = ?, paid_at = ?, closed_at = ?,
                audit_sequence = ?, audit_hash = ?
            WHERE acquirer = ? AND id = ? AND version = ?
            """,
            [
                .text(payment.state.rawValue), .blob(try document(payment.progress)), .optional(payment.paidAt),
                .optional(payment.closedAt), .integer(payment.auditHead.sequence), .blob(payment.auditHead.hash),
                payment.acquirer.sqlValue, payment.id.sqlValue, .integer(payment.version),
            ]) == 1
    }

    /// The statement that makes a leg findable by its id.
    static func insertion(_ leg: CollectionLeg, of payment: AcquirerPayment, at now: Timestamp) -> Statement {
        Statement(
            "INSERT INTO alipay_plus_legs (id, wallet, acquirer, payment, created_at, request_id) VALUES (?, ?, ?, ?, ?, ?)",
            [
                leg.id.sqlValue, .text(leg.wallet), payment.acquirer.sqlValue, payment.id.sqlValue, .integer(now.microseconds),
                .optional(payment.detail(of: leg.id)?.requestID),
            ])
    }

    static func find(_ id: TimeOrderedID, acquirer: MerchantID, in tx: any Transaction) throws -> AcquirerPayment? {
        try payments("WHERE acquirer = ? AND id = ?", [acquirer.sqlValue, id.sqlValue], in: tx).first
    }

    static func find(requestID: String, acquirer: MerchantID, in tx: any Transaction) throws -> AcquirerPayment? {
        try payments("WHERE acquirer = ? AND request_id = ?", [acquirer.sqlValue, .text(requestID)], in: tx).first
    }

    static func find(reference: String, in tx: any Transaction) throws -> AcquirerPayment? {
        try payments("WHERE reference = ?", [.text(reference)], in: tx).first
    }

    static func find(leg: TimeOrderedID, in tx: any Transaction) throws -> AcquirerPayment? {
        guard let row = try tx.query("SELECT acquirer, payment FROM alipay_plus_legs WHERE id = ?", [leg.sqlValue]).first else {
            return nil
        }
        return try find(row.timeOrderedID(1), acquirer: MerchantID(row.text(0)), in: tx)
    }

    /// The payment of the leg that its wallet knows by a request id, and the leg.
    static func find(
        walletRequest requestID: String, in tx: any Transaction
    ) throws -> (payment: AcquirerPayment, leg: TimeOrderedID)? {
        let rows = try tx.query("SELECT id FROM alipay_plus_legs WHERE request_id = ?", [.text(requestID)])
        guard let leg = try rows.first.map({ try $0.timeOrderedID(0) }) ?? (try? TimeOrderedID(text: requestID)),
            let payment = try find(leg: leg, in: tx), ExactText.equal(payment.walletRequestID(of: leg), requestID)
        else { return nil }
        return (payment, leg)
    }

    /// An acquirer's payments that were paid in a time, in that order: those of a clearing cycle, the cancelled ones among them.
    static func paid(_ acquirer: MerchantID, in time: Range<Timestamp>, limit: Int, in tx: any Transaction) throws -> [AcquirerPayment] {
        try payments(
            "WHERE acquirer = ? AND paid_at >= ? AND paid_at < ? ORDER BY paid_at, id LIMIT ?",
            [
                acquirer.sqlValue, .integer(time.lowerBound.microseconds), .integer(time.upperBound.microseconds), .integer(Int64(limit)),
            ], in: tx)
    }

    /// An acquirer's payments, the last made first.
    static func latest(_ acquirer: MerchantID, limit: Int, in tx: any Transaction) throws -> [AcquirerPayment] {
        try payments("WHERE acquirer = ? ORDER BY id DESC LIMIT ?", [acquirer.sqlValue, .integer(Int64(limit))], in: tx)
    }

    static func payments(_ condition: String, _ bindings: [SQLValue], in tx: any Transaction) throws -> [AcquirerPayment] {
        try tx.query("SELECT \(columns) FROM alipay_plus_payments \(condition)", bindings).map { row in
            AcquirerPayment(
                acquirer: try MerchantID(row.text(0)), id: try row.timeOrderedID(1), requestID: try row.text(2),
                reference: try row.text(3), scenario: try row.known(4), state: try row.known(5), version: try row.integer(6),
                terms: try JSONDocument.decode(AcquirerPayment.Terms.self, row.blob(7)),
                progress: try JSONDocument.decode(AcquirerPayment.Progress.self, row.blob(8)), createdAt: try row.timestamp(9),
                expiresAt: try row.timestamp(10), paidAt: try row.optionalTimestamp(11), closedAt: try row.optionalTimestamp(12),
                auditHead: AuditHead(sequence: try row.integer(13), hash: try row.blob(14)))
        }
    }
}
