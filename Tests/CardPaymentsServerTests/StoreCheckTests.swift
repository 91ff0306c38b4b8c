import BillfoldArchive
import BillfoldMoney
import BillfoldPayments
import BillfoldServer
import BillfoldServerTestSupport
import BillfoldStorage
import BillfoldTestSupport
import CardPaymentsServer
import Crypto
import Foundation
import HTTPTypes
import Logging
import Testing
import UnionPay

/// A store that the server has made is sound, and no row of it can be changed, left out or added without being found.
@Suite struct StoreCheckTests {
    private static let links = AuditChain(key: SymmetricKey(data: [UInt8](repeating: 1, count: 32)))

    private static func found(_ tx: any Transaction) throws -> [String] { try compared(tx, links) }
    private static func foundWithoutKey(_ tx: any Transaction) throws -> [String] { try compared(tx, nil) }

    private static func compared(_ tx: any Transaction, _ links: AuditChain?) throws -> [String] {
        let findings = StoreFindings()
        try CardPaymentsServer.check(links: links).run(in: tx, findings)
        return findings.list.map { "\($0.code) \($0.table) \($0.key): \($0.expected) / \($0.found)" }
    }

    /// What a day brings: payments that succeed, fail and stay unknown, refunds of every ending, a void, a reversal, fees and alarms;
    /// and three notices about charges that the books do not know, of which two persons settle two.
    private func liveADay(_ shop: Shop) async throws {
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        try await MigrationRunner(OperatorRecords.migrations, clock: shop.clock, logger: logger).run(on: shop.database)
        _ = try await shop.place(reference: "unpaid")
        // Refunded in part, with one refund refused by the acquirer, one by the books, and one that is under way.
        let first = try await shop.pay(shop.place(reference: "refunded"), key: "pay-refunded")
        _ = try await shop.notify(about: .consume)
        _ = try await shop.refund(first.paymentID, "10.00", key: "r1")
        _ = try await shop.notify(about: .refund)
        shop.acquirer.script { $0.refundCode = "35" }
        _ = try await shop.refund(first.paymentID, "5.00", key: "r2")
        shop.acquirer.script { $0.refundCode = "00" }
        _ = try await shop.refund(first.paymentID, "99.00", key: "r3")
        _ = try await shop.refund(first.paymentID, "4.00", key: "r4")
        _ = try await shop.notify(about: .refund)
        _ = try await shop.refund(first.paymentID, "2.00", key: "r5")
        // Undone whole.
        let second = try await shop.pay(shop.place(reference: "undone"), key: "pay-undone")
        _ = try await shop.notify(about: .consume)
        _ = try await shop.cancel(second.paymentID, key: "c1")
        _ = try await shop.notify(about: .void)
        // Declined, and paid at the second attempt.
        shop.acquirer.script { $0.syncCode = "64" }
        let declined = try await shop.place(reference: "declined")
        _ = try await shop.pay(declined, key: "pay-declined")
        shop.acquirer.script { $0.syncCode = "00" }
        _ = try await shop.pay(declined, key: "pay-declined-again")
        _ = try await shop.notify(about: .consume)
        // Contradicted: refused first, and taken all the same.
        shop.acquirer.script { $0.syncCode = "64" }
        _ = try await shop.pay(shop.place(reference: "contradicted"), key: "pay-contradicted")
        _ = try await shop.notify(about: .consume)
        shop.acquirer.script { $0.syncCode = "00" }
        // A token that is not accepted.
        let refused = try await shop.place(reference: "refused")
        _ = try await shop.pay(refused, shop.token(for: refused, minorUnits: 1), key: "pay-refused")
        // A file with a fee, and with an amount that differs.
        let deducts = shop.acquirer.received(.consume)
        let bytes = try Self.file([Self.record(deducts[0]), Self.record(deducts[3], amount: 3_200)])
        shop.acquirer.script { $0.file = bytes }
        _ = try await shop.send(.post, "/v1/reconciliations", Array(#"{"settleDate":"1121"}"#.utf8), bearer: Shop.apiKey)
        // Nobody can tell what became of the last two; one of them is being reversed.
        shop.acquirer.script {
            $0.losesReply = true
            $0.queryCodes = ["05"]
            $0.reversalCode = "05"
        }
        _ = try await shop.pay(shop.place(reference: "unknown"), key: "pay-unknown")
        let reversed = try await shop.pay(shop.place(reference: "reversed"), key: "pay-reversed")
        _ = try await shop.cancel(reversed.paymentID, key: "c2")
        try await shop.pass(.seconds(40), step: .seconds(4))
        try await noticesAndApprovals(shop)
    }

    private func noticesAndApprovals(_ shop: Shop) async throws {
        var fields = try #require(shop.acquirer.received(.consume).first)
        for number in 1...3 {
            fields["orderId"] = "019a9d2c8c007000800000000000000\(number)"
            fields["reqReserved"] = "019a9d2c8c0070008000000000000009"
            #expect(try await shop.notify(shop.acquirer.notification(of: fields)).status == 200)
        }
        let notices = try await shop.server.notices.unmatchedNotices()
        #expect(notices.count == 3)
        let people = try await shop.people()
        #expect(try await people.settle(notices[0], "closed").state == .done)
        // One that is settled is not settled again.
        let (second, again) = (try await people.ask(notices[1], "closed"), try await people.ask(notices[1], "refund"))
        #expect(try await people.queue.approve(second.id, by: .approving).state == .done)
        #expect(try await people.queue.approve(again.id, by: .approving).state == .failed)
        #expect(try await people.queue.reject(people.ask(notices[2], "closed").id, by: .approving).state == .rejected)
        _ = try await people.ask(notices[2], "refund")
    }

    private static func record(_ message: UnionPayFields, amount: Int64? = nil) throws -> DetailRecord {
        var record = DetailRecord()
        record[.merchantID] = message["merId"] ?? ""
        record[.orderID] = message["orderId"] ?? ""
        record[.queryID] = AcquirerStub.queryID(message)
        record[.transactionTime] = String((message["txnTime"] ?? "").dropFirst(4))
        record[.transactionType] = message["txnType"] ?? ""
        try record.set(amount: Amount(minorUnits: amount ?? Int64(message["txnAmt"] ?? "") ?? 0, currency: Currency("CNY")))
        try record.set(fee: Amount(minorUnits: 20, currency: Currency("CNY")))
        return record
    }

    private static func file(_ records: [DetailRecord]) throws -> [UInt8] {
        try ZlibStream.compressed(
            ZipArchive(entries: [.init(name: "INN26112188ZM_777290058167151", bytes: DetailRecord.write(records))]).packed())
    }

    private static let refunded = "SELECT id FROM payments WHERE state = 'partlyRefunded'"
    private static let chain = "SELECT chain FROM audit_rows WHERE action = 'refunded'"
    private static let last = "SELECT MAX(sequence) FROM audit_rows WHERE chain IN (\(chain))"
    private static let insertPosting =
        "INSERT INTO ledger_postings (merchant, source, template, ordinal, line, account, currency, amount, at)"

    static let alterations: [Alteration] = [
        Alteration("a payment multiplied by ten", "UPDATE payments SET amount = amount * 10 WHERE state = 'partlyRefunded'"),
        Alteration("a failed payment multiplied by ten", "UPDATE payments SET amount = amount * 10 WHERE state = 'failed'"),
        Alteration("an unknown payment multiplied by ten", "UPDATE payments SET amount = amount * 10 WHERE state = 'unknown'"),
        Alteration("a payment in another currency", "UPDATE payments SET currency = 'HKD' WHERE state = 'failed'"),
        Alteration("a refund sum set to nothing", "UPDATE payments SET refunded = 0 WHERE state = 'partlyRefunded'"),
        Alteration("a refund sum and its state", "UPDATE payments SET refunded = 0, state = 'succeeded' WHERE state = 'partlyRefunded'"),
        Alteration("what is reserved", "UPDATE payments SET reserved = 0 WHERE state = 'partlyRefunded'"),
        Alteration("a state", "UPDATE payments SET state = 'succeeded' WHERE state = 'failed'"),
        Alteration("a state and its evidence", "UPDATE payments SET state = 'succeeded', evidence = 67 WHERE state = 'failed'"),
        Alteration("a state that there is not", "UPDATE payments SET state = 'gone' WHERE state = 'failed'"),
        Alteration("an unknown payment told as failed", "UPDATE payments SET state = 'failed', evidence = 51 WHERE state = 'unknown'"),
        Alteration("the day of a payment's making", "UPDATE payments SET created_at = created_at + 1 WHERE state = 'failed'"),
        Alteration("a payment's order", "UPDATE payments SET order_id = (SELECT id FROM orders WHERE reference = 'unpaid') WHERE state = 'failed'"),
        Alteration("a payment left out", "DELETE FROM payments WHERE state = 'failed'"),
        Alteration(
            "a payment added",
            """
            INSERT INTO payments (merchant, id, order_id, currency, amount, state, evidence, refunded, reserved, version, external_key,
                detail, audit_sequence, audit_hash, created_at, updated_at)
            SELECT merchant, ?, order_id, currency, amount, state, evidence, refunded, reserved, version, 'added', detail, audit_sequence,
                audit_hash, created_at, updated_at FROM payments WHERE state = 'failed'
            """, values: [.blob(added)]),
        Alteration("an audit row in the middle left out", "DELETE FROM audit_rows WHERE sequence = 2 AND chain IN (\(chain))"),
        Alteration("the last audit row left out", "DELETE FROM audit_rows WHERE chain IN (\(chain)) AND sequence = (\(last))"),
        Alteration("a whole chain left out", "DELETE FROM audit_rows WHERE chain IN (\(chain))"),
        Alteration("an audit row's actor", "UPDATE audit_rows SET actor = 'nobody' WHERE sequence = 2 AND chain IN (\(chain))"),
        Alteration("an audit row's time", "UPDATE audit_rows SET at = at + 1 WHERE chain = 'reconciliation'"),
        Alteration(
            "an audit row added",
            """
            INSERT INTO audit_rows (merchant, chain, sequence, at, actor, action, object, result, previous, hash)
            SELECT merchant, chain, sequence + 1, at, actor, action, object, result, hash, previous FROM audit_rows
            WHERE chain IN (\(chain)) AND sequence = (\(last))
            """),
        Alteration(
            "a chain of nothing",
            """
            INSERT INTO audit_rows (merchant, chain, sequence, at, actor, action, object, result, previous, hash)
            SELECT merchant, 'payment:' || object, sequence, at, actor, action, object, result, previous, hash FROM audit_rows
            WHERE chain = 'reconciliation'
            """),
        Alteration("a posting left out", "DELETE FROM ledger_postings WHERE line = 0 AND template = 'refund'"),
        Alteration("both postings left out", "DELETE FROM ledger_postings WHERE template = 'reversal'"),
        Alteration("both postings multiplied by ten", "UPDATE ledger_postings SET amount = amount * 10 WHERE template = 'capture'"),
        Alteration("a posting's account", "UPDATE ledger_postings SET account = 'bank' WHERE template = 'refund' AND line = 1"),
        Alteration("a posting's currency", "UPDATE ledger_postings SET currency = 'QQQ' WHERE template = 'refund' AND line = 1"),
        Alteration("a posting's day", "UPDATE ledger_postings SET at = at - 86400000000 WHERE template = 'refund'"),
        Alteration(
            "an entry added",
            """
            \(insertPosting)
            SELECT merchant, source, template, 7, line, account, currency, amount, at FROM ledger_postings WHERE template = 'capture'
            """),
        Alteration(
            "an entry of nothing",
            """
            \(insertPosting)
            SELECT merchant, ?, template, ordinal, line, account, currency, amount, at FROM ledger_postings WHERE template = 'reversal'
            """, values: [.blob(added)]),
        Alteration("a fee left out", "DELETE FROM ledger_postings WHERE template = 'acquirer-fee'"),
        Alteration("a fee changed", "UPDATE ledger_postings SET amount = amount * 2 WHERE template = 'acquirer-fee'"),
        Alteration("a refund's amount", "UPDATE modifications SET amount = amount + 1 WHERE kind = 'refund' AND state = 'succeeded'"),
        Alteration("an open refund's amount", "UPDATE modifications SET amount = amount + 1 WHERE kind = 'refund' AND state = 'accepted'"),
        Alteration("a refund left out", "DELETE FROM modifications WHERE kind = 'refund' AND state = 'failed'"),
        Alteration("a failed refund told as done", "UPDATE modifications SET state = 'succeeded', evidence = 64 WHERE state = 'failed'"),
        Alteration("a refund's state alone", "UPDATE modifications SET state = 'succeeded' WHERE state = 'failed'"),
        Alteration("an order's amount", "UPDATE orders SET amount = amount * 10 WHERE reference = 'unpaid'"),
        Alteration("an order's live payment", "UPDATE orders SET live_payment = NULL WHERE reference = 'refunded'"),
        Alteration("an order's attempts", "UPDATE orders SET attempts = 1 WHERE reference = 'declined'"),
        Alteration("an order left out", "DELETE FROM orders WHERE reference = 'refunded'"),
        Alteration("an unpaid order left out", "DELETE FROM orders WHERE reference = 'unpaid'"),
        Alteration("an answer that points to nothing", "UPDATE idempotency_keys SET result = ? WHERE key = 'r1'", values: [.blob(added)]),
        Alteration("an answer that is none", "UPDATE idempotency_keys SET result = ? WHERE key = 'r1'", values: [.blob([0x7b, 0x7d])]),
        Alteration("a key's payment", "UPDATE idempotency_keys SET subject = ? WHERE key = 'pay-undone'", values: [.blob(added)]),
        Alteration("a message left out", "DELETE FROM outbox WHERE kind = 'void'"),
        Alteration("a message about nothing", "UPDATE outbox SET subject = ? WHERE kind = 'void'", values: [.blob(added)]),
        Alteration("a message's state", "UPDATE outbox SET state = 'lost' WHERE kind = 'void'"),
        Alteration("a message's kind", "UPDATE outbox SET kind = 'refund' WHERE kind = 'void'"),
        Alteration("a token left out", "DELETE FROM card_tokens WHERE payment IN (\(refunded))"),
        Alteration(
            "a token of another order", "UPDATE card_tokens SET order_id = ? WHERE payment IN (\(refunded))", values: [.blob(added)]),
        Alteration("an alarm left out", "DELETE FROM payment_alarms WHERE kind = 'contradiction'"),
        Alteration("an alarm cleared by nobody", "UPDATE payment_alarms SET cleared_at = 1, cleared_by = 'x' WHERE cleared_at IS NULL"),
        Alteration("a payment's alarm", "UPDATE payments SET alarm = NULL WHERE alarm = 'contradiction'"),
        Alteration("queries left out", "DELETE FROM deadlines WHERE kind = 'payment-query'"),
        Alteration("a line of a file left out", "DELETE FROM card_reconciliation WHERE line = 0"),
        Alteration("all notices left out", "DELETE FROM unmatched_notices"),
        Alteration("the settled notices left out", "DELETE FROM unmatched_notices WHERE settled_at IS NOT NULL"),
        Alteration("the open notice left out", "DELETE FROM unmatched_notices WHERE settled_at IS NULL"),
        Alteration("what notices say", "UPDATE unmatched_notices SET amount = 1, note = 'nothing came of it'"),
        Alteration("an open notice's amount", "UPDATE unmatched_notices SET amount = 1 WHERE settled_at IS NULL"),
        Alteration("an open notice's note", "UPDATE unmatched_notices SET note = 'x' WHERE settled_at IS NULL"),
        Alteration("a notice's currency", "UPDATE unmatched_notices SET currency = NULL WHERE settled_at IS NULL"),
        Alteration("a notice's evidence", "UPDATE unmatched_notices SET evidence = ?", values: [.blob(added)]),
        Alteration(
            "settled notices told as open",
            """
            UPDATE unmatched_notices SET way = NULL, remark = NULL, outcome = NULL, people = NULL, request = NULL, settled_at = NULL
            WHERE settled_at IS NOT NULL
            """),
        Alteration("half a settlement", "UPDATE unmatched_notices SET settled_at = NULL WHERE settled_at IS NOT NULL"),
        Alteration("the way of a settlement", "UPDATE unmatched_notices SET way = 'refund' WHERE settled_at IS NOT NULL"),
        Alteration("a settlement's request", "UPDATE unmatched_notices SET request = 'x' WHERE settled_at IS NOT NULL"),
        Alteration(
            "an open notice told as settled",
            """
            UPDATE unmatched_notices SET way = 'closed', remark = 'x', outcome = 'x', people = 'x', request = 'x', settled_at = received_at
            WHERE settled_at IS NULL
            """),
        Alteration(
            "an open notice told as matched",
            """
            UPDATE unmatched_notices SET way = 'matched', remark = '', outcome = 'a later copy of the message was booked',
                people = 'system', request = '', settled_at = received_at
            WHERE settled_at IS NULL
            """),
        Alteration(
            "a notice added",
            """
            INSERT INTO unmatched_notices (owner, id, source, natural_key, kind, reference, about, currency, amount, evidence, received_at,
                note)
            SELECT owner, ?, source, 'added', kind, reference, about, currency, amount, evidence, received_at + 1, note
            FROM unmatched_notices WHERE settled_at IS NULL
            """, values: [.blob(added)]),
        Alteration("what tells of notices left out", "DELETE FROM audit_rows WHERE chain = 'notices' AND sequence > 3"),
        Alteration("all approvals left out", "DELETE FROM operator_approvals"),
        Alteration("a waiting approval left out", "DELETE FROM operator_approvals WHERE state = 'waiting'"),
        Alteration("a failed approval told as done", "UPDATE operator_approvals SET state = 'done' WHERE state = 'failed'"),
        Alteration("every approval told as done", "UPDATE operator_approvals SET state = 'done'"),
        Alteration("a done approval told as approved", "UPDATE operator_approvals SET state = 'approved' WHERE state = 'done'"),
        Alteration("a rejected approval told as waiting", "UPDATE operator_approvals SET state = 'waiting' WHERE state = 'rejected'"),
        Alteration("a waiting approval told as expired", "UPDATE operator_approvals SET state = 'expired' WHERE state = 'waiting'"),
        Alteration("an approval's outcome", "UPDATE operator_approvals SET outcome = 'x' WHERE state = 'done'"),
        Alteration("an approval's subject", "UPDATE operator_approvals SET subject = 'x' WHERE state = 'waiting'"),
        Alteration("what an approval does", "UPDATE operator_approvals SET detail = '{}' WHERE state = 'done'"),
        Alteration("what an approver reads", "UPDATE operator_approvals SET lines = NULL WHERE state = 'waiting'"),
        Alteration("until when an approval waits", "UPDATE operator_approvals SET expires_at = expires_at + 1 WHERE state = 'waiting'"),
        Alteration("who approved", "UPDATE operator_approvals SET decided_by = 'x' WHERE state = 'done'"),
        Alteration("a line's class", "UPDATE card_reconciliation SET class = 'well' WHERE line = 0"),
    ]

    private static let added: [UInt8] = [1, 0x9a, 0, 0, 0, 0, 0x70, 0, 0x80] + [UInt8](repeating: 7, count: 7)

    @Test(arguments: StoreEngine.available)
    func everyAlterationIsFoundAndNothingElse(engine: StoreEngine) async throws {
        try await Shop.open(engine, sheetWait: .zero) { shop in
            try await liveADay(shop)
            #expect(try await shop.database.read(Self.found) == [])
            #expect(try await shop.database.read(Self.foundWithoutKey) == [])
            for alteration in Self.alterations {
                let found = try await alteration.findings(in: shop.database, by: Self.found)
                #expect(!found.isEmpty, "\(alteration) is not found")
            }
            // The answer that is stored for the app, told otherwise.
            let told = try await shop.database.read { tx in
                try tx.query("SELECT result FROM idempotency_keys WHERE key = 'pay-declined'")[0].blob(0)
            }
            let other = Array(String(decoding: told, as: UTF8.self).replacing(#""failed""#, with: #""succeeded""#).utf8)
            #expect(other != told)
            let answer = Alteration(
                "an answer", "UPDATE idempotency_keys SET result = ? WHERE key = 'pay-declined'", values: [.blob(other)])
            #expect(try await !answer.findings(in: shop.database, by: Self.found).isEmpty)
        }
    }

    /// The links of a chain need no key; the words of its rows do.
    @Test func withoutTheKeyWhatIsLeftOutIsFound() async throws {
        try await Shop.open(sheetWait: .zero) { shop in
            try await liveADay(shop)
            for alteration in Self.alterations where alteration.description.contains("left out") {
                let found = try await alteration.findings(in: shop.database, by: Self.foundWithoutKey)
                #expect(!found.isEmpty, "\(alteration) is not found")
            }
            let actor = try #require(Self.alterations.first { $0.description == "an audit row's actor" })
            #expect(try await actor.findings(in: shop.database, by: Self.foundWithoutKey) == [])
        }
    }
}
