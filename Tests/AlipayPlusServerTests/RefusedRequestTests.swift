import AlipayPlus
import AlipayPlusValues
import BillfoldTestSupport
import Crypto
import Foundation
import PaymentCrypto
import Testing

@testable import AlipayPlusServer

/// What an acquirer's first requests get wrong, and what they are told.
struct RefusedRequestTests {
    @Test func aWalletThatNobodyKnowsIsNoMethod() async throws {
        try await PlusHarness.open { gateway async throws in
            var request = gateway.payRequest("p-1")
            request.paymentMethod.paymentMethodType = PaymentMethodType(rawValue: "PAYPAL")
            for _ in 0..<2 {
                let refused = try await gateway.acquirer(request)
                #expect(refused.result.resultCode == "UNAVAILABLE_PAYMENT_METHOD" && refused.result.isFailure, "\(refused.result)")
                #expect(refused.result.resultMessage?.contains("paymentMethodType") == true && refused.normalUrl == nil)
            }
            var known = gateway.payRequest("p-2")
            known.paymentMethod.paymentMethodType = PaymentMethodType(rawValue: "GCASH")
            #expect(try await gateway.acquirer(known).result.resultCode == "PAYMENT_IN_PROCESS")
        }
    }

    @Test func anotherSettlementCurrencyIsNoContract() async throws {
        try await PlusHarness.open { gateway async throws in
            var request = gateway.payRequest("p-1")
            request.settlementStrategy = WireSettlementStrategy(settlementCurrency: "EUR")
            let refused = try await gateway.acquirer(request).result
            #expect(refused.resultCode == "INVALID_CONTRACT" && refused.resultMessage?.contains("SGD") == true, "\(refused)")
            var own = gateway.payRequest("p-2")
            own.settlementStrategy = WireSettlementStrategy(settlementCurrency: "SGD")
            #expect(try await gateway.acquirer(own).result.resultCode == "PAYMENT_IN_PROCESS")
        }
    }

    /// What the merchant showed and what is collected are two amounts.
    @Test func anotherOrderAmountIsTaken() async throws {
        try await PlusHarness.open { gateway async throws in
            var request = gateway.payRequest("p-1", "1999")
            request.order.orderAmount = WireAmount(currency: "SGD", value: "999")
            let taken = try await gateway.acquirer(request)
            #expect(taken.result.resultCode == "PAYMENT_IN_PROCESS" && taken.paymentAmount == WireAmount(currency: "SGD", value: "1999"))
        }
    }

    @Test func aNotifyAddressElsewhereIsToldWhereItMayLie() async throws {
        try await PlusHarness.open { gateway async throws in
            var request = gateway.payRequest("p-1")
            request.paymentNotifyUrl = "http://127.0.0.1:1/notify"
            let message = try await gateway.acquirer(request).result.resultMessage
            #expect(message?.contains("none of the registered origins (http://127.0.0.1:") == true, "\(message ?? "")")
        }
    }

    @Test func aFactorOfNoScenarioIsToldWhichThereAre() async throws {
        try await PlusHarness.open { gateway async throws in
            var request = gateway.payRequest("p-1")
            request.paymentFactor = WirePaymentFactor()
            let message = try await gateway.acquirer(request).result.resultMessage
            for name in ["isCashierPayment", "isAgreementPayment", "PaymentCode", "EntryCode", "OrderCode"] {
                #expect(message?.contains(name) == true, "\(message ?? "")")
            }
        }
    }

    /// Only the text that the sender itself sent.
    @Test func aWrongSignatureIsToldWhatItHasToCover() async throws {
        try await PlusHarness.open { gateway async throws in
            let body = InquiryPaymentRequest(paymentRequestId: "p-1").body
            let time = gateway.clock.now().alipayPlusTime
            let refused = try await gateway.send(
                InquiryPaymentRequest.path, body, client: PlusHarness.client, key: gateway.keys.stranger, time: time)
            let answer = try JSONSerialization.jsonObject(with: Data(refused.bytes)) as? [String: Any]
            #expect((answer?["result"] as? [String: Any])?["resultCode"] as? String == "INVALID_SIGNATURE", "\(refused.text)")
            let message = try AlipayPlusMessage(
                target: InquiryPaymentRequest.path, clientID: PlusHarness.client, timeText: "\(time)", body: body)
            #expect(answer?["verifiedText"] as? String == String(decoding: message.stringToSign, as: UTF8.self))
            // By it the sender sees whether its key is the one that is registered.
            let registered = SHA256.hash(data: gateway.keys.acquirer.publicKey.subjectPublicKeyInfo).map { byte in
                String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
            }
            #expect(answer?["verifiedKey"] as? String == registered.joined())
            let other = try await gateway.send(
                InquiryPaymentRequest.path, body, client: "SANDBOX_NOBODY", key: gateway.keys.acquirer, time: time)
            #expect(!other.text.contains("verifiedText"), "\(other.text)")
        }
    }

    @Test func aPaymentWhoseTimeIsOverSaysSo() async throws {
        try await PlusHarness.open { gateway async throws in
            var request = gateway.payRequest("p-1")
            request.paymentExpiryTime = gateway.clock.now().alipayPlusTime.adding(seconds: 60)
            _ = try await gateway.acquirer(request)
            gateway.clock.advance(by: .seconds(61))
            try await gateway.work()
            let told = try #require(gateway.outside.told.first)
            #expect(told.message.paymentResult.resultCode == "ORDER_IS_CLOSED")
            #expect(told.message.paymentResult.resultMessage == "the payment's time was over before it was paid")
        }
    }
}
