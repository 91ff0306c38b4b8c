import ApplePay
import BillfoldJSON
import BillfoldPayments
import BillfoldStorage
import BillfoldTestSupport
import CardPaymentsServer
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing
import UnionPay

/// Refunds, voids and reversals over the API.
@Suite struct UndoTests {
    private func paid(_ shop: Shop) async throws -> String {
        let answer = try await shop.pay(shop.place())
        #expect(try await shop.notify(about: .consume).status == 200)
        return answer.paymentID
    }

    @Test func refundInPartsIsBookedWhenItIsConfirmed() async throws {
        try await Shop.open(sheetWait: .zero) { shop in
            let payment = try await paid(shop)
            let first = try await shop.refund(payment, "10.00", key: "r1")
            #expect(first.status == 201)
            #expect(first.json["state"]?.string == "accepted")
            #expect(try await shop.balance(.refunds) == 0)
            #expect(try await shop.notify(about: .refund).status == 200)
            #expect(try await shop.payment(payment).json["state"]?.string == "partlyRefunded")
            let second = try await shop.refund(payment, "23.00", key: "r2")
            #expect(second.status == 201)
            // No notification comes: the query settles it.
            try await shop.pass(.seconds(3))
            #expect(try await shop.payment(payment).json["state"]?.string == "refunded")
            #expect(try await shop.balance(.refunds) == 3300)
            let refund = try await shop.send(.get, "/v1/refunds/\(second.json["id"]?.string ?? "")", bearer: Shop.apiKey)
            #expect(refund.json["state"]?.string == "succeeded")
            let message = try #require(shop.acquirer.received(.refund).first)
            let deduct = try #require(shop.acquirer.received(.consume).first)
            #expect(message["origQryId"] == AcquirerStub.queryID(deduct))
            #expect(message["orderId"] != deduct["orderId"])
        }
    }

    @Test func refundAboveTheCaptureIsRefused() async throws {
        try await Shop.open(sheetWait: .zero) { shop in
            let payment = try await paid(shop)
            #expect(try await shop.refund(payment, "20.00", key: "r1").status == 201)
            let answer = try await shop.refund(payment, "13.01", key: "r2")
            #expect(answer.status == 422)
            #expect(answer.errorCode == "exceeds-captured")
            // The refusal is the key's answer for ever, also once the first refund has failed and the money is free.
            shop.acquirer.script { $0.queryCodes = ["64"] }
            try await shop.pass(.seconds(3))
            #expect(try await shop.refund(payment, "13.01", key: "r2").body == answer.body)
            #expect(try await shop.refund(payment, "9.00", key: "r2").errorCode == "idempotency-conflict")
            #expect(shop.acquirer.received(.refund).count == 1)
            #expect(try await shop.refund(payment, "13.01", key: "r3").status == 201)
        }
    }

    @Test(arguments: ["0.00", "-1.00", "1", "1.000", "x"])
    func refundOfAnUnusableAmountIsRefused(_ amount: String) async throws {
        try await Shop.open(sheetWait: .zero) { shop in
            let answer = try await shop.refund(paid(shop), amount, key: "r")
            #expect(answer.errorCode == "invalid-amount")
        }
    }

    @Test func repeatedRefundRequestRefundsOnceAndGetsTheFirstAnswer() async throws {
        try await Shop.open(sheetWait: .zero) { shop in
            let payment = try await paid(shop)
            let first = try await shop.refund(payment, "10.00", key: "r1")
            #expect(try await shop.notify(about: .refund).status == 200)
            let again = try await shop.refund(payment, "10.00", key: "r1")
            #expect(again.body == first.body && again.isReplayed && !first.isReplayed)
            #expect(
                try await shop.send(.get, "/v1/refunds/\(first.json["id"]?.string ?? "")", bearer: Shop.apiKey).json["state"]?.string
                    == "succeeded")
            #expect(shop.acquirer.received(.refund).count == 1)
            #expect(try await shop.refund(payment, "9.00", key: "r1").errorCode == "idempotency-conflict")
        }
    }

    @Test func declinedRefundGivesTheMoneyFree() async throws {
        try await Shop.open(sheetWait: .zero) { shop in
            let payment = try await paid(shop)
            shop.acquirer.script { $0.refundCode = "35" }
            #expect(try await shop.refund(payment, "33.00", key: "r1").json["state"]?.string == "failed")
            shop.acquirer.script { $0.refundCode = "00" }
            #expect(try await shop.refund(payment, "33.00", key: "r2").json["state"]?.string == "accepted")
        }
    }

    @Test func refundBeforeThePaymentIsKnownIsRefused() async throws {
        try await Shop.open(sheetWait: .zero) { shop in
            let answer = try await shop.pay(shop.place())
            #expect(try await shop.refund(answer.paymentID, "1.00", key: "r").errorCode == "wrong-state")
        }
    }

    @Test func voidUndoesAPaymentOfTheSameSettlementDay() async throws {
        try await Shop.open(sheetWait: .zero) { shop in
            let payment = try await paid(shop)
            let answer = try await shop.cancel(payment)
            #expect(answer.status == 201, "\(answer.body)")
            #expect(answer.json["kind"]?.string == "void")
            #expect(try await shop.notify(about: .void).status == 200)
            #expect(try await shop.payment(payment).json["state"]?.string == "reversed")
            #expect(try await shop.balance(.sales) == 0)
            #expect(try await shop.refund(payment, "1.00", key: "r").errorCode == "wrong-state")
        }
    }

    @Test func voidAfterTheSettlementDayIsRefused() async throws {
        try await Shop.open(sheetWait: .zero) { shop in
            let payment = try await paid(shop)
            shop.clock.advance(by: .seconds(86_400))
            #expect(try await shop.cancel(payment).errorCode == "void-too-late")
        }
    }

    @Test func cancellationOfAnUnknownPaymentReversesIt() async throws {
        try await Shop.open(sheetWait: .zero) { shop in
            shop.acquirer.script {
                $0.losesReply = true
                $0.queryCodes = ["05"]
            }
            let payment = try await shop.pay(shop.place()).paymentID
            let answer = try await shop.cancel(payment)
            #expect(answer.json["kind"]?.string == "reversal")
            try await shop.pass(.seconds(2))
            #expect(try await shop.payment(payment).json["state"]?.string == "reversed")
        }
    }

    @Test func unansweredReversalIsRepeated() async throws {
        try await Shop.open(sheetWait: .zero) { shop in
            shop.acquirer.script {
                $0.queryCodes = ["05"]
                $0.reversalCode = "05"
            }
            let payment = try await shop.pay(shop.place()).paymentID
            _ = try await shop.cancel(payment)
            try await shop.pass(.seconds(60), step: .seconds(5))
            #expect(shop.acquirer.received(.reversal).count > 1)
            shop.acquirer.script { $0.reversalCode = "00" }
            try await shop.pass(.seconds(900), step: .seconds(30))
            #expect(try await shop.payment(payment).json["state"]?.string == "reversed")
        }
    }

    /// An id from the wrong place is no lost payment: it is told what it is, and nothing is asked again for ever.
    @Test(arguments: StoreEngine.available)
    func anIDOfAnotherKindIsNotFoundAndToldWhatItIs(engine: StoreEngine) async throws {
        try await Shop.open(engine, sheetWait: .zero) { shop in
            let payment = try await paid(shop)
            let order = try #require(try await shop.payment(payment).json["order"]?.string)
            let refund = try #require(try await shop.refund(payment, "10.00", key: "r").json["id"]?.string)
            let other = try await shop.pay(shop.place(reference: "A-2")).paymentID
            let reversal = try #require(try await shop.cancel(other).json["id"]?.string)
            func refused(_ answer: Shop.Answer, _ code: String, _ words: String) {
                #expect(answer.status == 404 && answer.errorCode == code && answer.body.contains(words), "\(answer.body)")
            }
            func get(_ path: String) async throws -> Shop.Answer { try await shop.send(.get, path, bearer: Shop.apiKey) }
            for (id, words) in [(order, "the id of an order"), (refund, "the id of a refund"), (reversal, "of the payment \(other)")] {
                refused(try await shop.payment(id), "payment-not-found", words)
                refused(try await shop.refund(id, "1.00", key: "r-\(id)"), "payment-not-found", words)
                refused(try await shop.cancel(id, key: "c-\(id)"), "payment-not-found", words)
            }
            for (id, words) in [(order, "the id of an order"), (payment, "of the order \(order)"), (reversal, "of the payment \(other)")] {
                refused(try await get("/v1/refunds/\(id)"), "refund-not-found", words)
            }
            for (id, words) in [(payment, "of the order \(order)"), (refund, "the id of a refund")] {
                refused(try await get("/v1/orders/\(id)"), "order-not-found", words)
            }
            #expect(shop.acquirer.received(.refund).count == 1)
        }
    }
}
