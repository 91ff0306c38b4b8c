import BillfoldSandbox
import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Testing
import UnionPay

/// What happens while something else is on its way.
@Suite(.serialized) struct GatewayRaceTests {
    @Test func ofTwoCopiesOfAPushOneHasTheNumber() async throws {
        try await UnionPayGatewayHarness.run { harness in
            let key = try harness.key("ORDER0001")
            let codes = try await withThrowingTaskGroup(of: OrderPushReply.self) { group in
                for _ in 0..<6 { group.addTask { try await harness.push("ORDER0001", key: key) } }
                return try await group.reduce(into: [OrderPushReply]()) { $0.append($1) }
            }
            #expect(codes.filter { $0.code == .accepted && $0.number != nil }.count == 1)
            #expect(codes.filter { $0.code == .duplicate && $0.number == nil }.count == 5)
        }
    }

    /// Two windows, one order: the money moves once, and each window says so.
    @Test func whoPaysTwiceAtOncePaysOnce() async throws {
        try await UnionPayGatewayHarness.run { harness in
            let number = try await harness.number("ORDER0001")
            let places = try await withThrowingTaskGroup(of: String?.self) { group in
                for _ in 0..<6 {
                    group.addTask {
                        let answer = try await harness.client.execute(
                            uri: "/unionpay/pay/\(number)/pay", method: .post, body: ByteBuffer(string: "scheme=shop"))
                        return answer.headers[.location]
                    }
                }
                return try await group.reduce(into: [String?]()) { $0.append($1) }
            }
            #expect(places.allSatisfy { $0?.hasPrefix("shop://uppayresult?code=success&data=") == true }, "\(places)")
            #expect(try await harness.gateway.notifier.deliverDue() == 1)
        }
    }

    /// An order that waits for its customer is not paid by a card as well.
    @Test func aDeductUnderAPushedOrdersNumberIsADuplicate() async throws {
        try await UnionPayGatewayHarness.run { harness in
            _ = try await harness.number("ORDER0001")
            harness.clock.advance(.seconds(1))
            #expect(try await harness.consume("ORDER0001").code == .duplicate)
            #expect(try await harness.gateway.notifier.deliverDue() == 0)
        }
    }

    @Test func aNoticeThatIsAskedForOnItsWayGoesOnceMore() async throws {
        let receiver = TestReceiver()
        try await UnionPayGatewayHarness.run(receiver) { harness in
            _ = try await harness.consume("ORDER0001")
            let id = try await harness.notice().id
            receiver.meanwhile {
                let place = "notifications/\(UnionPayGatewayHarness.merchant)/\(id)/resend"
                let status = try await harness.control(.post, place).status
                #expect(status == .noContent)
            }
            try await harness.gateway.notifier.deliverDue()
            #expect(try await harness.notice().state == "waiting")
            try await harness.gateway.notifier.deliverDue()
            let notice = try await harness.notice()
            #expect(notice.state == "acknowledged" && notice.log.map(\.number) == [1, 2])
            #expect(receiver.bodies.count == 2)
        }
    }

    @Test func aNoticeThatIsTakenBackOnItsWayStaysTakenBack() async throws {
        let receiver = TestReceiver(answers: [500])
        try await UnionPayGatewayHarness.run(receiver) { harness in
            let key = try harness.key("ORDER0001")
            _ = try await harness.consume("ORDER0001", key: key)
            receiver.meanwhile {
                let code = try await harness.reverse(key, fen: 3300).code
                #expect(code == .accepted)
            }
            try await harness.gateway.notifier.deliverDue()
            #expect(try await harness.notice().state == "cancelled")
            harness.clock.advance(.seconds(3_600))
            #expect(try await harness.gateway.notifier.deliverDue() == 0)
            #expect(try await harness.notice().log.map(\.number) == [1])
        }
    }
}

private struct Told: Decodable {
    struct Attempt: Decodable { var number: Int }
    struct Notice: Decodable {
        var id: String
        var state: String
        var log: [Attempt]
    }
    struct Order: Decodable { var notifications: [Notice] }
    var orders: [Order]
}

extension UnionPayGatewayHarness {
    /// The one notification of the one order.
    fileprivate func notice() async throws -> Told.Notice {
        let listed = try await control(.get, "orders?merId=\(Self.merchant)")
        return try #require(
            JSONDecoder().decode(Told.self, from: Data(listed.body.readableBytesView)).orders.first?.notifications.first)
    }
}
