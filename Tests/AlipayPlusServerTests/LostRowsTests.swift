import AlipayPlus
import BillfoldPayments
import BillfoldServer
import BillfoldServerTestSupport
import BillfoldStorage
import BillfoldTestSupport
import BillfoldTrace
import BillfoldWeb
import Testing

@testable import AlipayPlusServer

/// What acquirers ask for once more, or ask about, when the gateway's books have lost that it was done.
struct LostRowsTests {
    @Test(arguments: StoreEngine.available) func aPaymentThatWasPaidToldAndLostIsNotDenied(_ engine: StoreEngine) async throws {
        try await PlusHarness.open(engine) { gateway async throws in
            let before = try await StoreSnapshot(of: gateway.store.database)
            let scanned = try await gateway.scan(try await gateway.begin("p-1"), .gcash)
            try await gateway.work()
            #expect(try await gateway.tell(.gcash, try #require(scanned.paymentRequestId)).result.isSuccess)
            try await gateway.work()
            #expect(gateway.outside.told.map(\.message.paymentResult.resultCode) == ["SUCCESS"])
            try await before.restore(in: gateway.store.database)
            #expect(try await gateway.server.notices.unmatchedNotices().isEmpty)

            let refund = RefundRequest(
                paymentRequestId: "p-1", refundRequestId: "r-1", refundAmount: WireAmount(currency: "SGD", value: "1999"))
            for _ in 0..<2 {
                #expect(try await gateway.acquirer(InquiryPaymentRequest(paymentRequestId: "p-1")).result.resultStatus == .unknown)
                #expect(try await gateway.acquirer(CancelPaymentRequest(paymentRequestId: "p-1")).result.resultStatus == .unknown)
                #expect(try await gateway.acquirer(refund).result.resultStatus == .unknown)
            }
            // Nothing begins under the same id, and what no wallet knows is still denied.
            #expect(try await gateway.acquirer(gateway.payRequest("p-1")).result.resultCode == "UNKNOWN_EXCEPTION")
            #expect(gateway.outside.payments.count == 1)
            #expect(try await gateway.acquirer(InquiryPaymentRequest(paymentRequestId: "p-2")).result.resultCode == "ORDER_NOT_EXIST")
            // Each wallet was asked, and that it has none is no problem of anybody's; the acquirer's answer is one.
            let denied = gateway.recorder.entries.filter { entry in
                entry.from.rawValue.hasPrefix("wallet:") && entry.fields.contains { $0.value == "ORDER_NOT_EXIST" }
            }
            #expect(!denied.isEmpty && denied.allSatisfy { $0.problem == nil }, "\(denied)")
            let notices = try await gateway.server.notices.unmatchedNotices()
            #expect(notices.map { $0.summary.contains("19.99 SGD") } == [true])

            // The wallet takes it back, so nothing was taken.
            let people = try await TwoPersons(settling: gateway.server.notices, in: gateway.store.database, clock: gateway.clock)
            #expect(try await people.settle(try #require(notices.first), "take-back").state == .done)
            try await gateway.work()
            #expect(gateway.outside.payments.values.map(\.state) == [.cancelled])
            #expect(try await gateway.acquirer(InquiryPaymentRequest(paymentRequestId: "p-1")).result.resultCode == "ORDER_NOT_EXIST")
        }
    }

    @Test func aWalletThatDoesNotSayLeavesItOpen() async throws {
        try await PlusHarness.open { gateway async throws in
            gateway.outside.fail([.lostAnswer])
            let asked = InquiryPaymentRequest(paymentRequestId: "p-never")
            #expect(try await gateway.acquirer(asked).result.resultStatus == .unknown)
            #expect(try await gateway.acquirer(asked).result.resultCode == "ORDER_NOT_EXIST")
        }
    }

    @Test func aLostPaymentThatIsAskedForAgainIsTheSameToItsWallet() async throws {
        try await PlusHarness.open { gateway async throws in
            let before = try await StoreSnapshot(of: gateway.store.database)
            try await gateway.paid("p-1")
            try await before.restore(in: gateway.store.database)
            // Nobody has asked about it, so the books take it for a new one.
            let scanned = try await gateway.scan(try await gateway.begin("p-1"), .gcash)
            try await gateway.work()
            #expect(gateway.outside.payments.count == 1)
            #expect(try await gateway.tell(.gcash, try #require(scanned.paymentRequestId)).result.isSuccess)
            #expect(try await gateway.payment("p-1").state == .success)
        }
    }

    @Test func aLostPaymentByCodeIsNotRefusedForItsCode() async throws {
        try await PlusHarness.open { gateway async throws in
            gateway.outside.answerPay(of: "c-1", .success)
            let before = try await StoreSnapshot(of: gateway.store.database)
            let asked = GetPaymentCodeRequest(customerId: "c-1", env: WireEnv(terminalType: .app))
            let code = try #require(try await gateway.wallet(.gcash, asked).paymentCodes?.first?.paymentCode)
            let request = gateway.payRequest("p-1", scenario: .paymentCode, code: code)
            #expect(try await gateway.acquirer(request).result.isSuccess)
            try await before.restore(in: gateway.store.database)
            for _ in 0..<2 { #expect(try await gateway.acquirer(request).result.resultStatus == .unknown) }
            #expect(gateway.outside.payments.values.map(\.state) == [.paid])
        }
    }

    @Test(arguments: StoreEngine.available) func aLostRefundThatIsAskedForAgainIsPaidOnce(_ engine: StoreEngine) async throws {
        try await PlusHarness.open(engine) { gateway async throws in
            let payment = try await gateway.paid("p-1")
            let before = try await StoreSnapshot(of: gateway.store.database)
            let refund = RefundRequest(
                paymentRequestId: "p-1", refundRequestId: "r-1", refundAmount: WireAmount(currency: "SGD", value: "1000"))
            let first = try await gateway.acquirer(refund)
            #expect(first.result.isSuccess)
            try await before.restore(in: gateway.store.database)
            gateway.clock.advance(by: .seconds(60))
            let second = try await gateway.acquirer(refund)
            #expect(second.result.isSuccess && second.refundId == first.refundId)
            #expect(gateway.outside.refunds.count == 1)
            let number = payment.walletRequestID(of: try #require(payment.settledLeg).id)
            #expect(gateway.outside.payments[number]?.refunded == gateway.outside.refunds.values.first?.units)
        }
    }

    /// The wallet's own server is put back, and a token was refreshed: it does not know the repetition for what it is.
    @Test func aRefusalOfALaterCopyDecidesNothing() async throws {
        try await PlusHarness.open { gateway async throws in
            gateway.outside.answerPay(of: "c-1", .success)
            let asked = GetPaymentCodeRequest(customerId: "c-1", env: WireEnv(terminalType: .app))
            let code = try #require(try await gateway.wallet(.gcash, asked).paymentCodes?.first?.paymentCode)
            // Collected, and neither the answer nor the first inquiry's comes.
            gateway.outside.fail([.lostAnswer])
            #expect(
                try await gateway.acquirer(gateway.payRequest("p-1", scenario: .paymentCode, code: code)).result.resultCode
                    == "PAYMENT_IN_PROCESS")
            gateway.outside.answerPay(of: "c-1", .repeatRequestInconsistent)
            try await gateway.pass(.seconds(30), step: .seconds(5))
            #expect(try await gateway.payment("p-1").state == .success)
        }
    }

    @Test func aRefundThatWasDoneIsNotFailedByTheRefusalOfItsRepetition() async throws {
        try await PlusHarness.open { gateway async throws in
            try await gateway.paid("p-1")
            let refund = RefundRequest(
                paymentRequestId: "p-1", refundRequestId: "r-1", refundAmount: WireAmount(currency: "SGD", value: "1000"))
            gateway.outside.fail([.lostAnswer])
            #expect(try await gateway.acquirer(refund).result.resultStatus == .unknown)
            gateway.outside.answerRefund(.processFail)
            try await gateway.pass(.seconds(30), step: .seconds(5))
            #expect(try await gateway.acquirer(refund).result.resultStatus == .unknown)
            gateway.outside.answerRefund(nil)
            try await gateway.pass(.seconds(60))
            #expect(try await gateway.acquirer(refund).result.isSuccess)
        }
    }

    /// What a wallet invents is kept for people, and says nothing about anybody's payments.
    @Test func anInventedPaymentCastsNoDoubtOnOthers() async throws {
        try await PlusHarness.open { gateway async throws in
            let price = WireAmount(currency: "SGD", value: "1999")
            let notice = WalletNotifyPaymentRequest(
                paymentResult: .success, paymentRequestId: "019a9d2c8c0070008000000000000001", paymentId: "W-1", paymentAmount: price,
                payToAmount: WireAmount(currency: "PHP", value: "87096"), customerId: "c-1")
            #expect(try await gateway.wallet(.gcash, notice).result.isSuccess)
            #expect(try await gateway.server.notices.unmatchedNotices().count == 1)
            #expect(try await gateway.acquirer(InquiryPaymentRequest(paymentRequestId: "p-1")).result.resultCode == "ORDER_NOT_EXIST")
            #expect(try await gateway.acquirer(gateway.payRequest("p-1")).result.resultCode == "PAYMENT_IN_PROCESS")
        }
    }
}
