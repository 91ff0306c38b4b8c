import BillfoldJSON
import BillfoldMoney
import BillfoldPayments
import BillfoldStorage

/// The rows of checkouts. Each change is one statement that names the state it leaves.
enum CheckoutRecords {
    static let migration = Migration(
        "wallet-0006-checkouts",
        [
            """
            CREATE TABLE wallet_checkouts (
                id $BLOB NOT NULL PRIMARY KEY, token_hash $BLOB NOT NULL UNIQUE, channel TEXT NOT NULL, scheme TEXT, language TEXT,
                summary $BLOB NOT NULL, state TEXT NOT NULL, account $BLOB, trade TEXT, payable BIGINT NOT NULL, currency TEXT NOT NULL,
                hold $BLOB, result $BLOB, created_at BIGINT NOT NULL, expires_at BIGINT NOT NULL)
            """
        ])

    private static let columns =
        "id, channel, scheme, language, summary, state, account, trade, payable, currency, hold, result, created_at, expires_at"

    static func insert(_ checkout: Checkout, token: KeyedHash, in tx: any Transaction) throws {
        try tx.execute(
            """
            INSERT INTO wallet_checkouts (id, token_hash, channel, scheme, language, summary, state, payable, currency, result,
                created_at, expires_at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING
            """,
            [
                checkout.id.sqlValue, .blob(token.bytes), .text(checkout.channel.rawValue), .optional(checkout.scheme),
                checkout.language.map { .text($0.rawValue) } ?? .null, .blob(try JSONDocument.encode(checkout.order)),
                .text(checkout.state.rawValue), .integer(checkout.payable.minorUnits),
                .text(checkout.payable.currency.alphabeticCode), try checkout.result.map { .blob(try JSONDocument.encode($0)) } ?? .null,
                .integer(checkout.createdAt.microseconds), .integer(checkout.expiresAt.microseconds),
            ])
    }

    static func find(token: KeyedHash, in tx: any Transaction) throws -> Checkout? {
        try tx.query("SELECT \(columns) FROM wallet_checkouts WHERE token_hash = ?", [.blob(token.bytes)]).first.map(read)
    }

    static func find(_ id: TimeOrderedID, in tx: any Transaction) throws -> Checkout? {
        try tx.query("SELECT \(columns) FROM wallet_checkouts WHERE id = ?", [id.sqlValue]).first.map(read)
    }

    /// Keeps who pays and what. Returns false when the checkout is not open, or another customer's.
    static func begin(
        _ id: TimeOrderedID, account: TimeOrderedID, trade: String, payable: Amount, in tx: any Transaction
    ) throws -> Bool {
        try tx.execute(
            """
            UPDATE wallet_checkouts SET account = ?, trade = ?, payable = ?, currency = ?
            WHERE id = ? AND state = 'open' AND (account IS NULL OR account = ?)
            """,
            [
                account.sqlValue, .text(trade), .integer(payable.minorUnits), .text(payable.currency.alphabeticCode), id.sqlValue,
                account.sqlValue,
            ]) == 1
    }

    /// Returns false when the checkout is not open any more, or not this customer's.
    static func submit(_ id: TimeOrderedID, account: TimeOrderedID, hold: TimeOrderedID, in tx: any Transaction) throws -> Bool {
        try tx.execute(
            "UPDATE wallet_checkouts SET state = 'submitted', hold = ? WHERE id = ? AND state = 'open' AND account = ?",
            [hold.sqlValue, id.sqlValue, account.sqlValue]) == 1
    }

    /// Returns false when the checkout is not in a state that the event ends: its result, if it has one, stays.
    @discardableResult
    static func end(
        _ id: TimeOrderedID, by event: CheckoutState.Event, _ result: ClientResult, in tx: any Transaction
    ) throws -> Bool {
        let states = CheckoutState.allCases.filter { $0.apply(event) == .ended }
        return try tx.execute(
            """
            UPDATE wallet_checkouts SET state = 'ended', result = ?
            WHERE id = ? AND state IN (\(states.map { _ in "?" }.joined(separator: ", ")))
            """, [.blob(try JSONDocument.encode(result)), id.sqlValue] + states.map { .text($0.rawValue) }) == 1
    }

    /// Keeps what the client may be told by now of a checkout that has ended.
    static func learn(_ id: TimeOrderedID, _ result: ClientResult, in tx: any Transaction) throws {
        try tx.execute(
            "UPDATE wallet_checkouts SET result = ? WHERE id = ? AND state = 'ended'",
            [.blob(try JSONDocument.encode(result)), id.sqlValue])
    }

    private static func read(_ row: Row) throws -> Checkout {
        Checkout(
            id: try row.timeOrderedID(0), channel: try row.named(1), scheme: try row.optionalText(2),
            language: try row.optionalText(3).flatMap(WalletLanguage.init(rawValue:)),
            order: try JSONDocument.decode(OrderSummary.self, row.blob(4)), state: try row.named(5), account: try row.optionalID(6),
            trade: try row.optionalText(7), payable: Amount(minorUnits: try row.integer(8), currency: try Currency(row.text(9))),
            hold: try row.optionalID(10),
            result: try row.optionalBlob(11).map { try JSONDocument.decode(ClientResult.self, $0) }, createdAt: try row.timestamp(12),
            expiresAt: try row.timestamp(13))
    }
}
