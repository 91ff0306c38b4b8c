import AlipayPlus
import AlipayPlusValues
import BillfoldPayments
import BillfoldStorage
import BillfoldTestSupport
import Testing

@testable import AlipayPlusServer

/// Keys and codes are forgotten in time, and a request that comes again all the same moves nothing and gets what it got.
@Suite struct RetentionTests {
    private static func count(_ gateway: PlusHarness, _ table: String, _ condition: String = "1 = 1") async throws -> Int64 {
        try await gateway.store.database.read { tx in
            try tx.query("SELECT COUNT(*) FROM \(table) WHERE \(condition)")[0].integer(0)
        }
    }

    private static func refund(_ gateway: PlusHarness, _ id: String, _ value: String) async throws -> RefundAnswer {
        try await gateway.acquirer(
            RefundRequest(paymentRequestId: "p-1", refundRequestId: id, refundAmount: WireAmount(currency: "SGD", value: value)))
    }

    @Test(arguments: StoreEngine.available)
    func afterAMonthARepeatIsAnsweredByItsPayment(engine: StoreEngine) async throws {
        try await PlusHarness.open(engine) { gateway async throws in
            let paid = try await gateway.paid("p-1")
            #expect(try await Self.refund(gateway, "r-1", "1999").result.isSuccess)
            _ = try await gateway.begin("p-2")
            var unknown = gateway.payRequest("p-3")
            unknown.order.merchant?.referenceMerchantId = "MER-9"
            #expect(try await gateway.acquirer(unknown).result.resultCode == "MERCHANT_NOT_REGISTERED")
            try await gateway.work()
            let (books, sent) = (try await gateway.balance(), gateway.outside.payments.count)
            gateway.clock.advance(by: .seconds(29 * 86_400))
            try await gateway.server.retentionWorker.runOnce()
            #expect(try await Self.count(gateway, "idempotency_keys", "operation LIKE 'payments/%'") == 4)
            gateway.clock.advance(by: .seconds(2 * 86_400))
            try await gateway.work()
            try await gateway.server.retentionWorker.runOnce()
            // The refusal stays: nothing else knows of it.
            #expect(try await Self.count(gateway, "idempotency_keys", "operation LIKE 'payments/%'") == 1)
            let again = try await gateway.acquirer(gateway.payRequest("p-1"))
            #expect(again.result.isSuccess && again.paymentId == paid.paymentID, "\(again.result)")
            #expect(try await gateway.acquirer(gateway.payRequest("p-1", "2999")).result.resultCode == "REPEAT_REQ_INCONSISTENT")
            // What the request would be refused for by now is no answer to it.
            var late = gateway.payRequest("p-1")
            late.paymentExpiryTime = gateway.clock.now().alipayPlusTime.adding(seconds: -60)
            #expect(try await gateway.acquirer(late).result.isSuccess)
            #expect(try await gateway.acquirer(gateway.payRequest("p-2")).result.resultCode == "ORDER_IS_CLOSED")
            #expect(try await gateway.acquirer(unknown).result.resultCode == "MERCHANT_NOT_REGISTERED")
            #expect(try await Self.refund(gateway, "r-1", "1999").result.isSuccess)
            #expect(try await Self.refund(gateway, "r-1", "1998").result.resultCode == "REPEAT_REQ_INCONSISTENT")
            // And again: the repeat has taken no key.
            #expect(try await gateway.acquirer(gateway.payRequest("p-1")).paymentId == paid.paymentID)
            #expect(try await Self.refund(gateway, "r-1", "1999").result.isSuccess)
            #expect(try await gateway.balance() == books && gateway.outside.payments.count == sent)
            #expect(gateway.outside.refunds.count == 1)
            #expect(try await gateway.store.database.read(StoreCheckTests.found) == [])
        }
    }

    /// A part that is refunded twice under one id would go back twice.
    @Test func aRefundInPartThatComesAgainGoesBackOnce() async throws {
        try await PlusHarness.open { gateway async throws in
            try await gateway.paid("p-1")
            #expect(try await Self.refund(gateway, "r-1", "500").result.isSuccess)
            gateway.clock.advance(by: .seconds(31 * 86_400))
            try await gateway.server.retentionWorker.runOnce()
            #expect(try await Self.refund(gateway, "r-1", "500").result.isSuccess)
            #expect(try await gateway.payment("p-1").refunded.price == 500)
        }
    }

    /// Keys as an earlier version left them: without an answer.
    @Test func keysWithoutAnAnswerAgeToo() async throws {
        try await PlusHarness.open { gateway async throws in
            let paid = try await gateway.paid("p-1")
            _ = try await gateway.store.database.write { try $0.execute("UPDATE idempotency_keys SET result = NULL") }
            #expect(try await gateway.acquirer(gateway.payRequest("p-1")).paymentId == paid.paymentID)
            gateway.clock.advance(by: .seconds(31 * 86_400))
            try await gateway.server.retentionWorker.runOnce()
            #expect(try await Self.count(gateway, "idempotency_keys") == 0)
            #expect(try await gateway.acquirer(gateway.payRequest("p-1")).paymentId == paid.paymentID)
        }
    }

    @Test func codesAndMessagesAreForgottenAndConsentsAreNot() async throws {
        try await PlusHarness.open { gateway async throws in
            _ = try await gateway.wallet(.hongKong, GetPaymentCodeRequest(customerId: "c-1", env: WireEnv(terminalType: .app)))
            try await gateway.paid("p-1")
            try await gateway.work()
            #expect(try await Self.count(gateway, "alipay_plus_codes") > 0)
            gateway.clock.advance(by: .seconds(91 * 86_400))
            try await gateway.server.retentionWorker.runOnce()
            #expect(try await Self.count(gateway, "alipay_plus_codes") == 0)
            #expect(try await Self.count(gateway, "outbox", "state = 'done'") == 0)
            #expect(try await Self.count(gateway, "alipay_plus_payments") == 1)
            #expect(try await gateway.store.database.read(StoreCheckTests.found) == [])
        }
    }
}
