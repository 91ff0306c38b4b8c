import AlipayPlus
import AlipayPlusValues
import BillfoldMoney
import BillfoldStorage
import BillfoldTestSupport
import Testing

@testable import AlipayPlusServer

/// Money that goes back.
struct CancelAndRefundTests {
    @Test func aCancelledPaymentStaysCancelledAndItsBooksAreEmpty() async throws {
        try await PlusHarness.open { gateway async throws in
            let payment = try await gateway.paid("p-1", "1999", "SGD", by: .dana)
            for _ in 0..<2 {
                #expect(try await gateway.acquirer(CancelPaymentRequest(paymentRequestId: "p-1")).result.isSuccess)
            }
            try await gateway.work()
            #expect(try await gateway.balance().isEmpty)
            let leg = payment.walletRequestID(of: try #require(payment.settledLeg).id)
            #expect(gateway.outside.payments[leg]?.state == .cancelled)
            _ = try await gateway.wallet(
                .dana,
                WalletNotifyPaymentRequest(
                    paymentResult: .success, paymentRequestId: leg, paymentId: "W0",
                    paymentAmount: WireAmount(currency: "SGD", value: "1999"), payToAmount: gateway.outside.payments[leg]?.payable))
            try await gateway.work()
            let inquired = try await gateway.acquirer(InquiryPaymentRequest(paymentId: payment.paymentID))
            #expect(inquired.paymentResult?.resultCode == "ORDER_IS_CLOSED")
            #expect(inquired.transactions?.map(\.transactionType) == [.payment, .cancel])
            #expect(gateway.outside.told.count == 1, "the success alone was told")
        }
    }

    @Test func theCancelWindowEndsAtAQuarterPastMidnightInChina() async throws {
        try await PlusHarness.open { gateway async throws in
            // It is four in the morning: 20 hours and 15 minutes are left.
            try await gateway.paid("p-1")
            try await gateway.paid("p-2")
            gateway.clock.advance(by: .seconds(20 * 3_600 + 14 * 60))
            #expect(try await gateway.acquirer(CancelPaymentRequest(paymentRequestId: "p-1")).result.isSuccess)
            gateway.clock.advance(by: .seconds(60))
            #expect(try await gateway.acquirer(CancelPaymentRequest(paymentRequestId: "p-2")).result.resultCode == "CANCEL_WINDOW_EXCEED")
        }
    }

    @Test func theCancelWindowCountsFromThePayment() async throws {
        try await PlusHarness.open { gateway async throws in
            // Made at 23:55 in UTC+8, with an hour to pay.
            gateway.clock.advance(by: .seconds(19 * 3_600 + 55 * 60))
            for id in ["p-1", "p-2"] {
                var request = gateway.payRequest(id)
                request.paymentExpiryTime = gateway.clock.now().alipayPlusTime.adding(seconds: 3_600)
                #expect(try await gateway.acquirer(request).result.resultCode == "PAYMENT_IN_PROCESS")
            }
            let scanned = try await gateway.scan(try await gateway.orderCode("p-1"), .gcash)
            try await gateway.work()
            gateway.clock.advance(by: .seconds(25 * 60))
            #expect(try await gateway.acquirer(CancelPaymentRequest(paymentRequestId: "p-2")).result.isSuccess, "nobody has paid it")
            _ = try await gateway.tell(.gcash, try #require(scanned.paymentRequestId))
            #expect(try await gateway.payment("p-1").state == .success)
            #expect(try await gateway.acquirer(CancelPaymentRequest(paymentRequestId: "p-1")).result.isSuccess, "paid after midnight")
        }
    }

    @Test func refundsInPartsEndWithTheExactRest() async throws {
        try await PlusHarness.open { gateway async throws in
            try await gateway.paid("p-1", "1000", "SGD", by: .hongKong)
            for (id, value) in [("r-1", "333"), ("r-2", "333"), ("r-3", "334")] {
                let answer = try await gateway.acquirer(
                    RefundRequest(
                        paymentRequestId: "p-1", refundRequestId: id, refundAmount: WireAmount(currency: "SGD", value: value)))
                #expect(answer.result.isSuccess && answer.refundAmount?.value == value, "\(answer.result)")
                gateway.clock.advance(by: .seconds(1))
            }
            #expect(try await gateway.balance().isEmpty, "exchange, offer, fee and rounding are all gone back")
            let over = try await gateway.acquirer(
                RefundRequest(paymentRequestId: "p-1", refundRequestId: "r-4", refundAmount: WireAmount(currency: "SGD", value: "1")))
            #expect(over.result.resultCode == "REFUND_AMOUNT_EXCEED")
            let inquired = try await gateway.acquirer(InquiryPaymentRequest(paymentRequestId: "p-1"))
            #expect(inquired.transactions?.compactMap(\.transactionRequestId) == ["p-1", "r-1", "r-2", "r-3"])
        }
    }

    @Test func aRefundIsKnownByItsRequestID() async throws {
        try await PlusHarness.open { gateway async throws in
            try await gateway.paid("p-1")
            let request = RefundRequest(
                paymentRequestId: "p-1", refundRequestId: "r-1", refundAmount: WireAmount(currency: "SGD", value: "100"))
            gateway.outside.fail([.lostAnswer])
            #expect(try await gateway.acquirer(request).result.resultStatus == .unknown)
            try await gateway.pass(.seconds(10), step: .seconds(2))
            let again = try await gateway.acquirer(request)
            #expect(again.result.isSuccess)
            #expect(gateway.outside.refunds.count == 1)
            var other = request
            other.refundAmount.value = "101"
            #expect(try await gateway.acquirer(other).result.resultCode == "REPEAT_REQ_INCONSISTENT")
        }
    }

    @Test func aRefundThatTheWalletRefusesFreesItsAmount() async throws {
        try await PlusHarness.open { gateway async throws in
            try await gateway.paid("p-1")
            gateway.outside.answerRefund(.userStatusAbnormal)
            let whole = WireAmount(currency: "SGD", value: "1999")
            let refused = try await gateway.acquirer(
                RefundRequest(paymentRequestId: "p-1", refundRequestId: "r-1", refundAmount: whole))
            #expect(refused.result.resultCode == "USER_STATUS_ABNORMAL")
            gateway.outside.answerRefund(nil)
            let done = try await gateway.acquirer(
                RefundRequest(paymentRequestId: "p-1", refundRequestId: "r-2", refundAmount: whole))
            #expect(done.result.isSuccess)
            #expect(try await gateway.balance().isEmpty)
        }
    }

    @Test func aYearLaterNothingIsRefunded() async throws {
        try await PlusHarness.open { gateway async throws in
            try await gateway.paid("p-1")
            gateway.clock.advance(by: .seconds(365 * 86_400 + 1))
            let answer = try await gateway.acquirer(
                RefundRequest(paymentRequestId: "p-1", refundRequestId: "r-1", refundAmount: WireAmount(currency: "SGD", value: "1")))
            #expect(answer.result.resultCode == "REFUND_WINDOW_EXCEED")
        }
    }

    @Test func whatIsNotPaidIsNotRefunded() async throws {
        try await PlusHarness.open { gateway async throws in
            _ = try await gateway.begin("p-1")
            let one = WireAmount(currency: "SGD", value: "1")
            let open = try await gateway.acquirer(RefundRequest(paymentRequestId: "p-1", refundRequestId: "r-1", refundAmount: one))
            #expect(open.result.resultCode == "PAYMENT_IN_PROCESS")
            let none = try await gateway.acquirer(RefundRequest(paymentRequestId: "p-9", refundRequestId: "r-2", refundAmount: one))
            #expect(none.result.resultCode == "ORDER_NOT_EXIST")
        }
    }
}
