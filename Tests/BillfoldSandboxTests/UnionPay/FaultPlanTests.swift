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

/// Each fault, alone, at the running gateway.
@Suite(.serialized) struct FaultPlanTests {
    private static let order = "ORDER0001"

    @Test func lostRequestBooksNothing() async throws {
        try await UnionPayGatewayHarness.run { harness in
            try await harness.plan(Self.order) { $0.loss = .request }
            let key = try harness.key(Self.order)
            await #expect(throws: (any Error).self) { try await harness.consume(Self.order, key: key) }
            #expect(try await harness.query(key).code == .noSuchTransaction)
        }
    }

    @Test func lostReplyBooksAllTheSame() async throws {
        try await UnionPayGatewayHarness.run { harness in
            try await harness.plan("next") { $0.loss = .reply }
            let key = try harness.key(Self.order)
            await #expect(throws: (any Error).self) { try await harness.consume(Self.order, key: key) }
            #expect(try await harness.verdict(key) == .paid)
            #expect(try await harness.consume("ORDER0002").code == .accepted)
        }
    }

    @Test func delayedReplyStillComes() async throws {
        try await UnionPayGatewayHarness.run { harness in
            try await harness.plan(Self.order) { $0.replyDelayMilliseconds = 30 }
            #expect(try await harness.consume(Self.order).code == .accepted)
        }
    }

    @Test func corruptReplyDoesNotVerifyAndIsBooked() async throws {
        try await UnionPayGatewayHarness.run { harness in
            try await harness.plan(Self.order) { $0.corruptReplySignature = true }
            let key = try harness.key(Self.order)
            let error = await #expect(throws: UnionPayError.self) { try await harness.consume(Self.order, key: key) }
            #expect(error?.code == .signatureMismatch)
            #expect(try await harness.verdict(key) == .paid)
        }
    }

    @Test func silentNotificationNeverComes() async throws {
        try await UnionPayGatewayHarness.run { harness in
            try await harness.plan(Self.order) { $0.notification = .never }
            _ = try await harness.consume(Self.order)
            harness.clock.advance(.seconds(86_400))
            #expect(try await harness.gateway.notifier.deliverDue() == 0)
        }
    }

    @Test func corruptNotificationDoesNotVerify() async throws {
        try await UnionPayGatewayHarness.run { harness in
            try await harness.plan(Self.order) { $0.notification = .corruptSignature }
            _ = try await harness.consume(Self.order)
            try await harness.gateway.notifier.deliverDue()
            let fields = try #require(try harness.notifications().first)
            #expect(throws: UnionPayError.self) { try harness.notification(fields) }
        }
    }

    @Test func wrongAmountIsRightlySigned() async throws {
        try await UnionPayGatewayHarness.run { harness in
            try await harness.plan(Self.order) {
                $0.notification = .wrongAmount
                $0.amountOffset = -100
            }
            _ = try await harness.consume(Self.order)
            try await harness.gateway.notifier.deliverDue()
            #expect(try harness.notification(#require(harness.notifications().first)).amount.minorUnits == 3200)
        }
    }

    @Test func delayedNotificationWaits() async throws {
        try await UnionPayGatewayHarness.run { harness in
            try await harness.plan(Self.order) { $0.notificationDelaySeconds = 90 }
            _ = try await harness.consume(Self.order)
            harness.clock.advance(.seconds(89))
            #expect(try await harness.gateway.notifier.deliverDue() == 0)
            harness.clock.advance(.seconds(1))
            #expect(try await harness.gateway.notifier.deliverDue() == 1)
        }
    }

    @Test func duplicateNotificationsAreTheSame() async throws {
        try await UnionPayGatewayHarness.run { harness in
            try await harness.plan(Self.order) { $0.duplicateNotifications = 2 }
            _ = try await harness.consume(Self.order)
            try await harness.gateway.notifier.deliverDue()
            #expect(harness.receiver.bodies.count == 3)
            #expect(Set(harness.receiver.bodies).count == 1)
        }
    }

    @Test func notificationCanOvertakeTheReply() async throws {
        try await UnionPayGatewayHarness.run { harness in
            try await harness.plan(Self.order) { $0.notificationBeforeReply = true }
            _ = try await harness.consume(Self.order)
            #expect(harness.sink.entries.map(\.title).suffix(2) == ["acknowledgement", "consume"])
            #expect(harness.receiver.bodies.count == 1)
        }
    }

    @Test func aPlanCanBeSetForTheShopsOrderAndReadBack() async throws {
        try await UnionPayGatewayHarness.run { harness in
            #expect(try await harness.control(.get, "plans/SHOPORDER1").status == .notFound)
            try await harness.plan("SHOPORDER1") { $0.replyCode = "61" }
            let held = try await harness.control(.get, "plans/SHOPORDER1")
            #expect(try JSONDecoder().decode(FaultPlan.self, from: Data(held.body.readableBytesView)).replyCode == "61")
            var request = try harness.consumeRequest(Self.order)
            request.reserved = "SHOPORDER1"
            #expect(try await harness.post(request, to: UnionPayGatewayHarness.back)["respCode"] == "61")
            #expect(try await harness.consume("ORDER0009").code == .accepted)
        }
    }

    @Test func thePlanForTheNextOrderIsUsedUp() async throws {
        try await UnionPayGatewayHarness.run { harness in
            try await harness.plan("next") { $0.duplicateNotifications = 1 }
            #expect(try await harness.control(.get, "plans/next").status == .ok)
            _ = try await harness.consume(Self.order)
            #expect(try await harness.control(.get, "plans/next").status == .notFound)
        }
    }

    @Test func scriptedQueriesComeBeforeTheTruth() async throws {
        try await UnionPayGatewayHarness.run { harness in
            try await harness.plan(Self.order) {
                $0.replyCode = "03"
                $0.queryCodes = ["34", "05", "04"]
            }
            let key = try harness.key(Self.order)
            #expect(try await harness.consume(Self.order, key: key).code.class == .unknown)
            #expect(try await harness.query(key).code == .noSuchTransaction)
            #expect(try await harness.query(key).original?.code.rawValue == "05")
            #expect(try await harness.query(key).original?.code.rawValue == "04")
            #expect(try await harness.verdict(key) == .paid)
        }
    }

    @Test func declineIsFinalAndSilent() async throws {
        try await UnionPayGatewayHarness.run { harness in
            try await harness.plan(Self.order) { $0.replyCode = "64" }
            let key = try harness.key(Self.order)
            let reply = try await harness.consume(Self.order, key: key)
            #expect(reply.code.class == .declined)
            #expect(try await harness.verdict(key) == .declined(ReplyCode(rawValue: "64")))
            #expect(try await harness.gateway.notifier.deliverDue() == 0)
            #expect(try await harness.refund("REFUND001", of: try #require(reply.queryID), fen: 1).code == .originalUnusable)
        }
    }

    @Test(arguments: ["05", "64"]) func lateSuccessOvertakesWhatWasSaid(code: String) async throws {
        try await UnionPayGatewayHarness.run { harness in
            try await harness.plan(Self.order) {
                $0.replyCode = code
                $0.lateSuccessSeconds = 600
            }
            let key = try harness.key(Self.order)
            #expect(try await harness.consume(Self.order, key: key).code.rawValue == code)
            #expect(try await harness.verdict(key) != .paid)
            #expect(try await harness.gateway.notifier.deliverDue() == 0)
            harness.clock.advance(.seconds(600))
            #expect(try await harness.verdict(key) == .paid)
            #expect(try await harness.gateway.notifier.deliverDue() == 1)
        }
    }

    @Test func refusedMessageIsNotBooked() async throws {
        try await UnionPayGatewayHarness.run { harness in
            try await harness.plan(Self.order) { $0.replyCode = "33" }
            let key = try harness.key(Self.order)
            #expect(try await harness.consume(Self.order, key: key).code.class == .setUp)
            #expect(try await harness.query(key).code == .noSuchTransaction)
        }
    }

    @Test(arguments: FaultPlan.FileDifference.allCases) func fileCanDifferFromTheBooks(difference: FaultPlan.FileDifference) async throws {
        try await UnionPayGatewayHarness.run { harness in
            try await harness.plan(Self.order) {
                $0.fileDifference = difference
                $0.amountOffset = 7
            }
            _ = try await harness.consume(Self.order)
            _ = try await harness.consume("ORDER0002")
            let content = try #require(try await harness.file().fileContent)
            let archive = try ZipArchive(ZlibStream.decompressed(content))
            let records = try DetailRecord.parse(#require(archive.entries.first).bytes)
            #expect(records.count == (difference == .omitted ? 1 : 2))
            let mine = records.first { $0[.orderID] == Self.order }
            #expect(mine?[.amount] == (difference == .omitted ? nil : difference == .amount ? "000000003307" : "000000003300"))
            #expect(mine?[.fee] == (difference == .omitted ? nil : difference == .fee ? "D000000000024" : "D000000000017"))
        }
    }

    @Test func defaultPlanIsDrawnFromItsSeed() async throws {
        let plans = (0..<200).map { FaultPlan.drawn(seed: 5, for: "ORDER\($0)") }
        #expect(plans == (0..<200).map { FaultPlan.drawn(seed: 5, for: "ORDER\($0)") })
        #expect(plans != (0..<200).map { FaultPlan.drawn(seed: 6, for: "ORDER\($0)") })
        #expect(plans.filter { $0 == FaultPlan() }.count > 50)
        try await UnionPayGatewayHarness.run { harness in
            #expect(try await harness.control(.put, "plans/default", ["seed": 5]).status == .noContent)
            let declined = try #require((0..<500).map { "ORDER\($0)AAA" }.first { FaultPlan.drawn(seed: 5, for: $0).replyCode == "64" })
            #expect(try await harness.consume(declined).code.rawValue == "64")
        }
    }

    @Test(arguments: [#"{"los":"reply"}"#, #"{"loss":"everything"}"#, "[]", "x", #"{"duplicateNotifications":-1}"#])
    func planThatIsNotUnderstoodIsRefused(body: String) async throws {
        try await UnionPayGatewayHarness.run { harness in
            let response = try await harness.client.execute(
                uri: "/unionpay/control/plans/next", method: .put, body: ByteBuffer(string: body))
            #expect(response.status == .badRequest)
            #expect(String(buffer: response.body).contains(#""code":"invalid-body""#))
        }
    }
}
