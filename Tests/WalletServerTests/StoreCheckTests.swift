import BillfoldMoney
import BillfoldPayments
import BillfoldStorage
import BillfoldTestSupport
import Crypto
import Foundation
import HTTPTypes
import Testing

@testable import WalletServer

/// A store that the server has made is sound, and no row of it can be changed, left out or added without being found.
@Suite struct StoreCheckTests {
    static func found(_ tx: any Transaction) throws -> [String] {
        let findings = StoreFindings()
        let links = AuditChain(key: SymmetricKey(data: [UInt8](repeating: 1, count: 32)))
        try WalletServer.check(links: links, owner: MerchantID("wallet")).run(in: tx, findings)
        return findings.list.map { "\($0.code) \($0.table) \($0.key): \($0.expected) / \($0.found)" }
    }

    /// Payments that are taken, refused and not known, refunds, transfers, a frozen customer, and payments of Alipay+ in every state.
    ///
    /// The rows of Alipay+ are made through their records: its pages need an Alipay+ to talk to, and have tests of their own.
    static func liveADay(_ wallet: TestWallet) async throws {
        try await LinkTests.paid(wallet)
        _ = try await wallet.link(.post, "refunds", LinkTests.refund("r-1", "4.00"))
        _ = try await wallet.link(.post, "refunds", LinkTests.refund("r-2", "1.00"))
        _ = try await wallet.checkout()
        try await wallet.server.backOffice.transfer(
            .withdrawal, of: Amount(minorUnits: 500, currency: TestWallet.cny), account: TestWallet.wei.number, requestID: "w-1",
            by: "ada, bob",
            reason: "asked for")
        try await wallet.server.backOffice.setFrozen(true, account: TestWallet.wei.number, by: "ada, bob", reason: "lost phone")
        try await alipayPlus(wallet)
    }

    private static func alipayPlus(_ wallet: TestWallet) async throws {
        let now = wallet.clock.now()
        try await wallet.store.database.write { tx in
            guard let account = try AccountRecords.find(number: TestWallet.mei.number, in: tx) else { return }
            func id(_ number: UInt8) throws -> TimeOrderedID {
                try TimeOrderedID(bytes: [1, 0x9a, 0, 0, 0, 0, 0x70, 0, 0x80, 0, 0, 0, 0, 0, 0, number])
            }
            let price = Amount(minorUnits: 1_000, currency: TestWallet.cny)
            var payment = AlipayPlusPayment(
                id: try id(1), requestID: "a-1", account: account.id, state: .paid, refunded: 200,
                facts: .init(payee: "Tea", subject: "tea", price: price, payable: price, promotion: 100, isAsked: true), createdAt: now)
            payment.paidAt = now
            _ = try AlipayPlusPaymentRecords.insert(payment, in: tx)
            let owner = try MerchantID("wallet")
            _ = try BalanceRecords.debit(payment.amount, account.id, in: tx)
            try WalletPostings.alipayPlusPayment.book(
                payment.amount, customer: account.number, source: payment.id, owner: owner, at: now, in: tx)
            let back = Amount(minorUnits: 200, currency: TestWallet.cny)
            _ = try BalanceRecords.credit(back, account.id, in: tx)
            try WalletPostings.alipayPlusRefund.book(back, customer: account.number, source: id(2), owner: owner, at: now, in: tx)
            try AlipayPlusPaymentRecords.insert(
                AlipayPlusRefund(
                    id: id(2), requestID: "a-r-1", payment: payment.id, account: account.id, payee: "Tea", amount: back, at: now), in: tx)
            let waiting = AlipayPlusPayment(id: try id(3), requestID: "a-2", facts: payment.facts, createdAt: now)
            _ = try AlipayPlusPaymentRecords.insert(waiting, in: tx)
        }
    }

    static let insertPosting = "INSERT INTO ledger_postings (merchant, source, template, ordinal, line, account, currency, amount, at)"
    static let stranger: [UInt8] = [1, 0x9a, 0, 0, 0, 0, 0x70, 0, 0x80] + [UInt8](repeating: 7, count: 7)

    static let alterations: [Alteration] = [
        Alteration("what a customer has", "UPDATE wallet_balances SET available = available + 1 WHERE available > 0"),
        Alteration("what is held", "UPDATE wallet_balances SET held = held + 1 WHERE available > 0"),
        Alteration("a balance left out", "DELETE FROM wallet_balances"),
        Alteration(
            "a balance added",
            "INSERT INTO wallet_balances (account, currency, available, held) SELECT account, 'HKD', 100, 0 FROM wallet_balances"),
        Alteration("a payment multiplied by ten", "UPDATE wallet_holds SET amount = amount * 10"),
        Alteration("a refund sum set to nothing", "UPDATE wallet_holds SET refunded = 0"),
        Alteration("a taken payment told as given back", "UPDATE wallet_holds SET state = 'released', paid_at = NULL"),
        Alteration("a taken payment told as held", "UPDATE wallet_holds SET state = 'held', paid_at = NULL"),
        Alteration("a state that there is not", "UPDATE wallet_holds SET state = 'gone'"),
        Alteration("a payment of another customer", "UPDATE wallet_holds SET account = ?", values: [.blob(stranger)]),
        Alteration("a payment's trade", "UPDATE wallet_holds SET trade = 'other'"),
        Alteration("a payment left out", "DELETE FROM wallet_holds"),
        Alteration("a refund multiplied by ten", "UPDATE wallet_refunds SET amount = amount * 10 WHERE request_id = 'r-1'"),
        Alteration("a refund left out", "DELETE FROM wallet_refunds WHERE request_id = 'r-2'"),
        Alteration("a refund's request", "UPDATE wallet_refunds SET request_id = 'other' WHERE request_id = 'r-2'"),
        Alteration("a transfer multiplied by ten", "UPDATE wallet_transfers SET amount = amount * 10 WHERE kind = 'withdrawal'"),
        Alteration("a transfer the other way", "UPDATE wallet_transfers SET kind = 'top-up' WHERE kind = 'withdrawal'"),
        Alteration("a transfer left out", "DELETE FROM wallet_transfers WHERE kind = 'withdrawal'"),
        Alteration("a customer who is not frozen", "UPDATE wallet_accounts SET state = 'active' WHERE state = 'frozen'"),
        Alteration("a customer left out", "DELETE FROM wallet_accounts WHERE state = 'frozen'"),
        Alteration("a checkout's amount", "UPDATE wallet_checkouts SET payable = payable + 1 WHERE hold IS NOT NULL"),
        Alteration("a checkout left out", "DELETE FROM wallet_checkouts WHERE hold IS NOT NULL"),
        Alteration("a checkout that was submitted", "UPDATE wallet_checkouts SET state = 'submitted' WHERE hold IS NULL"),
        Alteration("a checkout's payment", "UPDATE wallet_checkouts SET hold = ? WHERE hold IS NULL", values: [.blob(stranger)]),
        Alteration("a payment of Alipay+ taken back", "UPDATE wallet_alipay_plus_payments SET refunded = 0 WHERE request_id = 'a-1'"),
        Alteration(
            "a payment of Alipay+ told as waiting", "UPDATE wallet_alipay_plus_payments SET state = 'waiting' WHERE request_id = 'a-1'"),
        Alteration("one that waits told as paid", "UPDATE wallet_alipay_plus_payments SET state = 'paid' WHERE request_id = 'a-2'"),
        Alteration("a payment of Alipay+ left out", "DELETE FROM wallet_alipay_plus_payments WHERE request_id = 'a-1'"),
        Alteration("a refund of Alipay+ left out", "DELETE FROM wallet_alipay_plus_refunds"),
        Alteration("a refund of Alipay+ multiplied by ten", "UPDATE wallet_alipay_plus_refunds SET amount = amount * 10"),
        Alteration("an audit row left out", "DELETE FROM audit_rows WHERE sequence = 2"),
        Alteration("the last audit row left out", "DELETE FROM audit_rows WHERE action = 'wallet.withdrawal'"),
        Alteration("an audit row's actor", "UPDATE audit_rows SET actor = 'nobody' WHERE action = 'wallet.withdrawal'"),
        Alteration(
            "an audit row added",
            """
            INSERT INTO audit_rows (merchant, chain, sequence, at, actor, action, object, result, previous, hash)
            SELECT merchant, chain, sequence + 100, at, actor, action, object, result, hash, previous FROM audit_rows WHERE sequence = 1
            """),
        Alteration("a posting left out", "DELETE FROM ledger_postings WHERE template = 'wallet-capture' AND line = 0"),
        Alteration("an entry left out", "DELETE FROM ledger_postings WHERE template = 'wallet-refund'"),
        Alteration("an entry multiplied by ten", "UPDATE ledger_postings SET amount = amount * 10 WHERE template = 'wallet-hold'"),
        Alteration(
            "an entry of another customer",
            "UPDATE ledger_postings SET account = 'customer:x' WHERE template = 'wallet-refund' AND line = 1"),
        Alteration(
            "an entry added",
            """
            \(insertPosting) SELECT merchant, source, template, 7, line, account, currency, amount, at FROM ledger_postings
            WHERE template = 'wallet-refund'
            """),
        Alteration(
            "an entry of nothing",
            """
            \(insertPosting) SELECT merchant, ?, template, 7, line, account, currency, amount, at FROM ledger_postings
            WHERE template = 'wallet-capture'
            """, values: [.blob(stranger)]),
        Alteration("another's entry", "UPDATE ledger_postings SET merchant = 'another' WHERE template = 'wallet-capture'"),
        Alteration("an answer", "UPDATE idempotency_keys SET result = ? WHERE key = 'r-1'", values: [.blob([1])]),
        Alteration("what was answered for", "UPDATE idempotency_keys SET subject = ? WHERE key = 'r-1'", values: [.blob(stranger)]),
        Alteration("a message left out", "DELETE FROM outbox WHERE kind = 'payment'"),
        Alteration("a message's state", "UPDATE outbox SET state = 'lost' WHERE kind = 'payment'"),
        Alteration("a message about nothing", "UPDATE outbox SET subject = ? WHERE kind = 'payment'", values: [.blob(stranger)]),
    ]

    @Test(arguments: StoreEngine.available)
    func everyAlterationIsFoundAndNothingElse(engine: StoreEngine) async throws {
        try await TestWallet.open(engine) { wallet in
            try await Self.liveADay(wallet)
            #expect(try await wallet.store.database.read(Self.found) == [])
            for alteration in Self.alterations {
                let found = try await alteration.findings(in: wallet.store.database, by: Self.found)
                #expect(!found.isEmpty, "\(alteration) is not found")
            }
        }
    }

    /// What the gateway has not answered is held, and sound.
    @Test(arguments: [ScriptedGateway.Fault.answerLost, .refuse("trade-closed")])
    func whatIsHeldOrGivenBackIsSound(fault: ScriptedGateway.Fault) async throws {
        try await TestWallet.open { wallet in
            wallet.gateway.change { $0.faults = [fault] }
            try await LinkTests.paid(wallet)
            #expect(try await wallet.store.database.read(Self.found) == [])
            let free = Alteration(
                "what is held, set free", "UPDATE wallet_balances SET available = available + 912 WHERE available = 999088")
            if case .answerLost = fault {
                #expect(try await !free.findings(in: wallet.store.database, by: Self.found).isEmpty)
            }
            wallet.clock.advance(by: .seconds(30))
            try await wallet.server.deliverOnce()
            #expect(try await wallet.store.database.read(Self.found) == [])
        }
    }

    /// Keys, sessions and checkouts that led to nothing are forgotten; a refund that comes again is credited once.
    @Test(arguments: StoreEngine.available)
    func afterAMonthARefundThatComesAgainIsCreditedOnce(engine: StoreEngine) async throws {
        try await TestWallet.open(engine) { wallet in
            try await Self.liveADay(wallet)
            let balance = try await wallet.balance()
            @Sendable func count(_ table: String) async throws -> Int64 {
                try await wallet.store.database.read { try $0.query("SELECT COUNT(*) FROM \(table)")[0].integer(0) }
            }
            #expect(try await count("wallet_checkouts") == 2)
            wallet.clock.advance(by: .seconds(32 * 86_400))
            try await wallet.server.retentionWorker.runOnce()
            #expect(try await count("idempotency_keys") == 0)
            #expect(try await count("wallet_sessions") == 0)
            #expect(try await count("wallet_checkouts") == 1)
            #expect(try await count("outbox") == 1)
            for _ in 0..<2 { #expect(try await wallet.link(.post, "refunds", LinkTests.refund("r-1", "4.00")).status == 200) }
            let reused = try await wallet.link(.post, "refunds", LinkTests.refund("r-2", "1.01"))
            #expect(reused.status == 409 && reused.errorCode == "request-id-reused")
            #expect(try await wallet.balance() == balance)
            #expect(try await wallet.store.database.read(Self.found) == [])
            wallet.clock.advance(by: .seconds(60 * 86_400))
            try await wallet.server.retentionWorker.runOnce()
            #expect(try await count("outbox") == 0)
            #expect(try await wallet.store.database.read(Self.found) == [])
        }
    }
}
