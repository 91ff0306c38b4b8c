import BillfoldMoney
public import BillfoldStorage

/// The rows of notices about things that the books do not know. Only what was verified comes here, so no stranger can fill the table; a
/// counterparty that errs without end is stopped by ``most``.
public enum UnmatchedNoticeRecords {
    static let migration = Migration(
        "notices-0001-unmatched",
        [
            """
            CREATE TABLE unmatched_notices (
                owner TEXT NOT NULL, id $BLOB NOT NULL, source TEXT NOT NULL, natural_key TEXT NOT NULL, kind TEXT NOT NULL,
                reference TEXT NOT NULL, about TEXT NOT NULL, currency TEXT, amount BIGINT, evidence $BLOB NOT NULL,
                received_at BIGINT NOT NULL, note TEXT NOT NULL, way TEXT, remark TEXT, outcome TEXT, people TEXT, request TEXT, settled_at BIGINT,
                PRIMARY KEY (owner, id), UNIQUE (owner, source, natural_key))
            """,
            "CREATE INDEX unmatched_notices_open ON unmatched_notices (owner, received_at) WHERE settled_at IS NULL",
        ])

    /// So many notices of one source may be open. Beyond that a notice is refused, and its sender keeps it.
    public static let most: Int64 = 10_000

    /// The audit chain that tells of every notice when it was kept, settled and opened again: with digests, for the rows hold the words. It
    /// is its owner's, beside the operators' chain, which has what people decided.
    public static let chain = "notices"
    static let kept = "notice.kept"
    static let settled = "notice.settled"
    static let matched = "notice.matched"
    static let reopened = "notice.reopened"

    private static let columns = """
        owner, id, source, natural_key, kind, reference, about, currency, amount, evidence, received_at, way, remark, outcome, people, \
        request, settled_at, note
        """

    /// Stores a notice once: a copy of one that is there changes nothing, also after it was settled. Acknowledge it after the commit.
    ///
    /// - Returns: Whether this is the first copy, and an alarm is to be told.
    /// - Throws: ``PaymentsError/Code/tooManyNotices``.
    public static func keep(_ notice: UnmatchedNotice, linking links: AuditChain, in tx: any Transaction) throws -> Bool {
        try keep(notice, most: most, linking: links, in: tx)
    }

    static func keep(_ notice: UnmatchedNotice, most: Int64, linking links: AuditChain, in tx: any Transaction) throws -> Bool {
        if let known = try find(source: notice.source, naturalKey: notice.naturalKey, owner: notice.owner, in: tx) {
            // Our own id: this write was done already, and its commit's answer was lost.
            return known.id == notice.id
        }
        let open = try tx.query(
            "SELECT COUNT(*) FROM unmatched_notices WHERE owner = ? AND source = ? AND settled_at IS NULL",
            [notice.owner.sql, .text(notice.source)])[0].integer(0)
        guard open < most else {
            throw PaymentsError(code: .tooManyNotices, reason: "\(open) notices of \(notice.source) wait for a person")
        }
        let inserted = try tx.execute(
            """
            INSERT INTO unmatched_notices (owner, id, source, natural_key, kind, reference, about, currency, amount, evidence, received_at,
                note)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, '') ON CONFLICT DO NOTHING
            """,
            [
                notice.owner.sql, notice.id.sql, .text(notice.source), .text(notice.naturalKey), .text(notice.kind),
                .text(notice.reference), .text(notice.about), notice.amount.map { .text($0.currency.alphabeticCode) } ?? .null,
                notice.amount.map { .integer($0.minorUnits) } ?? .null, .blob(notice.evidence),
                .integer(notice.receivedAt.microseconds),
            ])
        guard inserted == 1 else { return false }
        try tell(kept, of: notice.id, owner: notice.owner, notice.digest, at: notice.receivedAt, linking: links, in: tx)
        return true
    }

    private static func tell(
        _ action: String, of id: TimeOrderedID, owner: MerchantID, _ result: String, by actor: String = "system", at now: Timestamp,
        linking links: AuditChain, in tx: any Transaction
    ) throws {
        try AuditRecords.append(
            to: chain, by: actor, action: action, object: id.description, result: result, at: now, merchant: owner, linking: links, in: tx)
    }

    /// One of the owner's, open or settled.
    public static func find(_ id: TimeOrderedID, owner: MerchantID, in tx: any Transaction) throws -> UnmatchedNotice? {
        try tx.query("SELECT \(columns) FROM unmatched_notices WHERE owner = ? AND id = ?", [owner.sql, id.sql]).first.map(notice)
    }

    /// A source's notice, open or settled.
    public static func find(
        source: String, naturalKey: String, owner: MerchantID, in tx: any Transaction
    ) throws -> UnmatchedNotice? {
        try tx.query(
            "SELECT \(columns) FROM unmatched_notices WHERE owner = ? AND source = ? AND natural_key = ?",
            [owner.sql, .text(source), .text(naturalKey)]
        ).first.map(notice)
    }

    /// The open notices, oldest first.
    public static func open(_ owner: MerchantID, limit: Int, in tx: any Transaction) throws -> [UnmatchedNotice] {
        try tx.query(
            "SELECT \(columns) FROM unmatched_notices WHERE owner = ? AND settled_at IS NULL ORDER BY received_at, id LIMIT ?",
            [owner.sql, .integer(Int64(limit))]
        ).map(notice)
    }

    /// A source's open notices by the time of their coming, `ASC` or `DESC`.
    static func open(
        _ owner: MerchantID, source: String, _ order: String, limit: Int, in tx: any Transaction
    ) throws -> [UnmatchedNotice] {
        try tx.query(
            """
            SELECT \(columns) FROM unmatched_notices WHERE owner = ? AND settled_at IS NULL AND source = ?
            ORDER BY received_at \(order), id \(order) LIMIT ?
            """, [owner.sql, .text(source), .integer(Int64(limit))]
        ).map(notice)
    }

    /// Marks a notice as settled. Returns false where it is not open: whoever settled it first has settled it.
    public static func settle(
        _ id: TimeOrderedID, owner: MerchantID, as settlement: UnmatchedNotice.Settlement, linking links: AuditChain,
        in tx: any Transaction
    ) throws -> Bool {
        let changed = try tx.execute(
            """
            UPDATE unmatched_notices SET way = ?, remark = ?, outcome = ?, people = ?, request = ?, settled_at = ?
            WHERE owner = ? AND id = ? AND settled_at IS NULL
            """,
            [
                .text(settlement.way), .text(settlement.remark), .text(settlement.outcome), .text(settlement.people),
                .text(settlement.request), .integer(settlement.at.microseconds), owner.sql, id.sql,
            ])
        guard changed == 1 else { return false }
        try tell(
            settled, of: id, owner: owner, settlement.digest, by: settlement.people, at: settlement.at, linking: links, in: tx)
        return true
    }

    /// Ends a notice whose message, sent once more, has found its place in the books. Changes nothing where none is open.
    public static func match(
        source: String, naturalKey: String, owner: MerchantID, at now: Timestamp, linking links: AuditChain, in tx: any Transaction
    ) throws {
        let changed = try tx.execute(
            """
            UPDATE unmatched_notices SET way = ?, remark = '', outcome = ?, people = 'system', request = '', settled_at = ?
            WHERE owner = ? AND source = ? AND natural_key = ? AND settled_at IS NULL
            """,
            [
                .text(UnmatchedNotice.matched), .text("a later copy of the message was booked"), .integer(now.microseconds), owner.sql,
                .text(source), .text(naturalKey),
            ])
        guard changed == 1, let notice = try find(source: source, naturalKey: naturalKey, owner: owner, in: tx),
            let settlement = notice.settlement
        else { return }
        try tell(matched, of: notice.id, owner: owner, settlement.digest, at: now, linking: links, in: tx)
    }

    /// Opens a notice again whose settlement had no effect, for example because its counterparty refused what was asked of it.
    public static func reopen(
        _ id: TimeOrderedID, owner: MerchantID, because note: String, at now: Timestamp, linking links: AuditChain, in tx: any Transaction
    ) throws {
        let note = EventDetail.storable(note)
        let changed = try tx.execute(
            """
            UPDATE unmatched_notices SET note = ?, way = NULL, remark = NULL, outcome = NULL, people = NULL, request = NULL,
                settled_at = NULL
            WHERE owner = ? AND id = ? AND settled_at IS NOT NULL
            """, [.text(note), owner.sql, id.sql])
        if changed == 1 { try tell(reopened, of: id, owner: owner, note, at: now, linking: links, in: tx) }
    }

    /// Whether anything is open of an owner: while it is, what its books do not know may be what somebody speaks of.
    public static func holdsOpen(_ owner: MerchantID, in tx: any Transaction) throws -> Bool {
        try !tx.query("SELECT id FROM unmatched_notices WHERE owner = ? AND settled_at IS NULL LIMIT 1", [owner.sql]).isEmpty
    }

    private static func notice(_ row: Row) throws -> UnmatchedNotice {
        var amount: Amount?
        if let currency = try row.optionalText(7), let minorUnits = try row.optionalInteger(8) {
            amount = Amount(minorUnits: minorUnits, currency: try Currency(currency))
        }
        var notice = UnmatchedNotice(
            owner: try MerchantID(row.text(0)), id: try TimeOrderedID(bytes: row.blob(1)), source: try row.text(2), kind: try row.text(4),
            naturalKey: try row.text(3), reference: try row.text(5), about: try row.text(6), amount: amount, evidence: try row.blob(9),
            receivedAt: Timestamp(microseconds: try row.integer(10)))
        notice.note = try row.text(17)
        if let at = try row.optionalInteger(16) {
            notice.settlement = UnmatchedNotice.Settlement(
                way: try row.text(11), remark: try row.text(12), outcome: try row.text(13), people: try row.text(14),
                request: try row.text(15), at: Timestamp(microseconds: at))
        }
        return notice
    }
}
