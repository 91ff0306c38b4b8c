import BillfoldMoney
public import BillfoldStorage

/// Compares what is booked of a source with what would be booked of it: by the same statements that book it.
public enum LedgerCheck {
    /// One entry as it must stand in the ledger.
    public struct Booking: Sendable {
        /// What ``LedgerRecords/booking(_:merchant:source:ordinal:amount:fee:currency:at:)`` makes.
        public var statement: Statement
        /// Whether the instant in it is that of the booking; otherwise the rows do not tell when it was.
        public var isTimed: Bool

        public init(_ statement: Statement, isTimed: Bool = true) {
            self.statement = statement
            self.isTimed = isTimed
        }
    }

    private struct Leg {
        var name: String
        var text: String
        var at: Int64?
    }

    /// - Parameters:
    ///   - bookings: All that must stand in the ledger for the source; a leg without its row is a finding.
    ///   - source: The payment, refund or other row that the postings name as theirs.
    ///   - merchant: The owner under whom the source is booked.
    ///   - tx: The read in which the postings are looked up; it is not written to.
    ///   - findings: Gets what is missing, differs, is unreadable or was not expected.
    ///   - isKnown: Whether a further posting is accounted for by something else.
    public static func compare(
        _ bookings: [Booking], of source: TimeOrderedID, merchant: MerchantID, in tx: any Transaction, _ findings: StoreFindings,
        isKnown: (Posting) throws -> Bool = { _ in false }
    ) throws {
        let key = "\(merchant)/\(source)"
        let postings = try findings.read("ledger_postings", key: key) { try LedgerRecords.postings(of: source, merchant: merchant, in: tx) }
        guard let postings else { return }
        var stored: [String: Posting] = [:]
        for posting in postings { stored["\(posting.template)/\(posting.ordinal)/\(posting.line)"] = posting }
        for leg in try bookings.flatMap(legs) {
            guard let posting = stored.removeValue(forKey: leg.name) else {
                findings.add(.missing, table: "ledger_postings", key: "\(key)/\(leg.name)", expected: leg.text, found: "no row")
                continue
            }
            findings.compare("ledger_postings", key: "\(key)/\(leg.name)", column: "row", expected: leg.text, found: text(posting))
            if let at = leg.at {
                findings.compare("ledger_postings", key: "\(key)/\(leg.name)", column: "at", expected: at, found: posting.at.microseconds)
            }
        }
        for (name, posting) in stored.sorted(by: { $0.key < $1.key }) where try !isKnown(posting) {
            findings.add(.unexpected, table: "ledger_postings", key: "\(key)/\(name)", expected: "what was booked so", found: text(posting))
        }
    }

    /// Reads the statement's values, nine to a leg.
    private static func legs(_ booking: Booking) throws -> [Leg] {
        let values = booking.statement.bindings
        return try stride(from: 0, to: values.count, by: 9).map { start in
            let row = Row(Array(values[start..<min(start + 9, values.count)]))
            return Leg(
                name: "\(try row.text(2))/\(try row.integer(3))/\(try row.integer(4))",
                text: "\(try row.text(5)) \(try row.text(6)) \(try row.integer(7))", at: booking.isTimed ? try row.integer(8) : nil)
        }
    }

    private static func text(_ posting: Posting) -> String {
        "\(posting.account) \(posting.amount.currency) \(posting.amount.minorUnits)"
    }

    /// Tells postings whose source is none of a table's rows.
    ///
    /// - Parameters:
    ///   - templates: Those that book the table's rows.
    ///   - table: The table whose rows the postings' sources must be.
    ///   - column: Where the table keeps that source; never null in a row of it.
    ///   - join: How the table's row, `o`, names its owner, besides its id; nothing where it has none.
    ///   - tx: The read in which the postings are looked for.
    ///   - findings: Gets one finding for each such posting, for at most ``StoreFindings/limit`` of them.
    public static func orphans(
        of templates: [String], _ table: String, id column: String = "id", and join: String = "", in tx: any Transaction,
        _ findings: StoreFindings
    ) throws {
        let names = templates.map { _ in "?" }.joined(separator: ", ")
        let rows = try TableRecords.without(
            table, table: "ledger_postings", columns: ["t.merchant", "t.source", "t.template", "t.ordinal", "t.line", "t.amount"],
            on: "o.\(column) = t.source\(join)", absent: column,
            where: ("t.template IN (\(names))", templates.map(SQLValue.text)), in: tx)
        for row in rows {
            findings.add(
                .unexpected, table: "ledger_postings", key: StoreFindings.key(row.values.prefix(5)),
                expected: "the row of \(table) that it books",
                found: "an amount of \(try row.integer(5))")
        }
    }

    /// Tells postings by templates that the server does not have, or of another owner.
    public static func strangers(
        besides templates: [String], owner: MerchantID? = nil, in tx: any Transaction, _ findings: StoreFindings
    ) throws {
        let names = templates.map { _ in "?" }.joined(separator: ", ")
        let other = owner == nil ? "" : " OR merchant <> ?"
        try TableRecords.each(
            "ledger_postings", key: ["merchant", "source", "template", "ordinal", "line"], columns: ["amount"],
            where: ("template NOT IN (\(names))\(other)", templates.map(SQLValue.text) + (owner.map { [$0.sql] } ?? [])), in: tx
        ) { row in
            findings.add(
                .unexpected, table: "ledger_postings", key: StoreFindings.key(row.values.prefix(5)),
                expected: "an entry of this server's books",
                found: "an amount of \(try row.integer(5))")
        }
    }
}
