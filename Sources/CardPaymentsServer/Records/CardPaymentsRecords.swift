package import BillfoldPayments
package import BillfoldStorage
import UnionPay

/// The rows that only this server has: API keys, used tokens, and what a settlement file said.
package enum CardPaymentsRecords {
    // MARK: API keys

    static func insert(apiKey hash: KeyedHash, merchant: MerchantID, label: String, at now: Timestamp, in tx: any Transaction) throws {
        try tx.execute(
            "INSERT INTO card_api_keys (key_hash, merchant, label, created_at) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
            [.blob(hash.bytes), .text(merchant.description), .text(label), .integer(now.microseconds)])
    }

    static func revoke(apiKey hash: KeyedHash, at now: Timestamp, in tx: any Transaction) throws -> Bool {
        try tx.execute(
            "UPDATE card_api_keys SET revoked_at = ? WHERE key_hash = ? AND revoked_at IS NULL",
            [.integer(now.microseconds), .blob(hash.bytes)]) == 1
    }

    static func revokeAPIKeys(label: String, merchant: MerchantID, at now: Timestamp, in tx: any Transaction) throws -> Int {
        try tx.execute(
            "UPDATE card_api_keys SET revoked_at = ? WHERE merchant = ? AND label = ? AND revoked_at IS NULL",
            [.integer(now.microseconds), .text(merchant.description), .text(label)])
    }

    static func merchant(apiKey hash: KeyedHash, in tx: any Transaction) throws -> MerchantID? {
        try tx.query("SELECT merchant FROM card_api_keys WHERE key_hash = ? AND revoked_at IS NULL", [.blob(hash.bytes)])
            .first.map { try MerchantID($0.text(0)) }
    }

    static func hasEnded(apiKey hash: KeyedHash, in tx: any Transaction) throws -> Bool {
        try !tx.query("SELECT merchant FROM card_api_keys WHERE key_hash = ? AND revoked_at IS NOT NULL", [.blob(hash.bytes)]).isEmpty
    }

    /// Whoever has or had a key.
    static func merchantsWithKeys(in tx: any Transaction) throws -> [MerchantID] {
        try tx.query("SELECT DISTINCT merchant FROM card_api_keys").map { try MerchantID($0.text(0)) }
    }

    // MARK: Tokens

    /// A token that was used, and for what.
    struct UsedToken: Sendable, Hashable {
        var payment: TimeOrderedID
        var order: TimeOrderedID
        var fingerprint: [UInt8]
    }

    /// Marks a token as used, for ever. Returns false when it was used before.
    static func use(
        _ transactionIdentifier: String, merchant: MerchantID, by use: UsedToken, at now: Timestamp, in tx: any Transaction
    ) throws -> Bool {
        try tx.execute(
            """
            INSERT INTO card_tokens (merchant, transaction_id, payment, order_id, fingerprint, at) VALUES (?, ?, ?, ?, ?, ?)
            ON CONFLICT DO NOTHING
            """,
            [
                .text(merchant.description), .text(transactionIdentifier.lowercased()), use.payment.sqlValue, use.order.sqlValue,
                .blob(use.fingerprint), .integer(now.microseconds),
            ]) == 1
    }

    static func usedToken(_ transactionIdentifier: String, merchant: MerchantID, in tx: any Transaction) throws -> UsedToken? {
        try usedToken("transaction_id = ?", binding: .text(transactionIdentifier.lowercased()), merchant: merchant, in: tx)
    }

    /// The token of a payment. Without an index: for checks.
    static func usedToken(by payment: TimeOrderedID, merchant: MerchantID, in tx: any Transaction) throws -> UsedToken? {
        try usedToken("payment = ?", binding: payment.sqlValue, merchant: merchant, in: tx)
    }

    private static func usedToken(
        _ condition: String, binding value: SQLValue, merchant: MerchantID, in tx: any Transaction
    ) throws -> UsedToken? {
        try tx.query(
            "SELECT payment, order_id, fingerprint FROM card_tokens WHERE merchant = ? AND \(condition)",
            [.text(merchant.description), value]
        ).first.map { row in
            UsedToken(payment: try row.timeOrderedID(0), order: try row.timeOrderedID(1), fingerprint: try row.blob(2))
        }
    }

    // MARK: Pushed orders

    /// Keeps the number of a payment that was pushed. The first stays.
    static func keep(
        number: TransactionNumber, of payment: TimeOrderedID, merchant: MerchantID, at now: Timestamp, in tx: any Transaction
    ) throws {
        try tx.execute(
            "INSERT INTO card_pushed_orders (merchant, payment, number, at) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
            [.text(merchant.description), payment.sqlValue, .text(number.description), .integer(now.microseconds)])
    }

    static func number(of payment: TimeOrderedID, merchant: MerchantID, in tx: any Transaction) throws -> TransactionNumber? {
        try tx.query(
            "SELECT number FROM card_pushed_orders WHERE merchant = ? AND payment = ?", [.text(merchant.description), payment.sqlValue]
        ).first.map { try TransactionNumber($0.text(0)) }
    }

    // MARK: Reconciliation

    static func replace(
        _ rows: [ReconciliationRow], day: String, merchant: MerchantID, at now: Timestamp, in tx: any Transaction
    ) throws {
        try tx.execute(
            "DELETE FROM card_reconciliation WHERE merchant = ? AND settlement_day = ?", [.text(merchant.description), .text(day)])
        try tx.executeBatch(
            rows.enumerated().map { line, row in
                Statement(
                    """
                    INSERT INTO card_reconciliation (merchant, settlement_day, line, class, kind, subject, acquirer_reference,
                        acquirer_order, booked, filed, fee, at)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                    """,
                    [
                        .text(merchant.description), .text(day), .integer(Int64(line)), .text(row.class.rawValue), .text(row.kind),
                        .optional(row.subject), .optional(row.acquirerReference),
                        .optional(row.acquirerOrder), row.booked.map(SQLValue.integer) ?? .null,
                        row.filed.map(SQLValue.integer) ?? .null, row.fee.map(SQLValue.integer) ?? .null, .integer(now.microseconds),
                    ])
            })
    }

    /// What the last comparison of a day, `yyyyMMdd`, said.
    package static func reconciliation(
        day: String, merchant: BillfoldPayments.MerchantID, in tx: any Transaction
    ) throws -> [ReconciliationRow] {
        try tx.query(
            "SELECT \(reconciliationColumns) FROM card_reconciliation WHERE merchant = ? AND settlement_day = ? ORDER BY line",
            [.text(merchant.description), .text(day)]
        ).map(reconciliationRow)
    }

    /// The lines of all days that do not fit the books, the day compared last first.
    static func mismatches(limit: Int, merchant: MerchantID, in tx: any Transaction) throws -> [(day: String, row: ReconciliationRow)] {
        try tx.query(
            """
            SELECT \(reconciliationColumns), settlement_day FROM card_reconciliation WHERE merchant = ? AND class <> ?
            ORDER BY at DESC, settlement_day, line LIMIT ?
            """, [.text(merchant.description), .text(ReconciliationRow.Class.matched.rawValue), .integer(Int64(limit))]
        ).map { (try $0.text(8), try reconciliationRow($0)) }
    }

    private static let reconciliationColumns = "class, kind, subject, acquirer_reference, acquirer_order, booked, filed, fee"

    private static func reconciliationRow(_ row: Row) throws -> ReconciliationRow {
        guard let kind = ReconciliationRow.Class(rawValue: try row.text(0)) else {
            throw StorageError(code: .unexpectedValue, reason: "a reconciliation class is unknown")
        }
        return ReconciliationRow(
            class: kind, kind: try row.text(1), subject: try row.optionalText(2), acquirerReference: try row.optionalText(3),
            acquirerOrder: try row.optionalText(4), booked: try row.optionalInteger(5), filed: try row.optionalInteger(6),
            fee: try row.optionalInteger(7))
    }
}

/// One line of a day's comparison between our books and the acquirer's file; amounts in minor units.
package struct ReconciliationRow: Sendable, Hashable {
    package enum Class: String, Sendable, Hashable, CaseIterable {
        case matched
        case amountDiffers = "amount-differs"
        case feeDiffers = "fee-differs"
        /// We booked it and the file does not have it.
        case oursOnly = "ours-only"
        /// Money moved that we did not book.
        case theirsOnly = "theirs-only"
        /// A confirmed reversal, and the money was taken all the same.
        case reversedButSettled = "reversed-but-settled"
        /// A line of the acquirer's error file: what a dispute or a correction ends in.
        case adjustment

        /// What the payment itself is marked with.
        var alarm: PaymentTransition.Alarm? {
            switch self {
            case .amountDiffers: .amountDiffers
            case .reversedButSettled: .reversedButSettled
            case .matched, .feeDiffers, .oursOnly, .theirsOnly, .adjustment: nil
            }
        }
    }

    package var `class`: Class
    /// `payment`, `refund`, `void` or `adjustment`.
    package var kind: String
    /// Our id, where we know the transaction.
    package var subject: String?
    package var acquirerReference: String?
    package var acquirerOrder: String?
    package var booked: Int64?
    package var filed: Int64?
    package var fee: Int64?
}
