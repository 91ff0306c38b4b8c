import BillfoldMoney
import BillfoldPayments
import BillfoldStorage
import BillfoldTestSupport
import Testing

@Suite struct LedgerRecordsTests {
    /// One line per step: what happens to which payment, then the balances that must follow (receivable, sales, refunds, fees).
    static let table = """
        pay     a 3300    3300 -3300    0    0
        pay     b 1000    4300 -4300    0    0
        refund  a  300    4000 -4300  300    0
        refund  a 3000    1000 -4300 3300    0
        void    b 1000       0 -3300 3300    0
        pay     c    1       1 -3301 3300    0
        fee     c    1       0 -3301 3300    1
        """.split(separator: "\n").map { $0.split(separator: " ", omittingEmptySubsequences: true).map(String.init) }

    @Test(arguments: StoreEngine.available)
    func balancesFollowTheTable(engine: StoreEngine) async throws {
        try await engine.withDatabase { database in
            let fixture = try await Fixture(database)
            var payments: [String: Payment] = [:]
            for row in Self.table {
                let minorUnits = try #require(Int64(row[2]))
                switch row[0] {
                case "pay": payments[row[1]] = try await fixture.paid(minorUnits)
                case "fee":
                    let payment = try #require(payments[row[1]])
                    try await database.write { tx in
                        let booking = try LedgerRecords.booking(
                            PaymentBooks(acquirer: "unionpay").fee, merchant: payment.merchant, source: payment.id, amount: 0,
                            fee: minorUnits, currency: payment.currency, at: payment.createdAt)
                        try tx.execute(booking.sql, booking.bindings)
                    }
                default:
                    let kind: Modification.Kind = row[0] == "void" ? .void : .refund
                    let payment = try #require(payments[row[1]])
                    try await fixture.apply(.succeeded, to: fixture.begin(kind, of: payment, minorUnits: minorUnits))
                }
                let balances = [
                    try await fixture.balance(.receivable(from: "unionpay")), try await fixture.balance(.sales),
                    try await fixture.balance(.refunds), try await fixture.balance(.acquirerFees),
                ]
                #expect(balances.map(String.init) == Array(row[3...]), "after \(row.prefix(3))")
                #expect(try await fixture.imbalances().isEmpty)
            }
        }
    }

    @Test(arguments: StoreEngine.available)
    func sameFactCannotBeBookedTwice(engine: StoreEngine) async throws {
        try await engine.withDatabase { database in
            let fixture = try await Fixture(database)
            let payment = try await fixture.paid()
            let booking = try LedgerRecords.booking(
                fixture.store.books.capture, merchant: payment.merchant, source: payment.id, amount: 3300, currency: payment.currency,
                at: payment.createdAt)
            await #expect { try await database.write { tx in _ = try tx.execute(booking.sql, booking.bindings) } } throws: {
                ($0 as? StorageError)?.code == .uniqueViolation
            }
        }
    }

    @Test(arguments: StoreEngine.available)
    func postingOutsideATemplateShowsInTheTrialBalance(engine: StoreEngine) async throws {
        try await engine.withDatabase { database in
            let fixture = try await Fixture(database)
            _ = try await fixture.paid()
            try await database.write { tx in
                _ = try tx.execute("UPDATE ledger_postings SET amount = amount + 1 WHERE account = ?", [.text("sales")])
            }
            #expect(try await fixture.imbalances() == [fixture.amount(1)])
        }
    }

    @Test(arguments: StoreEngine.available)
    func booksOfTwoMerchantsStayApart(engine: StoreEngine) async throws {
        try await engine.withDatabase { database in
            let fixture = try await Fixture(database)
            _ = try await fixture.paid()
            let other = try MerchantID("other")
            let accounts = try await database.read { tx in try LedgerRecords.trialBalance(other, in: tx).accounts }
            #expect(accounts.isEmpty)
        }
    }
}
