import BillfoldMoney
public import BillfoldStorage

/// The rows of orders.
public enum OrderRecords {
    static let migration = Migration(
        "payments-0002-orders",
        [
            """
            CREATE TABLE orders (
                merchant TEXT NOT NULL, id $BLOB NOT NULL, reference TEXT NOT NULL, currency TEXT NOT NULL, amount BIGINT NOT NULL,
                expires_at BIGINT NOT NULL, client_secret $BLOB NOT NULL, application_data $BLOB NOT NULL, detail $BLOB NOT NULL,
                live_payment $BLOB, attempts BIGINT NOT NULL, closed BIGINT NOT NULL, created_at BIGINT NOT NULL,
                PRIMARY KEY (merchant, id), UNIQUE (merchant, reference))
            """
        ])

    /// Stores a new order. A reference that the merchant used before is refused with
    /// ``PaymentsError/Code/referenceTaken``.
    public static func insert(_ order: Order, in tx: any Transaction) throws {
        guard !order.amount.isNegative else {
            throw PaymentsError(code: .invalidAmount, reason: "an order cannot come to a negative amount")
        }
        guard (1...128).contains(order.reference.utf8.count) else {
            throw PaymentsError(code: .malformedIdentifier, reason: "an order's reference is 1 to 128 bytes")
        }
        let inserted = try tx.execute(
            """
            INSERT INTO orders (merchant, id, reference, currency, amount, expires_at, client_secret, application_data, detail,
                attempts, closed, created_at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 0, 0, ?) ON CONFLICT DO NOTHING
            """,
            [
                order.merchant.sql, order.id.sql, .text(order.reference), .text(order.amount.currency.alphabeticCode),
                .integer(order.amount.minorUnits), .integer(order.expiresAt.microseconds), .blob(order.clientSecret.bytes),
                .blob(order.applicationData), .blob(order.detail), .integer(order.createdAt.microseconds),
            ])
        guard inserted == 1 else {
            throw PaymentsError(code: .referenceTaken, reason: "the merchant has used this order reference before")
        }
    }

    /// One of the merchant's; `nil` where there is none of this id.
    public static func find(_ id: TimeOrderedID, merchant: MerchantID, in tx: any Transaction) throws -> Order? {
        try find("id = ?", id.sql, merchant: merchant, in: tx)
    }

    /// Finds an order by the merchant's own number.
    public static func find(reference: String, merchant: MerchantID, in tx: any Transaction) throws -> Order? {
        try find("reference = ?", .text(reference), merchant: merchant, in: tx)
    }

    private static func find(_ condition: String, _ value: SQLValue, merchant: MerchantID, in tx: any Transaction) throws -> Order? {
        try tx.query("SELECT \(columns) FROM orders WHERE merchant = ? AND \(condition)", [merchant.sql, value])
            .first.map { try order($0, merchant: merchant) }
    }

    static let columns = """
        reference, currency, amount, expires_at, client_secret, application_data, detail, live_payment, attempts, closed, created_at, id
        """

    static func order(_ row: Row, merchant: MerchantID) throws -> Order {
        var order = Order(
            merchant: merchant, id: try TimeOrderedID(bytes: row.blob(11)), reference: try row.text(0),
            amount: Amount(minorUnits: try row.integer(2), currency: try Currency(row.text(1))),
            expiresAt: Timestamp(microseconds: try row.integer(3)), clientSecret: KeyedHash(stored: try row.blob(4)),
            applicationData: try row.blob(5), detail: try row.blob(6), createdAt: Timestamp(microseconds: try row.integer(10)))
        order.livePayment = try row.optionalBlob(7).map { try TimeOrderedID(bytes: $0) }
        order.attempts = try row.integer(8)
        order.isClosed = try row.integer(9) != 0
        return order
    }

    /// Closes an order on which no attempt is live. Returns false when one is, or when it was closed already.
    public static func close(_ id: TimeOrderedID, merchant: MerchantID, in tx: any Transaction) throws -> Bool {
        try tx.execute(
            "UPDATE orders SET closed = 1 WHERE merchant = ? AND id = ? AND closed = 0 AND live_payment IS NULL",
            [merchant.sql, id.sql]) == 1
    }

    /// Makes `payment` the order's live attempt. One conditional statement decides, whatever else runs at the same time.
    static func claimAttempt(
        _ payment: Payment, at now: Timestamp, in tx: any Transaction
    ) throws {
        let (order, merchant) = (payment.order, payment.merchant)
        let changed = try tx.execute(
            """
            UPDATE orders SET live_payment = ?, attempts = attempts + 1
            WHERE merchant = ? AND id = ? AND live_payment IS NULL AND closed = 0 AND expires_at > ? AND currency = ?
            """,
            [
                payment.id.sql, merchant.sql, order.sql, .integer(now.microseconds), .text(payment.currency.alphabeticCode),
            ])
        if changed == 1 { return }
        guard let found = try find(order, merchant: merchant, in: tx) else {
            throw PaymentsError(code: .orderNotFound, reason: "the merchant has no such order")
        }
        guard found.amount.currency == payment.currency else {
            throw PaymentsError(code: .invalidAmount, reason: "the order is in \(found.amount.currency), not \(payment.currency)")
        }
        if let live = found.livePayment {
            let hasPaid = try PaymentRecords.find(live, merchant: merchant, in: tx)?.state.isSettled == true
            throw PaymentsError(
                code: .attemptInProgress,
                reason: hasPaid ? "an earlier attempt has paid the order" : "an earlier attempt is neither failed nor reversed")
        }
        throw PaymentsError(code: .orderClosed, reason: found.isClosed ? "the order is closed" : "the order has expired")
    }

    /// Lets another attempt begin, unless an earlier one has taken or may take money: then that one is the live attempt.
    ///
    /// The first statement waits for whoever changes the order, so that the second sees what they stored.
    static func release(_ payment: TimeOrderedID, order: TimeOrderedID, merchant: MerchantID) -> [Statement] {
        let key: [SQLValue] = [merchant.sql, order.sql, payment.sql]
        return [
            Statement("UPDATE orders SET attempts = attempts WHERE merchant = ? AND id = ? AND live_payment = ?", key),
            Statement(
                """
                UPDATE orders SET live_payment = (
                    SELECT id FROM payments
                    WHERE merchant = ? AND order_id = ? AND id <> ? AND state NOT IN (\(Self.ended)) ORDER BY id LIMIT 1)
                WHERE merchant = ? AND id = ? AND live_payment = ?
                """, key + key),
        ]
    }

    /// The states that allow another attempt, as SQL text.
    private static let ended = PaymentState.allCases.filter(\.allowsAnotherAttempt).map { "'\($0.rawValue)'" }.joined(separator: ", ")

    /// Counts an attempt whose payment was lost with the order's claim to it.
    static func countAttempt(order: TimeOrderedID, merchant: MerchantID) -> Statement {
        Statement("UPDATE orders SET attempts = attempts + 1 WHERE merchant = ? AND id = ?", [merchant.sql, order.sql])
    }

    /// Puts a late success back in its place. Returns false when another attempt is live: the shopper may have paid twice.
    ///
    /// It changes the row in any case: whoever releases the other attempt meanwhile must come before or after.
    static func reclaim(_ payment: TimeOrderedID, order: TimeOrderedID, merchant: MerchantID, in tx: any Transaction) throws -> Bool {
        try tx.execute(
            "UPDATE orders SET live_payment = COALESCE(live_payment, ?) WHERE merchant = ? AND id = ?",
            [payment.sql, merchant.sql, order.sql])
        return try tx.query(
            "SELECT id FROM orders WHERE merchant = ? AND id = ? AND live_payment = ?", [merchant.sql, order.sql, payment.sql]
        ).isEmpty == false
    }
}
