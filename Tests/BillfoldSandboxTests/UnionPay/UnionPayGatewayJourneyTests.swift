import BillfoldArchive
import BillfoldMoney
import BillfoldSandbox
import BillfoldTrace
import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Testing
import UnionPay

@Suite(.serialized) struct UnionPayGatewayJourneyTests {
    private struct Books: Decodable {
        struct Entry: Decodable {
            var orderId: String
            var type: String
            var amount: String
            var fee: String
            var paid: Bool
        }
        struct Total: Decodable {
            var consumes: String
            var refunds: String
            var fees: String
            var net: String
        }
        var entries: [Entry]
        var totals: [Total]
    }

    @Test func paymentIsAcceptedNotifiedQueriedRefundedAndFiled() async throws {
        try await UnionPayGatewayHarness.run { harness in
            let key = try harness.key("ORDER0001")
            let reply = try await harness.consume("ORDER0001", key: key)
            #expect(reply.code == .accepted)
            #expect(reply.key == key)
            #expect(try await harness.gateway.notifier.deliverDue() == 1)
            let notification = try harness.notification(#require(harness.notifications().first))
            #expect(notification.key == key)
            #expect(notification.amount.minorUnits == 3300)
            #expect(notification.isSuccess)
            #expect(try await harness.gateway.notifier.deliverDue() == 0)

            let query = try await harness.query(key)
            #expect(query.verdict(of: notification.amount) == .paid)
            #expect(query.original?.queryID == notification.queryID)

            harness.clock.advance(.seconds(1))
            #expect(try await harness.refund("REFUND001", of: notification.queryID, fen: 1300).code == .accepted)
            harness.clock.advance(.seconds(1))
            #expect(try await harness.refund("REFUND002", of: notification.queryID, fen: 2001).code == .originalMismatch)
            #expect(try await harness.refund("REFUND003", of: notification.queryID, fen: 2000).code == .accepted)
            #expect(try await harness.refund("REFUND004", of: notification.queryID, fen: 1).code == .alreadyDone)
            #expect(try await harness.void("VOID00001", of: notification.queryID, fen: 3300).code == .alreadyDone)

            let file = try await harness.file()
            let archive = try ZipArchive(ZlibStream.decompressed(#require(file.fileContent)))
            let detail = try #require(archive.entries.first { $0.name.contains("ZM_") })
            let records = try DetailRecord.parse(detail.bytes)
            let cny = try Currency("CNY")
            let books = [
                BookedTransaction(
                    key: key, queryID: notification.queryID, type: .consume, amount: notification.amount,
                    fee: Amount(minorUnits: 17, currency: cny))
            ]
            let results = try Reconciliation.match(books: books, file: records, currency: cny)
            #expect(results.count == 3)
            guard case .matched = results[0] else {
                Issue.record("the consume does not match: \(results[0])")
                return
            }

            let response = try await harness.control(.get, "books?settleDate=1120&merId=\(UnionPayGatewayHarness.merchant)")
            let theirs = try JSONDecoder().decode(Books.self, from: Data(response.body.readableBytesView))
            #expect(theirs.entries.map(\.amount) == ["33.00", "13.00", "20.00"])
            #expect(theirs.totals.first?.net == "-0.17")
            #expect(theirs.totals.first?.refunds == "33.00")
        }
    }

    @Test func everyMessageIsReportedMasked() async throws {
        try await UnionPayGatewayHarness.run { harness in
            _ = try await harness.consume("ORDER0001")
            try await harness.gateway.notifier.deliverDue()
            let entries = harness.sink.entries
            #expect(entries.map(\.title) == ["consume", "consume", "consume notification", "acknowledgement"])
            #expect(entries.allSatisfy { $0.correlation["unionpay.order"] == "ORDER0001" && $0.bytes == nil })
            #expect(Set(entries.map(\.id)).count == 4)
            let text = String(decoding: try JSONEncoder().encode(entries), as: UTF8.self)
            #expect(!text.contains("6233999999990017") && !text.contains("nyYIESIz"))
        }
    }

    @Test func whatTheMerchantReportsIsNotReportedAgain() async throws {
        try await UnionPayGatewayHarness.run { harness in
            let body = try FormBody.encode(harness.consumeRequest("ORDER0001").signed(by: harness.signer))
            _ = try await harness.post(body, to: UnionPayGatewayHarness.back, exchange: "exchange-1")
            try await harness.gateway.notifier.deliverDue()
            #expect(harness.sink.entries.map(\.title) == ["consume notification", "acknowledgement"])
            #expect(harness.receiver.exchanges == harness.sink.entries.prefix(1).map(\.id))
        }
    }

    @Test func aRefusalOfAReportedMessageIsOneProblem() async throws {
        try await UnionPayGatewayHarness.run { harness in
            var fields = try harness.consumeRequest("ORDER0001").signed(by: harness.signer)
            fields["txnAmt"] = "1"
            #expect(
                try await harness.post(FormBody.encode(fields), to: UnionPayGatewayHarness.back, exchange: "exchange-1")["respCode"] == "11"
            )
            let entries = harness.sink.entries
            #expect(entries.map(\.title) == ["consume refused"])
            #expect(entries.allSatisfy { $0.kind == .note && $0.problem != nil && $0.correlation["unionpay.order"] == "ORDER0001" })
        }
    }

    @Test func aPlanShowsInTheStoryWithoutAProblemOfTheGateway() async throws {
        try await UnionPayGatewayHarness.run { harness in
            try await harness.plan("ORDER0001") {
                $0.corruptReplySignature = true
                $0.notification = .corruptSignature
            }
            let body = try FormBody.encode(harness.consumeRequest("ORDER0001").signed(by: harness.signer))
            _ = try await harness.post(body, to: UnionPayGatewayHarness.back, exchange: "exchange-1")
            try await harness.gateway.notifier.deliverDue()
            let entries = harness.sink.entries
            #expect(entries.map(\.title) == ["consume reply corrupted", "consume notification", "acknowledgement"])
            #expect(entries.prefix(2).allSatisfy { $0.fields.contains { $0.name == "fault plan" } })
            #expect(entries.allSatisfy { $0.problem == nil })
        }
    }

    @Test func resentMessageIsADuplicateAndBooksOnce() async throws {
        try await UnionPayGatewayHarness.run { harness in
            let key = try harness.key("ORDER0001")
            #expect(try await harness.consume("ORDER0001", key: key).code == .accepted)
            #expect(try await harness.consume("ORDER0001", key: key).code == .duplicate)
            harness.clock.advance(.seconds(60))
            #expect(try await harness.consume("ORDER0001").code == .duplicate)
            try await harness.gateway.notifier.deliverDue()
            #expect(harness.receiver.bodies.count == 1)
        }
    }

    @Test func unsignedForeignAndMisplacedMessagesAreRefused() async throws {
        try await UnionPayGatewayHarness.run { harness in
            let request = QueryRequest(key: try harness.key("ORDER0001"))
            var fields = try request.signed(by: harness.signer)
            fields["orderId"] = "ORDER0002"
            let changed = try await harness.post(FormBody.encode(fields), to: "gateway/api/queryTrans.do")
            #expect(changed["respCode"] == "11")
            #expect(ReplyText(changed["respMsg"] ?? "").reason == "9100004")
            let misplaced = try await harness.post(request, to: UnionPayGatewayHarness.back)
            #expect(misplaced["respCode"] == "10")
            let unreadable = try await harness.post("a=%zz", to: UnionPayGatewayHarness.back)
            #expect(unreadable["respCode"] == "10")
            for reply in [changed, misplaced, unreadable] {
                #expect(throws: Never.self) { try Unverified<AcceptanceReply>(reply).verified(by: harness.verifier, at: harness.now) }
            }
        }
    }

    @Test func queryWithAnotherTimeFindsNothing() async throws {
        try await UnionPayGatewayHarness.run { harness in
            let key = try harness.key("ORDER0001")
            _ = try await harness.consume("ORDER0001", key: key)
            var other = key
            other.time = key.time.adding(seconds: 1)
            #expect(try await harness.query(other).code == .noSuchTransaction)
        }
    }

    @Test func voidTakesBackTheSameDayOnce() async throws {
        try await UnionPayGatewayHarness.run { harness in
            let queryID = try #require(try await harness.consume("ORDER0001").queryID)
            #expect(try await harness.void("VOID00001", of: queryID, fen: 3299).code == .originalMismatch)
            #expect(try await harness.void("VOID00002", of: queryID, fen: 3300).code == .accepted)
            #expect(try await harness.void("VOID00003", of: queryID, fen: 3300).code == .alreadyDone)
            #expect(try await harness.refund("REFUND001", of: queryID, fen: 1).code == .alreadyDone)
        }
    }

    @Test func voidAfterTheDayEndedIsRefusedAndRefundIsNot() async throws {
        try await UnionPayGatewayHarness.run { harness in
            let queryID = try #require(try await harness.consume("ORDER0001").queryID)
            harness.clock.advance(.seconds(3 * 3600))  // 23:00: the next settlement day.
            #expect(try await harness.void("VOID00001", of: queryID, fen: 3300).code == ReplyCode(rawValue: "39"))
            #expect(try await harness.refund("REFUND001", of: queryID, fen: 3300).code == .accepted)
        }
    }

    @Test func reversalIsRepeatableAndSilencesTheNotification() async throws {
        try await UnionPayGatewayHarness.run { harness in
            let key = try harness.key("ORDER0001")
            #expect(try await harness.reverse(key, fen: 3300).code == .noSuchTransaction)
            _ = try await harness.consume("ORDER0001", key: key)
            #expect(try await harness.reverse(key, fen: 1).code == .originalMismatch)
            #expect(try await harness.reverse(key, fen: 3300).code == .accepted)
            #expect(try await harness.reverse(key, fen: 3300).code == .accepted)
            #expect(try await harness.verdict(key) != .paid)
            #expect(try await harness.gateway.notifier.deliverDue() == 0)
            #expect(try await harness.file().code == .fileMissing)
        }
    }

    @Test func notificationIsRepeatedFiveTimesAtMost() async throws {
        let receiver = TestReceiver(answers: [500, nil, 404, 301, 500])
        try await UnionPayGatewayHarness.run(receiver) { harness in
            _ = try await harness.consume("ORDER0001")
            var sends: [Int] = []
            for _ in 0..<20 {
                sends.append(try await harness.gateway.notifier.deliverDue())
                harness.clock.advance(.seconds(60))
            }
            #expect(sends.reduce(0, +) == 5)
            #expect(sends[0] == 1 && sends[1] == 1 && sends[2] == 0)
            #expect(Set(harness.receiver.bodies).count == 1)
        }
    }

    private struct Told: Decodable {
        struct Order: Decodable { var notifications: [Notice] }
        struct Notice: Decodable {
            struct Attempt: Decodable {
                var number: Int
                var status: Int?
                var milliseconds: Int64
                var reply: String
                var reason: String?
            }
            var id: String
            var url: String
            var state: String
            var nextAt: Int64?
            var log: [Attempt]
        }
        var orders: [Order]
    }

    /// Each attempt is kept, and one that was given up is sent again when somebody asks.
    @Test func everyAttemptToNotifyIsKept() async throws {
        try await UnionPayGatewayHarness.run(TestReceiver(answers: [500, nil, 404, 301, 500])) { harness in
            _ = try await harness.consume("ORDER0001")
            func notice() async throws -> Told.Notice {
                let listed = try await harness.control(.get, "orders?merId=\(UnionPayGatewayHarness.merchant)")
                let told = try JSONDecoder().decode(Told.self, from: Data(listed.body.readableBytesView))
                return try #require(told.orders.first?.notifications.first)
            }
            try await harness.gateway.notifier.deliverDue()
            #expect(try await notice().nextAt != nil)
            for _ in 0..<10 {
                harness.clock.advance(.seconds(300))
                try await harness.gateway.notifier.deliverDue()
            }
            let given = try await notice()
            #expect(given.state == "given-up" && given.nextAt == nil && !given.url.contains("?"))
            #expect(given.log.map(\.number) == [1, 2, 3, 4, 5] && given.log.map(\.status) == [500, nil, 404, 301, 500])
            #expect(given.log.map(\.reason) == ["wrong-status", "no-answer", "wrong-status", "wrong-status", "wrong-status"])
            #expect(given.log.first?.reply == "told" && given.log.allSatisfy { $0.milliseconds >= 0 })
            let place = "notifications/\(UnionPayGatewayHarness.merchant)"
            #expect(try await harness.control(.post, "\(place)/\(given.id)/resend").status == .noContent)
            try await harness.gateway.notifier.deliverDue()
            let again = try await notice()
            #expect(again.state == "acknowledged" && again.log.last?.reason == nil && again.log.count == 6)
            for id in ["00", "x", given.id + "00"] {
                #expect(try await harness.control(.post, "\(place)/\(id)/resend").status == .notFound, "\(id)")
            }
        }
    }

    @Test(arguments: [200, 302]) func acknowledgementEndsTheRepetition(status: Int) async throws {
        try await UnionPayGatewayHarness.run(TestReceiver(answers: [500, status])) { harness in
            _ = try await harness.consume("ORDER0001")
            for _ in 0..<10 {
                try await harness.gateway.notifier.deliverDue()
                harness.clock.advance(.seconds(300))
            }
            #expect(harness.receiver.bodies.count == 2)
        }
    }

    @Test func openDayHasNoFileWhereTheGatewayIsStrict() async throws {
        try await UnionPayGatewayHarness.run(configuration: .init(servesOpenDays: false)) { harness in
            _ = try await harness.consume("ORDER0001")
            #expect(try await harness.file().code == .fileMissing)
        }
    }
}
