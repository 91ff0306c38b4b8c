import BillfoldPayments
import BillfoldStorage
import BillfoldTestSupport
import Testing

@Suite struct AuditRecordsTests {
    @Test(arguments: StoreEngine.available)
    func rowChangedInTheStoreIsNamed(engine: StoreEngine) async throws {
        try await engine.withDatabase { database in
            let fixture = try await Fixture(database)
            let payment = try await fixture.paid()
            #expect(try await fixture.auditVerdict(payment.auditChain) != .broken(sequence: 2))
            try await database.write { tx in
                _ = try tx.execute(
                    "UPDATE audit_rows SET result = ? WHERE chain = ? AND sequence = 2", ["nothing", .text(payment.auditChain)])
            }
            #expect(try await fixture.auditVerdict(payment.auditChain) == .broken(sequence: 2))
        }
    }

    @Test(arguments: StoreEngine.available)
    func concurrentAppendsMakeOneChain(engine: StoreEngine) async throws {
        try await engine.withDatabase { database in
            let fixture = try await Fixture(database)
            let (merchant, links) = (fixture.merchant, fixture.store.audit)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for index in 0..<12 {
                    group.addTask {
                        try await database.write { tx in
                            try AuditRecords.append(
                                to: "operators", by: "ann\n1", action: "look", object: "\(index)", result: "ok",
                                at: Timestamp(microseconds: 1), merchant: merchant, linking: links, in: tx)
                        }
                    }
                }
                try await group.waitForAll()
            }
            guard case .intact(let head) = try await fixture.auditVerdict("operators") else {
                Issue.record("the chain is broken")
                return
            }
            #expect(head.sequence == 12)
        }
    }
}
