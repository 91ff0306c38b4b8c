import AlipayPlus
import AlipayPlusValues
import BillfoldMoney
import BillfoldStorage
import BillfoldTestSupport
import Testing

@testable import AlipayPlusServer

/// Payments in their scenarios, over the signed wire.
struct PaymentFlowTests {
    @Test(arguments: StoreEngine.available) func aCashierPaymentIsCollectedBookedAndTold(_ engine: StoreEngine) async throws {
        try await PlusHarness.open(engine) { gateway async throws in
            let answer = try await gateway.acquirer(gateway.payRequest("p-1"))
            #expect(answer.result.resultCode == "PAYMENT_IN_PROCESS")
            let payment = try await gateway.payment("p-1")
            #expect(answer.normalUrl == "http://gateway.test/sheet/\(payment.reference)")
            let data = try PaymentData(try #require(answer.paymentData))
            #expect(data.merchantID == PlusHarness.merchant && data.wallets.count == 4)
            let scanned = try await gateway.scan(try await gateway.orderCode("p-1"), .gcash)
            #expect(scanned.result.isSuccess && scanned.codeType == .orderCode)
            #expect(scanned.payToAmount?.currency == "PHP")
            try await gateway.work()
            #expect(gateway.outside.calls == ["payments/pay"])
            #expect(try await gateway.tell(.gcash, try #require(scanned.paymentRequestId)).result.isSuccess)
            try await gateway.work()
            let told = try #require(gateway.outside.told.first)
            #expect(told.isVerified && told.message.paymentResult.isSuccess && told.message.paymentAmount?.value == "1999")
            #expect(told.message.mppPaymentId == "W0" && told.message.pspId == "10221281001")
            let inquired = try await gateway.acquirer(InquiryPaymentRequest(paymentRequestId: "p-1"))
            #expect(inquired.paymentResult?.isSuccess == true && inquired.settlementAmount == WireAmount(currency: "SGD", value: "1999"))
            let balance = try await gateway.balance()
            #expect(balance["acquirer:\(PlusHarness.acquirerID) SGD"] == "-19.83")
            #expect(balance["fees SGD"] == "-0.16" && balance["clearing SGD"] == nil && balance["clearing PHP"] == nil)
            #expect(balance["wallet:GCASH PHP"] == scanned.payToAmount.flatMap { try? $0.amount().text })
        }
    }

    @Test func aRepeatedPayTellsProgressAndOtherValuesAreRefused() async throws {
        try await PlusHarness.open { gateway async throws in
            let request = gateway.payRequest("p-1")
            let first = try await gateway.acquirer(request)
            let again = try await gateway.acquirer(request)
            #expect(again.paymentId == first.paymentId && again.normalUrl == first.normalUrl)
            let other = try await gateway.acquirer(gateway.payRequest("p-1", "2000"))
            #expect(other.result.resultCode == "REPEAT_REQ_INCONSISTENT")
            let scanned = try await gateway.scan(try await gateway.orderCode("p-1"), .gcash)
            try await gateway.work()
            _ = try await gateway.tell(.gcash, try #require(scanned.paymentRequestId))
            #expect(try await gateway.acquirer(request).result.isSuccess)
        }
    }

    /// The acquirer lost its answer and repeats the request when its time is over: an F would say that nothing was taken.
    @Test func aRepeatAfterThePaymentsTimeTellsWhatBecameOfIt() async throws {
        try await PlusHarness.open { gateway async throws in
            var request = gateway.payRequest("p-1")
            request.paymentExpiryTime = gateway.clock.now().alipayPlusTime.adding(seconds: 60)
            #expect(try await gateway.acquirer(request).result.resultCode == "PAYMENT_IN_PROCESS")
            let scanned = try await gateway.scan(try await gateway.orderCode("p-1"), .gcash)
            try await gateway.work()
            _ = try await gateway.tell(.gcash, try #require(scanned.paymentRequestId))
            gateway.clock.advance(by: .seconds(120))
            #expect(try await gateway.acquirer(request).result.isSuccess)
            request.paymentRequestId = "p-2"
            #expect(try await gateway.acquirer(request).result.resultCode == "PARAM_ILLEGAL")
        }
    }

    @Test func aShownCodePaysOnceAndForOneMinute() async throws {
        try await PlusHarness.open { gateway async throws in
            gateway.outside.answerPay(of: "c-9", .success)
            let codes = try await gateway.wallet(
                .hongKong, GetPaymentCodeRequest(customerId: "c-9", codeQuantity: 2, env: WireEnv(terminalType: .app)))
            let shown = try #require(codes.paymentCodes?.map(\.paymentCode))
            #expect(shown.count == 2 && shown[0].utf8.count == 24 && shown[0].hasPrefix("28100202"))
            let paid = try await gateway.acquirer(gateway.payRequest("p-1", "3000", "HKD", scenario: .paymentCode, code: shown[0]))
            #expect(paid.result.isSuccess && paid.customerId == "c-9" && paid.walletBrandName == "ALIPAY_HK")
            let twice = try await gateway.acquirer(gateway.payRequest("p-2", "3000", "HKD", scenario: .paymentCode, code: shown[0]))
            #expect(twice.result.resultCode == "EXPIRED_CODE")
            gateway.clock.advance(by: .seconds(61))
            let late = try await gateway.acquirer(gateway.payRequest("p-3", "3000", "HKD", scenario: .paymentCode, code: shown[1]))
            #expect(late.result.resultCode == "EXPIRED_CODE")
            let unknown = try await gateway.acquirer(
                gateway.payRequest("p-4", "3000", "HKD", scenario: .paymentCode, code: "281002020000000000000000"))
            #expect(unknown.result.resultCode == "INVALID_CODE")
            // The offer: the person pays 2.00 less, the merchant is paid in full, and we bear it.
            let balance = try await gateway.balance()
            #expect(balance["wallet:ALIPAY_HK HKD"] == "28.00" && balance["promotion:ALIPAY_PLUS HKD"] == "2.00")
        }
    }

    @Test func aShownCodeWithoutAnAnswerIsAskedForAndSettled() async throws {
        try await PlusHarness.open { gateway async throws in
            gateway.outside.answerPay(of: "c-9", .success)
            let codes = try await gateway.wallet(.gcash, GetPaymentCodeRequest(customerId: "c-9", env: WireEnv(terminalType: .app)))
            gateway.outside.fail([.lostAnswer])
            let code = try #require(codes.paymentCodes?.first?.paymentCode)
            let unknown = try await gateway.acquirer(gateway.payRequest("p-1", scenario: .paymentCode, code: code))
            #expect(unknown.result.resultStatus == .unknown)
            try await gateway.pass(.seconds(6), step: .seconds(2))
            #expect(try await gateway.payment("p-1").state == .success)
            #expect(gateway.outside.payments.count == 1)
        }
    }

    /// The first copy collected, and its answer was lost; the wallet then does not believe the next ones, as after a change of keys.
    @Test func aCopyThatTheWalletDoesNotBelieveSaysNothingOfTheFirst() async throws {
        try await PlusHarness.open { gateway async throws in
            gateway.outside.answerPay(of: "c-9", .success)
            let codes = try await gateway.wallet(.gcash, GetPaymentCodeRequest(customerId: "c-9", env: WireEnv(terminalType: .app)))
            gateway.outside.fail([.lostAnswer])
            let code = try #require(codes.paymentCodes?.first?.paymentCode)
            let unknown = try await gateway.acquirer(gateway.payRequest("p-1", scenario: .paymentCode, code: code))
            #expect(unknown.result.resultStatus == .unknown)
            gateway.outside.answerPay(of: "c-9", .invalidSignature)
            for _ in 0..<6 {
                try await gateway.pass(.seconds(1), step: .seconds(1))
                #expect(try await gateway.payment("p-1").state != .failed)
            }
            gateway.outside.answerPay(of: "c-9", .success)
            try await gateway.pass(.seconds(30), step: .seconds(2))
            #expect(try await gateway.payment("p-1").state == .success)
            #expect(gateway.outside.payments.count == 1)
        }
    }

    @Test func anAnswerThatTheWalletHasNotSignedIsNone() async throws {
        try await PlusHarness.open { gateway async throws in
            gateway.outside.answerPay(of: "c-9", .success)
            let codes = try await gateway.wallet(.gcash, GetPaymentCodeRequest(customerId: "c-9", env: WireEnv(terminalType: .app)))
            gateway.outside.fail([.forged])
            let answer = try await gateway.acquirer(
                gateway.payRequest("p-1", scenario: .paymentCode, code: try #require(codes.paymentCodes?.first?.paymentCode)))
            #expect(answer.result.resultStatus == .unknown)
        }
    }

    @Test(arguments: [
        (AlipayPlusResult.userBalanceNotEnough, "USER_BALANCE_NOT_ENOUGH"), (.invalidSignature, "PROCESS_FAIL"),
        (.keyNotFound, "PROCESS_FAIL"),
    ])
    func aWalletsRefusalIsToldOnButNotThatOfOurEnvelope(refusal: AlipayPlusResult, told: String) async throws {
        try await PlusHarness.open { gateway async throws in
            gateway.outside.answerPay(of: "c-9", refusal)
            let codes = try await gateway.wallet(.gcash, GetPaymentCodeRequest(customerId: "c-9", env: WireEnv(terminalType: .app)))
            let answer = try await gateway.acquirer(
                gateway.payRequest("p-1", scenario: .paymentCode, code: try #require(codes.paymentCodes?.first?.paymentCode)))
            #expect(answer.result.resultStatus == .failure && answer.result.resultCode == told)
        }
    }

    @Test func anOrderCodeIsAnsweredAsItsText() async throws {
        try await PlusHarness.open { gateway async throws in
            let answer = try await gateway.acquirer(gateway.payRequest("p-1", "150000", "KRW", scenario: .orderCode))
            let code = try #require(answer.orderCodeForm?.codeDetails?.first)
            #expect(code.codeValueType == .qrCode && (try? OrderCode(code.codeValue)) != nil)
            let scanned = try await gateway.scan(code.codeValue, .kakao)
            #expect(scanned.result.isSuccess && scanned.payToAmount?.value == "150000" && scanned.paymentQuote == nil)
        }
    }

    @Test func anEntryCodeLeadsToAPage() async throws {
        try await PlusHarness.open { gateway async throws in
            let answer = try await gateway.acquirer(gateway.payRequest("p-1", scenario: .entryCode))
            #expect(answer.paymentUrl == "http://gateway.test/entry/\(try await gateway.payment("p-1").reference)")
        }
    }

    @Test func aSecondWalletTakesOverOnlyAfterTheFirstHasCancelled() async throws {
        try await PlusHarness.open { gateway async throws in
            let code = try await gateway.begin("p-1")
            let first = try await gateway.scan(code, .gcash)
            try await gateway.work()
            let second = try await gateway.scan(code, .dana)
            #expect(second.result.isSuccess && second.paymentRequestId != first.paymentRequestId)
            #expect(gateway.outside.payments[second.paymentRequestId ?? ""] == nil, "the second must wait")
            try await gateway.work()
            #expect(gateway.outside.payments[first.paymentRequestId ?? ""]?.state == .cancelled)
            #expect(gateway.outside.payments[second.paymentRequestId ?? ""]?.state == .asked)
            _ = try await gateway.tell(.dana, try #require(second.paymentRequestId))
            let payment = try await gateway.payment("p-1")
            #expect(payment.state == .success && payment.settledLeg?.wallet == "DANA")
        }
    }

    @Test func aSuccessOfASupersededWalletIsRefundedThereAndNeverBooked() async throws {
        try await PlusHarness.open { gateway async throws in
            let code = try await gateway.begin("p-1")
            let first = try await gateway.scan(code, .gcash)
            try await gateway.work()
            let second = try await gateway.scan(code, .dana)
            try await gateway.work()
            // The first wallet confirmed its cancel, and says later that it collected.
            let late = try await gateway.wallet(
                .gcash,
                WalletNotifyPaymentRequest(
                    paymentResult: .success, paymentRequestId: try #require(first.paymentRequestId), paymentId: "W0",
                    paymentAmount: WireAmount(currency: "SGD", value: "1999"),
                    payToAmount: gateway.outside.payments[try #require(first.paymentRequestId)]?.payable))
            #expect(late.result.isSuccess)
            try await gateway.work()
            #expect(gateway.outside.refunds.values.map(\.payment) == [first.paymentRequestId])
            _ = try await gateway.tell(.dana, try #require(second.paymentRequestId))
            try await gateway.work()
            #expect(try await gateway.balance()["wallet:GCASH PHP"] == nil)
            #expect(gateway.outside.told.count == 1)
            #expect(try await gateway.alarms().isEmpty)
        }
    }

    @Test func whatTheWalletWillNotGiveBackRaisesAnAlarm() async throws {
        try await PlusHarness.open { gateway async throws in
            let code = try await gateway.begin("p-1")
            let scanned = try await gateway.scan(code, .gcash)
            try await gateway.work()
            gateway.outside.answerCancel(.cancelWindowExceed)
            gateway.outside.answerRefund(.processFail)
            #expect(try await gateway.acquirer(CancelPaymentRequest(paymentRequestId: "p-1")).result.isSuccess)
            try await gateway.work()
            #expect(try await gateway.alarms().map(\.kind) == [.legStuck])
            let payment = try await gateway.payment("p-1")
            #expect(payment.legs.map { payment.walletRequestID(of: $0.id) } == [scanned.paymentRequestId])
        }
    }

    @Test func anotherAmountIsNeverBooked() async throws {
        try await PlusHarness.open { gateway async throws in
            let scanned = try await gateway.scan(try await gateway.begin("p-1"), .gcash)
            try await gateway.work()
            let told = try await gateway.tell(
                .gcash, try #require(scanned.paymentRequestId), amount: WireAmount(currency: "SGD", value: "1"))
            #expect(told.result.resultCode == "PARAM_ILLEGAL")
            #expect(try await gateway.payment("p-1").state == .processing)
            #expect(try await gateway.balance().isEmpty)
        }
    }

    @Test func anotherWalletsPaymentIsNotItsToTellOf() async throws {
        try await PlusHarness.open { gateway async throws in
            let scanned = try await gateway.scan(try await gateway.begin("p-1"), .gcash)
            try await gateway.work()
            let told = try await gateway.tell(.dana, try #require(scanned.paymentRequestId))
            #expect(told.result.resultCode == "ORDER_NOT_EXIST")
            #expect(try await gateway.payment("p-1").state == .processing)
        }
    }

    @Test func timeEndsAPaymentThatNobodyPaid() async throws {
        try await PlusHarness.open { gateway async throws in
            let scanned = try await gateway.scan(try await gateway.begin("p-1"), .gcash)
            try await gateway.pass(.seconds(900))
            let payment = try await gateway.payment("p-1")
            #expect(payment.state == .failed && payment.failure == "ORDER_IS_CLOSED")
            #expect(gateway.outside.payments[scanned.paymentRequestId ?? ""]?.state == .cancelled)
            #expect(gateway.outside.told.map(\.message.paymentResult.resultCode) == ["ORDER_IS_CLOSED"])
            #expect(try await gateway.scan(try await gateway.orderCode("p-1"), .dana).result.resultCode == "ORDER_IS_CLOSED")
        }
    }

    @Test func timeDoesNotFailWhatTheWalletCollected() async throws {
        try await PlusHarness.open { gateway async throws in
            let scanned = try await gateway.scan(try await gateway.begin("p-1"), .gcash)
            try await gateway.work()
            // The wallet collects and its word never comes; each inquiry before the end is lost, the last one is answered.
            _ = gateway.outside.confirm(try #require(scanned.paymentRequestId))
            gateway.outside.fail(Array(repeating: .lostRequest, count: 2))
            try await gateway.pass(.seconds(900), step: .seconds(300))
            #expect(try await gateway.payment("p-1").state == .success)
        }
    }

    @Test func aWalletThatCannotPayIsRefusedWithItsReason() async throws {
        try await PlusHarness.open { gateway async throws in
            var request = gateway.payRequest("p-1")
            request.allowedPspRegions = ["HK"]
            _ = try await gateway.acquirer(request)
            let scanned = try await gateway.scan(try await gateway.orderCode("p-1"), .gcash)
            #expect(scanned.result.resultCode == "UNAVAILABLE_PAYMENT_METHOD")
            let answer = try await gateway.acquirer(request)
            #expect(
                answer.applinkUrl?.hasPrefix("https://alipay_hk.example/pay?codeValue=https%3A%2F%2F") == true, "one wallet fits: no sheet")
        }
    }
}
