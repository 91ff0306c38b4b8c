import AlipayPlus
import AlipayPlusValues
import BillfoldStorage
import BillfoldTestSupport
import Testing

@testable import AlipayPlusServer

/// A request id that was refused for good stays refused.
struct KeptRefusalTests {
    @Test(arguments: StoreEngine.available) func aRefusedPaymentStaysRefused(_ engine: StoreEngine) async throws {
        try await PlusHarness.open(engine) { gateway async throws in
            var unknown = gateway.payRequest("p-1")
            unknown.order.merchant?.referenceMerchantId = "MER-9"
            for _ in 0..<2 { #expect(try await gateway.acquirer(unknown).result.resultCode == "MERCHANT_NOT_REGISTERED") }
            let dearer = gateway.payRequest("p-1", "2999")
            #expect(try await gateway.acquirer(dearer).result.resultCode == "REPEAT_REQ_INCONSISTENT")
            #expect(
                try await gateway.acquirer(InquiryPaymentRequest(paymentRequestId: "p-1")).result.resultCode == "ORDER_NOT_EXIST",
                "no payment was made")
        }
    }

    @Test func aCodeThatWasUsedPaysNothingLater() async throws {
        try await PlusHarness.open { gateway async throws in
            let request = gateway.payRequest("p-1", "3000", "HKD", scenario: .paymentCode, code: "281002020000000000000001")
            #expect(try await gateway.acquirer(request).result.resultCode == "INVALID_CODE")
            let codes = try await gateway.wallet(
                .hongKong, GetPaymentCodeRequest(customerId: "c-1", env: WireEnv(terminalType: .app)))
            var again = request
            again.paymentMethod.paymentMethodId = codes.paymentCodes?.first?.paymentCode
            #expect(try await gateway.acquirer(again).result.isFailure)
            #expect(gateway.outside.payments.isEmpty)
        }
    }

    @Test func aRefusedRefundStaysRefused() async throws {
        try await PlusHarness.open { gateway async throws in
            try await gateway.paid("p-1")
            func refund(_ id: String, _ value: String) async throws -> RefundAnswer {
                try await gateway.acquirer(
                    RefundRequest(
                        paymentRequestId: "p-1", refundRequestId: id, refundAmount: WireAmount(currency: "SGD", value: value)))
            }
            for _ in 0..<2 { #expect(try await refund("r-1", "2000").result.resultCode == "REFUND_AMOUNT_EXCEED") }
            #expect(try await refund("r-1", "2000").result.resultMessage?.contains("19.99 SGD") == true)
            #expect(try await refund("r-1", "1999").result.resultCode == "REPEAT_REQ_INCONSISTENT")
            #expect(try await refund("r-2", "1999").result.isSuccess)
        }
    }

    @Test func aRequestThatIsNotWellFormedTakesNoID() async throws {
        try await PlusHarness.open { gateway async throws in
            var late = gateway.payRequest("p-1")
            late.paymentExpiryTime = gateway.clock.now().alipayPlusTime.adding(seconds: -60)
            #expect(try await gateway.acquirer(late).result.resultCode == "PARAM_ILLEGAL")
            #expect(try await gateway.acquirer(gateway.payRequest("p-1")).result.resultCode == "PAYMENT_IN_PROCESS")
        }
    }

    @Test func whatIsOnlyEvaluatedTakesNoMoney() async throws {
        try await PlusHarness.open { gateway async throws in
            for (id, value) in [("p-1", "1999"), ("p-2", "0")] {
                var request = gateway.payRequest(id, value)
                request.paymentFactor?.isPaymentEvaluation = true
                #expect(try await gateway.acquirer(request).result.resultCode == "BUSINESS_NOT_SUPPORT")
            }
        }
    }
}
