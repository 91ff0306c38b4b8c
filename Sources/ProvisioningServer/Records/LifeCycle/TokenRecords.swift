import BillfoldPayments
package import BillfoldStorage

/// A number in a device that stands for a card, as the network told it.
package struct StoredToken: Sendable, Hashable {
    /// The network's name for it; no number.
    package var reference: String
    package var network: CardScheme
    /// `nil` for a token that belongs to no card we know.
    package var card: String?
    package var primaryAccountIdentifier: String
    /// `nil` where the network did not tell it.
    package var device: DecisionInputs.Device?
    /// The last digits of the device's number.
    package var deviceAccountSuffix: String?
    /// The network's name for the wallet, as the decision about the token had it; `nil` where there was none.
    package var requestor: String? = nil
    package var snapshot: TokenSnapshot
    package var createdAt: Timestamp
    package var changedAt: Timestamp
}

/// The rows of tokens and of the networks' messages about them.
package enum TokenRecords {
    static let migration = Migration(
        "tokens-0003-tokens",
        [
            """
            CREATE TABLE tokens (
                reference TEXT NOT NULL PRIMARY KEY, network TEXT NOT NULL, card TEXT, account_identifier TEXT NOT NULL,
                secure_element TEXT, device_kind TEXT, device_name TEXT, device_suffix TEXT, state TEXT NOT NULL,
                suspended_by TEXT NOT NULL, sequence BIGINT NOT NULL, created_at BIGINT NOT NULL,
                changed_at BIGINT NOT NULL)
            """,
            "CREATE INDEX tokens_by_card ON tokens (card)",
            "CREATE INDEX tokens_by_account ON tokens (account_identifier)",
            "CREATE INDEX tokens_by_secure_element ON tokens (secure_element)",
            """
            CREATE TABLE token_events (
                network TEXT NOT NULL, event_id TEXT NOT NULL, token TEXT NOT NULL, kind TEXT NOT NULL, code TEXT, reason TEXT,
                sequence BIGINT NOT NULL, fingerprint $BLOB NOT NULL, effect TEXT NOT NULL, occurred_at BIGINT NOT NULL,
                at BIGINT NOT NULL, PRIMARY KEY (network, event_id))
            """,
            "CREATE INDEX token_events_by_token ON token_events (token, sequence)",
            // What is asked about one token, or decided about one card, waits for its turn here.
            "CREATE TABLE token_turns (subject TEXT NOT NULL PRIMARY KEY, turn BIGINT NOT NULL)",
        ])

    static let listMigration = Migration(
        "tokens-0013-lists",
        [
            "ALTER TABLE tokens ADD COLUMN requestor TEXT", "CREATE INDEX tokens_by_age ON tokens (created_at, reference)",
            "CREATE INDEX tokens_by_change ON tokens (changed_at)",
        ])

    private static let columns = """
        reference, network, card, account_identifier, secure_element, device_kind, device_name, device_suffix, state, suspended_by,
        sequence, created_at, changed_at, requestor
        """

    /// What a list of tokens is narrowed by; everything that is named has to fit.
    struct Filter: Sendable, Hashable {
        var card: String?
        var customer: String?
        var state: TokenState?
        var network: CardScheme?
        var secureElement: String?
        /// What the bank holds it suspended for.
        var cause: SuspensionCause?
        /// Changed then or later.
        var changedFrom: Timestamp?
        /// The networks' names for a wallet; empty for every wallet.
        var requestors: [String] = []
    }

    /// Tokens, newest first, deleted ones included.
    ///
    /// - Parameters:
    ///   - filter: Which.
    ///   - position: The instant and reference of the row behind which to begin.
    ///   - limit: How many at most.
    ///   - tx: Where they are read.
    static func list(_ filter: Filter, after position: [SQLValue]?, limit: Int, in tx: any Transaction) throws -> [StoredToken] {
        var conditions: [String] = []
        var bindings: [SQLValue] = []
        func narrow(_ condition: String, _ values: [SQLValue]) {
            conditions.append(condition)
            bindings += values
        }
        if let card = filter.card { narrow("card = ?", [.text(card)]) }
        if let customer = filter.customer {
            narrow("card IN (SELECT id FROM provisioning_cards WHERE customer = ?)", [.text(customer)])
        }
        if let state = filter.state { narrow("state = ?", [.text(state.rawValue)]) }
        if let network = filter.network { narrow("network = ?", [.text(network.rawValue)]) }
        if let element = filter.secureElement { narrow("secure_element = ?", [.text(element)]) }
        if let cause = filter.cause {
            narrow("reference IN (SELECT token FROM token_suspensions WHERE cause = ?)", [.text(cause.rawValue)])
        }
        if let instant = filter.changedFrom { narrow("changed_at >= ?", [.integer(instant.microseconds)]) }
        if !filter.requestors.isEmpty {
            narrow("requestor IN (\(filter.requestors.map { _ in "?" }.joined(separator: ", ")))", filter.requestors.map { .text($0) })
        }
        if let position { narrow("(created_at, reference) < (?, ?)", position) }
        return try tx.query(
            """
            SELECT \(columns) FROM tokens \(conditions.isEmpty ? "" : "WHERE " + conditions.joined(separator: " AND "))
            ORDER BY created_at DESC, reference DESC LIMIT ?
            """, bindings + [.integer(Int64(limit))]
        ).map(read)
    }

    /// Makes whoever else takes the subject's turn wait until this transaction ends, so that what is counted or queued for it is
    /// counted and queued one at a time.
    static func takeTurn(_ subject: String, in tx: any Transaction) throws {
        try tx.execute("INSERT INTO token_turns (subject, turn) VALUES (?, 0) ON CONFLICT DO NOTHING", [.text(subject)])
        try tx.execute("UPDATE token_turns SET turn = turn + 1 WHERE subject = ?", [.text(subject)])
    }

    package static func find(_ reference: String, in tx: any Transaction) throws -> StoredToken? {
        try tx.query("SELECT \(columns) FROM tokens WHERE reference = ?", [.text(reference)]).first.map(read)
    }

    /// A card's tokens, newest first, deleted ones included.
    package static func list(card: String, in tx: any Transaction) throws -> [StoredToken] {
        try tx.query("SELECT \(columns) FROM tokens WHERE card = ? ORDER BY created_at DESC, reference", [.text(card)]).map(read)
    }

    static func list(network: CardScheme, in tx: any Transaction) throws -> [StoredToken] {
        try tx.query("SELECT \(columns) FROM tokens WHERE network = ? ORDER BY reference", [.text(network.rawValue)]).map(read)
    }

    /// The tokens in one device that are not deleted.
    static func list(secureElement: String, in tx: any Transaction) throws -> [StoredToken] {
        try tx.query(
            "SELECT \(columns) FROM tokens WHERE secure_element = ? AND state <> 'deleted' ORDER BY reference", [.text(secureElement)]
        ).map(read)
    }

    /// Stores that a message came. Returns false when one of that id came before.
    static func insert(
        _ event: TokenEvent, from network: CardScheme, fingerprint: RequestFingerprint, at now: Timestamp, in tx: any Transaction
    ) throws -> Bool {
        try tx.execute(
            """
            INSERT INTO token_events (network, event_id, token, kind, code, reason, sequence, fingerprint, effect, occurred_at, at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, '', ?, ?) ON CONFLICT DO NOTHING
            """,
            [
                .text(network.rawValue), .text(event.id), .text(event.told.reference), .text(event.kind.rawValue),
                .optional(event.code), .optional(event.reason), .integer(event.told.snapshot.sequence),
                .blob(fingerprint.bytes), .integer(event.occurredAt.microseconds), .integer(now.microseconds),
            ]) == 1
    }

    /// Whether the message of that id was this one.
    static func isSame(
        event id: String, from network: CardScheme, as fingerprint: RequestFingerprint, in tx: any Transaction
    ) throws -> Bool {
        try tx.query(
            "SELECT fingerprint FROM token_events WHERE network = ? AND event_id = ?", [.text(network.rawValue), .text(id)]
        ).first?.blob(0) == fingerprint.bytes
    }

    static func note(
        _ effect: TokenTransition.Effect, ofEvent id: String, from network: CardScheme, in tx: any Transaction
    ) throws {
        try tx.execute(
            "UPDATE token_events SET effect = ? WHERE network = ? AND event_id = ?",
            [.text(effect.rawValue), .text(network.rawValue), .text(id)])
    }

    /// How many tokens stand for each card that are not deleted.
    package static func counts(in tx: any Transaction) throws -> [String: Int] {
        let rows = try tx.query("SELECT card, COUNT(*) FROM tokens WHERE card IS NOT NULL AND state <> 'deleted' GROUP BY card")
        return Dictionary(try rows.map { (try $0.text(0), Int(try $0.integer(1))) }) { first, _ in first }
    }

    /// The card's tokens that are not deleted, outside one secure element.
    static func count(card: String, outside secureElement: String, in tx: any Transaction) throws -> Int {
        let row = try tx.query(
            """
            SELECT COUNT(*) FROM tokens
            WHERE card = ? AND state <> 'deleted' AND (secure_element IS NULL OR secure_element <> ?)
            """, [.text(card), .text(secureElement)])[0]
        return Int(try row.integer(0))
    }

    /// Callers hold the token's turn.
    static func insert(_ token: StoredToken, in tx: any Transaction) throws {
        try tx.execute(
            "INSERT INTO tokens (\(columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [.text(token.reference), .text(token.network.rawValue)] + changing(token) + [
                .integer(token.createdAt.microseconds), .integer(token.changedAt.microseconds), .optional(token.requestor),
            ])
    }

    /// Callers hold the token's turn.
    static func update(_ token: StoredToken, in tx: any Transaction) throws {
        try tx.execute(
            """
            UPDATE tokens SET card = ?, account_identifier = ?, secure_element = ?, device_kind = ?, device_name = ?, device_suffix = ?,
                state = ?, suspended_by = ?, sequence = ?, changed_at = ?, requestor = ?
            WHERE reference = ?
            """, changing(token) + [.integer(token.changedAt.microseconds), .optional(token.requestor), .text(token.reference)])
    }

    private static func changing(_ token: StoredToken) -> [SQLValue] {
        return [
            .optional(token.card), .text(token.primaryAccountIdentifier), .optional(token.device?.secureElement),
            .optional(token.device?.kind.rawValue),
            .optional(token.device?.name), .optional(token.deviceAccountSuffix), .text(token.snapshot.state.rawValue),
            .text(token.snapshot.suspendedBy.sorted().map(\.rawValue).joined(separator: " ")), .integer(token.snapshot.sequence),
        ]
    }

    private static func read(_ row: Row) throws -> StoredToken {
        let device = try row.optionalText(4).map {
            DecisionInputs.Device(secureElement: $0, kind: try row.named(5), name: try row.text(6))
        }
        return StoredToken(
            reference: try row.text(0), network: try row.scheme(1), card: try row.optionalText(2),
            primaryAccountIdentifier: try row.text(3), device: device, deviceAccountSuffix: try row.optionalText(7),
            requestor: try row.optionalText(13),
            snapshot: TokenSnapshot(
                sequence: try row.integer(10), state: try row.named(8),
                suspendedBy: Set(try row.text(9).split(separator: " ").map { Suspender(rawValue: String($0)) })),
            createdAt: try row.timestamp(11), changedAt: try row.timestamp(12))
    }
}
