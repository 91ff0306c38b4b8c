import BillfoldJSON
import BillfoldPayments
import BillfoldStorage
import BillfoldTestSupport
import CardPaymentsServer
import Foundation
import HTTPTypes
import Testing
import UnionPay

/// What a request gets that comes again under its idempotency key: the first answer's bytes, and a word that they are.
@Suite struct ReplayTests {
    private func make(_ shop: Shop, _ body: String = Shop.electronicOrder, key: String = "o-1") async throws -> Shop.Answer {
        try await shop.send(.post, "/v1/orders", Array(body.utf8), bearer: Shop.apiKey, key: key)
    }

    @Test(arguments: StoreEngine.available)
    func aRepeatedOrderIsTheFirstAnswerWhateverBecameOfIt(engine: StoreEngine) async throws {
        try await Shop.open(engine, sheetWait: .zero) { shop in
            let first = try await make(shop)
            #expect(first.status == 201 && !first.isReplayed)
            let placed = Shop.PlacedOrder(
                id: try #require(first.json["id"]?.string), secret: try #require(first.json["clientSecret"]?.string), total: "33.00",
                applicationData: Array(Data(base64Encoded: first.json["applicationData"]?.string ?? "") ?? Data()))
            _ = try await shop.pay(placed)
            #expect(try await shop.notify(about: .consume).status == 200)
            #expect(try await shop.order(placed).json["state"]?.string == "paid")
            let again = try await make(shop)
            #expect(again.body == first.body && again.status == 201 && again.isReplayed)
            #expect(try await shop.order(placed).isReplayed == false)
        }
    }

    /// The secret of an order is made of its id and lies nowhere: not in the answer that is kept either.
    @Test func noClientSecretIsKept() async throws {
        try await Shop.open { shop in
            let secret = try #require(try await make(shop).json["clientSecret"]?.string)
            let kept = try await shop.database.read { tx in
                try tx.query("SELECT result FROM idempotency_keys WHERE key = 'o-1'").map { try $0.blob(0) }
            }
            #expect(kept.count == 1)
            #expect(!String(decoding: kept.joined(), as: UTF8.self).contains(secret.suffix(20)))
        }
    }

    @Test func aForgottenKeyIsAnsweredWithTheOrderAsItIs() async throws {
        try await Shop.open(sheetWait: .zero) { shop in
            let first = try await make(shop)
            _ = try await shop.database.write { tx in try IdempotencyRecords.forget(before: .init(microseconds: .max), in: tx) }
            shop.clock.advance(by: .seconds(40 * 86_400))
            let again = try await make(shop)
            #expect(again.json["id"]?.string == first.json["id"]?.string)
            #expect(again.json["state"]?.string == "expired")
            #expect(again.json["clientSecret"]?.string == first.json["clientSecret"]?.string)
        }
    }

    @Test func aRepeatedPaymentSaysThatItIsOne() async throws {
        try await Shop.open(sheetWait: .zero) { shop in
            let order = try await shop.place()
            let token = try shop.token(for: order)
            let first = try await shop.pay(order, token)
            let again = try await shop.pay(order, token)
            #expect(!first.isReplayed && again.isReplayed && again.body == first.body)
            // Another key is another request, although it follows the same payment.
            #expect(try await shop.pay(order, token, key: "pay-2").isReplayed == false)
        }
    }

    @Test func aRefusalThatIsKeptSaysThatItIsGivenAgain() async throws {
        try await Shop.open(sheetWait: .zero) { shop in
            let order = try await shop.place()
            let token = try shop.token(for: order, minorUnits: 1)
            let (first, again) = (try await shop.pay(order, token), try await shop.pay(order, token))
            #expect(first.errorCode == "token-refused" && again.body == first.body)
            #expect(!first.isReplayed && again.isReplayed)
            let paid = try await shop.pay(order, key: "pay-2").paymentID
            let (early, late) = (try await shop.refund(paid, "1.00", key: "r"), try await shop.refund(paid, "1.00", key: "r"))
            #expect(early.errorCode == "wrong-state" && late.body == early.body && !early.isReplayed && late.isReplayed)
            let conflict = try await shop.refund(paid, "2.00", key: "r")
            #expect(conflict.errorCode == "idempotency-conflict" && !conflict.isReplayed)
        }
    }

    @Test(arguments: StoreEngine.available)
    func aRepeatedRefundAndCancellationAreTheFirstAnswer(engine: StoreEngine) async throws {
        try await Shop.open(engine, sheetWait: .zero) { shop in
            let payment = try await shop.pay(shop.place()).paymentID
            #expect(try await shop.notify(about: .consume).status == 200)
            let refund = try await shop.refund(payment, "1.00", key: "r")
            #expect(try await shop.notify(about: .refund).status == 200)
            let again = try await shop.refund(payment, "1.00", key: "r")
            #expect(again.body == refund.body && again.isReplayed && !refund.isReplayed)
            let other = try await shop.pay(shop.place(reference: "A-2"), key: "pay-2").paymentID
            #expect(try await shop.notify(about: .consume).status == 200)
            let cancellation = try await shop.cancel(other, key: "c")
            #expect(cancellation.status == 201 && !cancellation.isReplayed, "\(cancellation.body)")
            #expect(try await shop.notify(about: .void).status == 200)
            let twice = try await shop.cancel(other, key: "c")
            #expect(twice.body == cancellation.body && twice.isReplayed)
        }
    }

    /// The process was killed after the refund was decided and before it was answered: who asks again gets the first answer.
    @Test func aRefundThatNobodyWasToldOfIsAnsweredOnce() async throws {
        try await Shop.open(sheetWait: .zero) { shop in
            let payment = try await shop.pay(shop.place()).paymentID
            #expect(try await shop.notify(about: .consume).status == 200)
            let told = try await shop.refund(payment, "1.00", key: "r")
            let id = try TimeOrderedID(text: try #require(told.json["id"]?.string))
            _ = try await shop.database.write { tx in
                try tx.execute("UPDATE idempotency_keys SET result = ? WHERE key = 'r'", [id.sqlValue])
            }
            #expect(try await shop.notify(about: .refund).status == 200)
            let later = try await shop.refund(payment, "1.00", key: "r")
            #expect(later.json["state"]?.string == "succeeded")
            #expect(try await shop.refund(payment, "1.00", key: "r").body == later.body)
            #expect(shop.acquirer.received(.refund).count == 1)
        }
    }

    /// An earlier version kept a refund's answer without its order: it is repeated as it was given.
    @Test func aRefundsAnswerOfAnEarlierVersionIsRepeated() async throws {
        try await Shop.open(sheetWait: .zero) { shop in
            let payment = try await shop.pay(shop.place()).paymentID
            #expect(try await shop.notify(about: .consume).status == 200)
            let told = try await shop.refund(payment, "1.00", key: "r")
            #expect(told.json["reference"]?.string == "A-1")
            let id = try TimeOrderedID(text: try #require(told.json["id"]?.string))
            let old =
                #"{"amount":"1.00","currency":"CNY","id":"\#(id)","kind":"refund","payment":"\#(payment)","state":"accepted"}"#
            let kept = KeptAnswer(id, answer: Array(old.utf8)).stored
            _ = try await shop.database.write { tx in
                try tx.execute("UPDATE idempotency_keys SET result = ? WHERE key = 'r'", [.blob(kept)])
            }
            let again = try await shop.refund(payment, "1.00", key: "r")
            #expect(again.body == old && again.isReplayed)
            // What is true now has it.
            let now = try await shop.send(.get, "/v1/refunds/\(id)", bearer: Shop.apiKey)
            #expect(now.json["reference"]?.string == "A-1" && now.json["order"]?.string != nil)
        }
    }

    @Test func anAnswerIsKeptBehindItsID() throws {
        let id = try TimeOrderedID(text: "018f0000000070008000000000000001")
        #expect(KeptAnswer(stored: id.bytes) == KeptAnswer(id))
        let whole = KeptAnswer(id, answer: Array("{}".utf8))
        #expect(KeptAnswer(stored: whole.stored) == whole)
        #expect(KeptAnswer(stored: id.bytes + [0x20, 0x7B]) == nil)
        #expect(KeptAnswer(stored: Array(#"{"refusal":"wrong-state","reason":"no"}"#.utf8)) == nil)
        #expect(KeptAnswer(stored: []) == nil)
    }
}
