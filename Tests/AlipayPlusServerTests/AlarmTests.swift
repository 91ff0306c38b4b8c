import AlipayPlus
import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import BillfoldTestSupport
import Testing

@testable import AlipayPlusServer

/// What no server can settle, and what people do about it.
struct AlarmTests {
    /// A payment whose time ended while its wallet collected, and whose wallet then neither cancels nor refunds.
    private func stuck(_ gateway: PlusHarness) async throws -> (leg: String, alarm: AcquiringAlarm) {
        let scanned = try await gateway.scan(try await gateway.begin("p-1"), .gcash)
        try await gateway.work()
        let request = try #require(scanned.paymentRequestId)
        gateway.outside.answerCancel(.cancelWindowExceed)
        gateway.outside.answerRefund(.processFail)
        try await gateway.pass(.seconds(1_200), step: .seconds(60))
        let payment = try await gateway.payment("p-1")
        #expect(payment.state == .processing && payment.legs.map(\.state) == [.stuck])
        let alarm = try #require(try await gateway.alarms().first)
        let leg = alarm.subject.description
        #expect(alarm.kind == .legStuck && payment.walletRequestID(of: alarm.subject) == request)
        return (leg, AcquiringAlarm(acquirer: PlusHarness.acquirerID, kind: alarm.kind.rawValue, subject: leg))
    }

    @Test(arguments: StoreEngine.available) func aWalletIsAskedAgainAndThePaymentEnds(_ engine: StoreEngine) async throws {
        try await PlusHarness.open(engine) { gateway async throws in
            let (_, alarm) = try await stuck(gateway)
            let office = gateway.server.backOffice
            #expect(try await office.clear(alarm, because: "no", by: "chief") == false, "money is not cleared away")
            // The wallet refuses again: the alarm comes back.
            #expect(try await office.retry(alarm, because: "they mended it", by: "chief"))
            #expect(try await gateway.alarms().isEmpty)
            try await gateway.work()
            #expect(try await gateway.alarms().map(\.kind) == [.legStuck])
            gateway.outside.answerRefund(nil)
            #expect(try await office.retry(alarm, because: "now they did", by: "chief"))
            try await gateway.work()
            let payment = try await gateway.payment("p-1")
            #expect(payment.state == .failed && payment.failure == "ORDER_IS_CLOSED" && payment.legs.map(\.state) == [.returned])
            #expect(gateway.outside.told.map(\.message.paymentResult.resultCode) == ["ORDER_IS_CLOSED"])
            #expect(try await gateway.alarms().isEmpty)
            #expect(try await office.retry(alarm, because: "once more", by: "chief") == false)
        }
    }

    @Test func twoPersonsSettleWhatWasDoneByHand() async throws {
        try await PlusHarness.open { gateway async throws in
            let (_, alarm) = try await stuck(gateway)
            let office = gateway.server.backOffice
            #expect(try await office.settle(alarm, because: "they paid it back by hand", by: "chief, deputy"))
            try await gateway.work()
            #expect(try await gateway.payment("p-1").state == .failed)
            #expect(gateway.outside.told.count == 1)
            #expect(try await office.settle(alarm, because: "again", by: "chief, deputy") == false)
            let dead = try await gateway.store.database.read { try OutboxRecords.deadLetters(.init(PlusHarness.acquirerID), in: $0) }
            #expect(dead.isEmpty)
        }
    }

    @Test func anotherWalletIsAskedOnceTheFirstIsSettled() async throws {
        try await PlusHarness.open { gateway async throws in
            let code = try await gateway.begin("p-1")
            let first = try await gateway.scan(code, .gcash)
            try await gateway.work()
            gateway.outside.answerCancel(.cancelWindowExceed)
            gateway.outside.answerRefund(.processFail)
            let second = try await gateway.scan(code, .dana)
            try await gateway.work()
            #expect(gateway.outside.payments[try #require(second.paymentRequestId)] == nil, "one wallet at a time")
            let payment = try await gateway.payment("p-1")
            let asked = try #require(first.paymentRequestId)
            let leg = try #require(payment.leg(requestedAs: asked)).id
            let alarm = AcquiringAlarm(acquirer: PlusHarness.acquirerID, kind: "leg-stuck", subject: leg.description)
            gateway.outside.answerCancel(nil)
            #expect(try await gateway.server.backOffice.settle(alarm, because: "by hand", by: "chief, deputy"))
            try await gateway.work()
            #expect(try await gateway.tell(.dana, try #require(second.paymentRequestId)).result.isSuccess)
            #expect(try await gateway.payment("p-1").state == .success)
        }
    }

    @Test func aWordAboutAnotherAmountIsClearedWithARemark() async throws {
        try await PlusHarness.open { gateway async throws in
            let scanned = try await gateway.scan(try await gateway.begin("p-1"), .gcash)
            try await gateway.work()
            let request = try #require(scanned.paymentRequestId)
            let wrong = try await gateway.tell(.gcash, request, amount: WireAmount(currency: "SGD", value: "1"))
            #expect(wrong.result.resultCode == "PARAM_ILLEGAL")
            let office = gateway.server.backOffice
            let open = try await office.overview(nil)
            #expect(open.parked.isEmpty && open.alarms.map(\.mayRetry) == [false])
            let page = try AcquiringPage(overview: open, offersReplay: true, offersRequests: true).html()
            #expect(page.contains("Clear the alarm") && !page.contains("acquiring-settle-alarm"))
            let raised = try #require(try await gateway.alarms().first)
            let alarm = AcquiringAlarm(acquirer: PlusHarness.acquirerID, kind: "amount-differs", subject: raised.subject.description)
            #expect(try await office.retry(alarm, because: "no errand", by: "chief") == false)
            #expect(try await office.clear(alarm, because: "they sent a test", by: "chief"))
            #expect(try await office.overview(nil).alarms.isEmpty)
        }
    }

    @Test func aSuccessSaysWhatWasCollected() async throws {
        try await PlusHarness.open { gateway async throws in
            let scanned = try await gateway.scan(try await gateway.begin("p-1"), .gcash)
            try await gateway.work()
            let leg = try #require(scanned.paymentRequestId)
            var notice = WalletNotifyPaymentRequest(paymentResult: .success, paymentRequestId: leg, paymentId: "W0")
            #expect(try await gateway.wallet(.gcash, notice).result.resultCode == "PARAM_ILLEGAL")
            notice.paymentAmount = WireAmount(currency: "SGD", value: "1999")
            #expect(try await gateway.wallet(.gcash, notice).result.resultCode == "PARAM_ILLEGAL", "GCash collects pesos")
            #expect(try await gateway.payment("p-1").state == .processing)
            notice.payToAmount = gateway.outside.payments[leg]?.payable
            #expect(try await gateway.wallet(.gcash, notice).result.isSuccess)
            #expect(try await gateway.payment("p-1").state == .success)
        }
    }

    @Test func aQuarrelAboutKeysRefusesNoRefund() async throws {
        try await PlusHarness.open { gateway async throws in
            try await gateway.paid("p-1")
            gateway.outside.answerRefund(.invalidSignature)
            let request = RefundRequest(
                paymentRequestId: "p-1", refundRequestId: "r-1", refundAmount: WireAmount(currency: "SGD", value: "500"))
            #expect(try await gateway.acquirer(request).result.resultStatus == .unknown)
            gateway.outside.answerRefund(nil)
            try await gateway.pass(.seconds(120), step: .seconds(5))
            #expect(try await gateway.acquirer(request).result.isSuccess)
        }
    }
}
