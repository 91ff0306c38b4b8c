import AlipayPlus
import BillfoldPayments
import BillfoldStorage
import BillfoldTestSupport
import Crypto
import Testing

@testable import AlipayPlusServer

/// A store that the server has made is sound, and no row of it can be changed, left out or added without being found.
@Suite struct StoreCheckTests {
    static func found(_ tx: any Transaction) throws -> [String] {
        let findings = StoreFindings()
        try AlipayPlusServer.check(links: AuditChain(key: SymmetricKey(data: [UInt8](repeating: 1, count: 32)))).run(in: tx, findings)
        return findings.list.map { "\($0.code) \($0.table) \($0.key): \($0.expected) / \($0.found)" }
    }

    /// Payments that end in every way, with refunds of every ending, a code, and notifications that arrive and do not.
    static func liveADay(_ gateway: PlusHarness) async throws {
        func refund(_ payment: String, _ id: String, _ value: String) async throws {
            _ = try await gateway.acquirer(
                RefundRequest(paymentRequestId: payment, refundRequestId: id, refundAmount: WireAmount(currency: "SGD", value: value)))
        }
        try await gateway.paid("whole", "1999", "SGD", by: .hongKong)
        try await refund("whole", "r-1", "333")
        gateway.outside.answerRefund(.userStatusAbnormal)
        try await refund("whole", "r-2", "100")
        gateway.outside.answerRefund(nil)
        try await refund("whole", "r-3", "9999")
        try await refund("whole", "r-4", "200")
        try await gateway.paid("cancelled", "1500", "SGD", by: .dana)
        _ = try await gateway.acquirer(CancelPaymentRequest(paymentRequestId: "cancelled"))
        try await gateway.work()
        _ = try await gateway.begin("open")
        _ = try await gateway.acquirer(gateway.payRequest("open", "1"))
        let scanned = try await gateway.scan(try await gateway.begin("refused"), .gcash)
        try await gateway.work()
        _ = try await gateway.tell(.gcash, try #require(scanned.paymentRequestId), .userBalanceNotEnough)
        let changed = try await gateway.begin("changed")
        _ = try await gateway.scan(changed, .gcash)
        _ = try await gateway.scan(changed, .kakao)
        try await gateway.work()
        gateway.outside.fail([.lostAnswer])
        try await refund("whole", "r-5", "50")
    }

    static let lastOfChain =
        "SELECT MAX(sequence) FROM audit_rows WHERE chain IN (SELECT chain FROM audit_rows WHERE action = 'refund-released')"
    static let insertPosting = "INSERT INTO ledger_postings (merchant, source, template, ordinal, line, account, currency, amount, at)"
    static let stranger: [UInt8] = [1, 0x9a, 0, 0, 0, 0, 0x70, 0, 0x80] + [UInt8](repeating: 7, count: 7)

    static let alterations: [Alteration] = [
        Alteration("a payment told as paid", "UPDATE alipay_plus_payments SET state = 'success' WHERE request_id = 'open'"),
        Alteration("a paid payment told as failed", "UPDATE alipay_plus_payments SET state = 'failed' WHERE request_id = 'whole'"),
        Alteration("a state that there is not", "UPDATE alipay_plus_payments SET state = 'gone' WHERE request_id = 'open'"),
        Alteration("when it was paid", "UPDATE alipay_plus_payments SET paid_at = paid_at + 1 WHERE request_id = 'whole'"),
        Alteration("when it was cancelled", "UPDATE alipay_plus_payments SET closed_at = NULL WHERE request_id = 'cancelled'"),
        Alteration("a payment's request", "UPDATE alipay_plus_payments SET request_id = 'other' WHERE request_id = 'open'"),
        Alteration("a payment left out", "DELETE FROM alipay_plus_payments WHERE request_id = 'cancelled'"),
        Alteration("an open payment left out", "DELETE FROM alipay_plus_payments WHERE request_id = 'open'"),
        Alteration(
            "a payment added",
            """
            INSERT INTO alipay_plus_payments (acquirer, id, request_id, reference, scenario, state, version, terms, progress, created_at,
                expires_at, paid_at, closed_at, audit_sequence, audit_hash)
            SELECT acquirer, ?, 'added', 'added', scenario, state, version, terms, progress, created_at, expires_at, paid_at, closed_at,
                audit_sequence, audit_hash FROM alipay_plus_payments WHERE request_id = 'whole'
            """, values: [.blob(stranger)]),
        Alteration("a leg left out", "DELETE FROM alipay_plus_legs WHERE wallet = 'ALIPAY_HK'"),
        Alteration("a leg's wallet", "UPDATE alipay_plus_legs SET wallet = 'GCASH' WHERE wallet = 'ALIPAY_HK'"),
        Alteration("a refund left out", "DELETE FROM alipay_plus_refunds WHERE request_id = 'r-1'"),
        Alteration(
            "a failed refund told as done", "UPDATE alipay_plus_refunds SET state = 'success', failure = NULL WHERE request_id = 'r-2'"),
        Alteration("a done refund told as failed", "UPDATE alipay_plus_refunds SET state = 'failed' WHERE request_id = 'r-1'"),
        Alteration("an open refund told as done", "UPDATE alipay_plus_refunds SET state = 'success' WHERE request_id = 'r-5'"),
        Alteration(
            "a refund's part",
            "UPDATE alipay_plus_refunds SET part = (SELECT part FROM alipay_plus_refunds WHERE request_id = 'r-4') WHERE request_id = 'r-1'"
        ),
        Alteration("an audit row in the middle left out", "DELETE FROM audit_rows WHERE action = 'collected' AND merchant <> 'x'"),
        Alteration(
            "the last audit row left out", "DELETE FROM audit_rows WHERE sequence = (\(lastOfChain)) AND action = 'refund-reserved'"),
        Alteration("an audit row's actor", "UPDATE audit_rows SET actor = 'nobody' WHERE action = 'collected'"),
        Alteration(
            "a chain of nothing",
            """
            INSERT INTO audit_rows (merchant, chain, sequence, at, actor, action, object, result, previous, hash)
            SELECT merchant, 'alipay-plus-payment:x', 1, at, actor, action, object, result, previous, hash FROM audit_rows
            WHERE action = 'refund-released'
            """),
        Alteration("a posting left out", "DELETE FROM ledger_postings WHERE template = 'plus-fee' AND line = 0"),
        Alteration("entries left out", "DELETE FROM ledger_postings WHERE template = 'plus-collected-back'"),
        Alteration("entries multiplied by ten", "UPDATE ledger_postings SET amount = amount * 10 WHERE template = 'plus-collected'"),
        Alteration("a posting's account", "UPDATE ledger_postings SET account = 'fees' WHERE template = 'plus-collected' AND line = 0"),
        Alteration("a posting's day", "UPDATE ledger_postings SET at = at - 86400000000 WHERE template = 'plus-fee-back'"),
        Alteration(
            "an entry added",
            """
            \(insertPosting) SELECT merchant, source, template, 7, line, account, currency, amount, at FROM ledger_postings
            WHERE template = 'plus-fee'
            """),
        Alteration(
            "an entry of nothing",
            """
            \(insertPosting) SELECT merchant, ?, template, 7, line, account, currency, amount, at FROM ledger_postings
            WHERE template = 'plus-promotion'
            """, values: [.blob(stranger)]),
        Alteration("a request's payment", "UPDATE idempotency_keys SET result = ? WHERE key = 'whole'", values: [.blob(stranger)]),
        Alteration("a request's refund", "UPDATE idempotency_keys SET result = ? WHERE key = 'r-1'", values: [.blob(stranger)]),
        Alteration(
            "what a request compared", "UPDATE idempotency_keys SET fingerprint = ? WHERE key = 'open'",
            values: [.blob(stranger + stranger)]),
        Alteration("an errand left out", "DELETE FROM outbox WHERE kind = 'wallet-refund'"),
        Alteration("an errand about nothing", "UPDATE outbox SET subject = ? WHERE kind = 'wallet-refund'", values: [.blob(stranger)]),
        Alteration("a message's state", "UPDATE outbox SET state = 'lost' WHERE kind = 'notify'"),
        Alteration("a notification left out", "DELETE FROM alipay_plus_notifications WHERE kind = 'payment'"),
        Alteration("a notification's message left out", "DELETE FROM outbox WHERE kind = 'notify'"),
        Alteration("a payment's end left out", "DELETE FROM deadlines WHERE kind = 'alipay-plus-expiry'"),
        Alteration(
            "a deadline of nothing",
            """
            UPDATE deadlines SET subject = ? WHERE kind = 'alipay-plus-expiry' AND subject IN
                (SELECT id FROM alipay_plus_payments WHERE request_id = 'open')
            """, values: [.blob(stranger)]),
    ]

    @Test(arguments: StoreEngine.available)
    func everyAlterationIsFoundAndNothingElse(engine: StoreEngine) async throws {
        try await PlusHarness.open(engine) { gateway async throws in
            try await Self.liveADay(gateway)
            #expect(try await gateway.store.database.read(Self.found) == [])
            for alteration in Self.alterations {
                let found = try await alteration.findings(in: gateway.store.database, by: Self.found)
                #expect(!found.isEmpty, "\(alteration) is not found")
            }
            // The price within the terms, which are a document.
            let terms = try await gateway.store.database.read { tx in
                try tx.query("SELECT terms FROM alipay_plus_payments WHERE request_id = 'open'")[0].blob(0)
            }
            let dearer = Array(
                String(decoding: terms, as: UTF8.self).replacing("19.99", with: "199.90").utf8)
            #expect(dearer != terms)
            let price = Alteration(
                "a price", "UPDATE alipay_plus_payments SET terms = ? WHERE request_id = 'open'", values: [.blob(dearer)])
            #expect(try await !price.findings(in: gateway.store.database, by: Self.found).isEmpty)
        }
    }
}
