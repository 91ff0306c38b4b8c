import BillfoldJSON
import BillfoldPayments
import BillfoldStorage
import BillfoldTestSupport
import CardPaymentsServer
import Crypto
import Foundation
import HTTPTypes
import Testing
import UnionPay

/// Keys and messages are forgotten in time, and a request that comes again all the same moves nothing and gets what it got.
@Suite struct RetentionTests {
    private static func count(_ shop: Shop, _ table: String, _ condition: String = "1 = 1") async throws -> Int64 {
        try await shop.database.read { tx in try tx.query("SELECT COUNT(*) FROM \(table) WHERE \(condition)")[0].integer(0) }
    }

    @Test(arguments: StoreEngine.available)
    func afterAMonthARepeatMovesNothing(engine: StoreEngine) async throws {
        try await Shop.open(engine, sheetWait: .zero) { shop in
            let order = try await shop.place()
            let token = try shop.token(for: order)
            let first = try await shop.pay(order, token)
            _ = try await shop.notify(about: .consume)
            let refund = try await shop.refund(first.paymentID, "10.00", key: "r1")
            _ = try await shop.notify(about: .refund)
            let second = try await shop.pay(shop.place(reference: "A-2"), key: "pay-2")
            _ = try await shop.notify(about: .consume)
            let undone = try await shop.cancel(second.paymentID)
            _ = try await shop.notify(about: .void)
            shop.clock.advance(by: .seconds(29 * 86_400))
            try await shop.server.retentionWorker.runOnce()
            #expect(try await Self.count(shop, "idempotency_keys") == 6)
            shop.clock.advance(by: .seconds(2 * 86_400))
            try await shop.server.retentionWorker.runOnce()
            // What gives money back has no other name: its keys stay.
            #expect(try await Self.count(shop, "idempotency_keys") == 2)
            let placed = try await shop.place()
            #expect(placed.id == order.id && placed.secret == order.secret)
            let other = Array(Shop.electronicOrder.replacing("\"R\"", with: "\"A-1\"").replacing("16.50", with: "17.50").utf8)
            let taken = try await shop.send(.post, "/v1/orders", other, bearer: Shop.apiKey, key: "order-other")
            #expect(taken.status == 409 && taken.errorCode == "reference-taken", "\(taken.body)")
            let again = try await shop.pay(order, token)
            #expect(again.paymentID == first.paymentID && again.paymentState == "partlyRefunded", "\(again.body)")
            #expect(try await shop.refund(first.paymentID, "10.00", key: "r1").json["id"]?.string == refund.json["id"]?.string)
            #expect(try await shop.cancel(second.paymentID).json["id"]?.string == undone.json["id"]?.string)
            #expect(shop.acquirer.received(.consume).count == 2 && shop.acquirer.received(.refund).count == 1)
            #expect(shop.acquirer.received(.void).count == 1)
            #expect(try await shop.balance(.refunds) == 1_000)
        }
    }

    /// Whose payment is not known yet may ask for it for as long as that takes.
    @Test func aKeyWithoutAnAnswerIsKept() async throws {
        try await Shop.open { shop in
            try await shop.database.write { tx in
                let key = try IdempotencyKey(caller: "shop/x", operation: "POST /v1/orders/{id}/payments", key: "running")
                _ = try IdempotencyRecords.begin(
                    key, fingerprint: RequestFingerprint(parts: [[1]]), at: Timestamp(secondsSince1970: 1_795_204_800), in: tx)
            }
            shop.clock.advance(by: .seconds(400 * 86_400))
            try await shop.server.retentionWorker.runOnce()
            #expect(try await Self.count(shop, "idempotency_keys", "key = 'running'") == 1)
        }
    }

    @Test(arguments: StoreEngine.available)
    func messagesAreForgottenInSmallStepsByWhoeverComes(engine: StoreEngine) async throws {
        try await Shop.open(engine, sheetWait: .zero) { shop in
            _ = try await shop.pay(shop.place())
            _ = try await shop.notify(about: .consume)
            let (clock, database) = (shop.clock, shop.database)
            for owner in ["another", "shop", "third"] {
                let merchant = try BillfoldPayments.MerchantID(owner)
                try await database.write { tx in
                    for number in 0..<40 {
                        var id = [UInt8](repeating: 0, count: 16)
                        (id[6], id[8], id[15]) = (0x70, 0x80, UInt8(number))
                        let message = OutboxMessage(
                            merchant: merchant, id: try TimeOrderedID(bytes: id), destination: "x", kind: "consume",
                            subject: try TimeOrderedID(bytes: id), subjectVersion: 1, body: [], schedule: "x",
                            dueAt: clock.now().advanced(by: .seconds(1_000_000_000)), createdAt: clock.now())
                        let insertion = OutboxRecords.insertion(message)
                        try tx.execute(insertion.sql, insertion.bindings)
                    }
                    try tx.execute("UPDATE outbox SET state = 'done' WHERE merchant <> ? AND destination = ?", ["third", "x"])
                }
            }
            shop.clock.advance(by: .seconds(91 * 86_400))
            var configuration = RetentionWorker.Configuration()
            configuration.step = 7
            let workers = (0..<2).map { _ in
                RetentionWorker(
                    database: database, rules: [.messages], clock: clock, configuration: configuration, logger: TestStore.logger)
            }
            let removed = try await withThrowingTaskGroup(of: Int.self) { group in
                for worker in workers { group.addTask { try await worker.runOnce()["outbox", default: 0] } }
                return try await group.reduce(0, +)
            }
            // Beside the forty of two owners the payment's own deduct; what waits for its delivery stays.
            #expect(removed == 81)
            #expect(try await Self.count(shop, "outbox") == 40)
        }
    }

    /// Given up messages wait for a person, however long; what that person discards is kept a year from then.
    @Test(arguments: StoreEngine.available)
    func discardedMessagesAreKeptAYear(engine: StoreEngine) async throws {
        try await Shop.open(engine, sheetWait: .zero) { shop in
            _ = try await shop.pay(shop.place())
            _ = try await shop.database.write { tx in try tx.execute("UPDATE outbox SET state = 'dead'") }
            shop.clock.advance(by: .seconds(500 * 86_400))
            try await shop.server.retentionWorker.runOnce()
            let (clock, links) = (shop.clock, AuditChain(key: SymmetricKey(data: [UInt8](repeating: 1, count: 32))))
            let merchant = try BillfoldPayments.MerchantID("shop")
            try await shop.database.write { tx in
                let letter = try #require(try OutboxRecords.deadLetters(merchant, in: tx).first)
                let isDiscarded = try OutboxRecords.resolve(
                    letter.message.id, merchant: merchant, action: .discard, by: "lin", because: "settled by hand", at: clock.now(),
                    linking: links, in: tx)
                #expect(isDiscarded)
            }
            for (days, left) in [(364, Int64(1)), (2, 0)] {
                shop.clock.advance(by: .seconds(days * 86_400))
                try await shop.server.retentionWorker.runOnce()
                #expect(try await Self.count(shop, "outbox") == left)
            }
        }
    }
}
