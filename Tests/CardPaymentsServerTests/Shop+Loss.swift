import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import CardPaymentsServer

extension Shop {
    private static let tables = [
        "orders", "payments", "modifications", "card_tokens", "idempotency_keys", "outbox", "deadlines", "audit_rows", "ledger_postings",
        "payment_alarms", "unmatched_notices", "card_pushed_orders",
    ]

    /// Remembers the store as it is: what a standby that lags behind has, or a backup.
    func remember() async throws {
        try await database.write { tx in
            for table in Self.tables { try tx.execute("CREATE TABLE old_\(table) AS SELECT * FROM \(table)") }
        }
    }

    /// Puts the store back to what was remembered: everything since is lost.
    func lose() async throws {
        try await database.write { tx in
            for table in Self.tables {
                try tx.execute("DELETE FROM \(table)")
                try tx.execute("INSERT INTO \(table) SELECT * FROM old_\(table)")
            }
        }
    }

    /// What `db check` finds.
    func findings() async throws -> [String] {
        // The operators' tables are compared as well.
        _ = try await people()
        return try await database.read { tx in
            let findings = StoreFindings()
            try CardPaymentsServer.check(links: nil).run(in: tx, findings)
            return findings.list.map { "\($0.code) \($0.table) \($0.key): \($0.expected) / \($0.found)" }
        }
    }
}
