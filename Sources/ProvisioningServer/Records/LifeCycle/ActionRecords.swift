import BillfoldPayments
import BillfoldServer
package import BillfoldStorage

/// Something that the bank has a network do, and what came of it.
package struct StoredAction: Sendable, Hashable {
    package enum State: String, Sendable, Hashable, CaseIterable {
        /// Not answered yet.
        case waiting
        case done
        /// The network said no; nothing changed.
        case refused
        /// Nobody will try again: whether the network has it is unknown.
        case givenUp = "given-up"
    }

    /// The network drops a second copy by it.
    package var id: TimeOrderedID
    package var network: CardScheme
    package var card: String?
    /// `nil` where the action is about all of the card's tokens.
    package var token: String?
    /// The card's number at the network, as it names it.
    package var primaryAccountIdentifier: String
    /// `nil` where the card has a new number that its tokens are to move to.
    package var action: ProvisioningAction?
    package var reason: ProvisioningActionReason
    /// Who wanted it: an operator, the customer, or `system`.
    package var actor: String
    package var state: State
    /// What the network answered, for operators.
    package var outcome: String?
    package var at: Timestamp
    /// Counts what was asked about one token from 1: the order in which the network is told.
    var place: Int64
    /// The bank's own words.
    var remark: String?

    package var name: String { action?.rawValue ?? "replace" }
}

/// The rows of actions.
package enum ActionRecords {
    static let migration = Migration(
        "tokens-0004-actions",
        [
            """
            CREATE TABLE token_actions (
                id $BLOB NOT NULL PRIMARY KEY, network TEXT NOT NULL, card TEXT, token TEXT, account_identifier TEXT NOT NULL,
                action TEXT, reason TEXT NOT NULL, actor TEXT NOT NULL, state TEXT NOT NULL, outcome TEXT, at BIGINT NOT NULL,
                place BIGINT NOT NULL, settled_at BIGINT)
            """,
            "CREATE INDEX token_actions_by_token ON token_actions (token, place)",
            "CREATE INDEX token_actions_by_card ON token_actions (card)",
        ])

    static let resolutionMigration = Migration(
        "tokens-0011-action-resolutions",
        [
            """
            CREATE TABLE token_action_resolutions (
                action $BLOB NOT NULL PRIMARY KEY, person TEXT NOT NULL, remark TEXT NOT NULL, at BIGINT NOT NULL)
            """,
            "CREATE INDEX token_actions_by_state ON token_actions (state, at)",
        ])

    static let attemptsMigration = Migration(
        "tokens-0014-action-attempts",
        [DeliveryRecords.table("token_action_attempts", owner: "owner"), "ALTER TABLE token_actions ADD COLUMN remark TEXT"])

    /// Every attempt to have a network do an action, under the action's id.
    static let deliveries = DeliveryRecords("token_actions", attempts: "token_action_attempts", owner: "owner")

    private static let columns = "id, network, card, token, account_identifier, action, reason, actor, state, outcome, at, place, remark"

    static func insert(_ row: StoredAction, in tx: any Transaction) throws {
        try tx.execute(
            "INSERT INTO token_actions (\(columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                row.id.sqlValue, .text(row.network.rawValue), .optional(row.card), .optional(row.token),
                .text(row.primaryAccountIdentifier),
                .optional(row.action?.rawValue), .text(row.reason.rawValue), .text(row.actor), .text(row.state.rawValue),
                .optional(row.outcome),
                .integer(row.at.microseconds), .integer(row.place), .optional(row.remark),
            ])
    }

    /// Stores how an action ended. A second ending changes nothing and returns false, except that an answer mends a giving-up.
    static func settle(
        _ id: TimeOrderedID, _ state: StoredAction.State, outcome: String, at now: Timestamp, in tx: any Transaction
    ) throws -> Bool {
        try tx.execute(
            "UPDATE token_actions SET state = ?, outcome = ?, settled_at = ? WHERE id = ? AND state IN ('waiting', 'given-up')",
            [.text(state.rawValue), .text(outcome), .integer(now.microseconds), id.sqlValue]) == 1
    }

    package static func find(_ id: TimeOrderedID, in tx: any Transaction) throws -> StoredAction? {
        try tx.query("SELECT \(columns) FROM token_actions WHERE id = ?", [id.sqlValue]).first.map(read)
    }

    /// The place of the next action on a token. Callers hold the token's turn.
    static func nextPlace(token: String, in tx: any Transaction) throws -> Int64 {
        try tx.query("SELECT COUNT(*) FROM token_actions WHERE token = ?", [.text(token)])[0].integer(0) + 1
    }

    /// What is asked of the network about a token and not answered.
    static func waiting(token: String, in tx: any Transaction) throws -> [StoredAction] {
        try tx.query("SELECT \(columns) FROM token_actions WHERE token = ? AND state = 'waiting' ORDER BY place", [.text(token)]).map(read)
    }

    /// What was asked about a token last, whatever came of it.
    static func last(token: String, in tx: any Transaction) throws -> StoredAction? {
        try tx.query("SELECT \(columns) FROM token_actions WHERE token = ? ORDER BY place DESC LIMIT 1", [.text(token)]).first.map(read)
    }

    /// Stops that the network refused or never answered and that nobody has dealt with, newest first.
    static func failedStops(limit: Int, in tx: any Transaction) throws -> [StoredAction] {
        try tx.query(
            """
            SELECT \(columns) FROM token_actions WHERE state IN ('refused', 'given-up') AND action IN ('suspend', 'delete')
                AND id NOT IN (SELECT action FROM token_action_resolutions)
            ORDER BY at DESC, place DESC LIMIT ?
            """, [.integer(Int64(limit))]
        ).map(read)
    }

    /// Notes that a person has dealt with an action. Returns false when somebody did before.
    static func resolve(_ id: TimeOrderedID, by person: String, remark: String, at now: Timestamp, in tx: any Transaction) throws -> Bool {
        try tx.execute(
            "INSERT INTO token_action_resolutions (action, person, remark, at) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
            [id.sqlValue, .text(person), .text(remark), .integer(now.microseconds)]) == 1
    }

    /// A card's actions, newest first.
    package static func list(card: String, limit: Int = 200, in tx: any Transaction) throws -> [StoredAction] {
        try tx.query(
            "SELECT \(columns) FROM token_actions WHERE card = ? ORDER BY at DESC, place DESC LIMIT ?",
            [.text(card), .integer(Int64(limit))]
        ).map(read)
    }

    private static func read(_ row: Row) throws -> StoredAction {
        StoredAction(
            id: try row.timeOrderedID(0), network: try row.scheme(1), card: try row.optionalText(2), token: try row.optionalText(3),
            primaryAccountIdentifier: try row.text(4), action: try row.optionalText(5).flatMap(ProvisioningAction.init(rawValue:)),
            reason: try row.named(6), actor: try row.text(7), state: try row.named(8), outcome: try row.optionalText(9),
            at: try row.timestamp(10), place: try row.integer(11), remark: try row.optionalText(12))
    }
}
