import BillfoldMoney
import BillfoldSandbox
import BillfoldStorage
import BillfoldTestSupport
import BillfoldTrace
import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import SwiftASN1
import Testing
import UnionPay
import X509

@Suite(.serialized) struct OrderPushJourneyTests {
    /// Where an act on the page leads: the parts of the app's URL.
    private struct Way {
        var place: String
        var values: [String: String]

        init(_ location: String) throws {
            let parts = try #require(URLComponents(string: location))
            place = "\(parts.scheme ?? "")://\(parts.host ?? "")"
            values = Dictionary(uniqueKeysWithValues: (parts.queryItems ?? []).map { ($0.name, $0.value ?? "") })
        }
    }

    @Test func aPushedOrderIsPaidOnThePageAndNotified() async throws {
        try await UnionPayGatewayHarness.run { harness in
            let key = try harness.key("ORDER0001")
            let number = try await harness.number("ORDER0001", key: key)
            // Nothing is booked, and nobody is told anything yet.
            #expect(try await harness.verdict(key) == .notPerformed(.noSuchTransaction))
            #expect(try await harness.gateway.notifier.deliverDue() == 0)
            let page = try await harness.page(number)
            #expect(page.status == .ok)
            #expect(String(buffer: page.body).contains("33.00"))
            let way = try await Way(harness.act("pay", number))
            #expect(way.place == "shop://uppayresult")
            #expect(way.values["code"] == "success")
            let signed = try JSONDecoder().decode(UnverifiedAppResult.self, from: Data((way.values["data"] ?? "").utf8))
            let result = try await harness.resultVerifier().verified(signed)
            #expect(result.word == .success)
            #expect(result.number == number)
            #expect(try await harness.gateway.notifier.deliverDue() == 1)
            let notification = try harness.notification(#require(harness.notifications().first))
            #expect(notification.key == key)
            #expect(notification.amount.minorUnits == 3300)
            #expect(notification.isSuccess)
            #expect(notification.fields["bizType"] == "000201")
            #expect(try await harness.verdict(key) == .paid)
            #expect(try await harness.refund("REFUND001", of: notification.queryID, fen: 3300).code == .accepted)
        }
    }

    @Test(arguments: [("cancel", "cancel"), ("decline", "fail")])
    func whoDoesNotPayMayStillPayLater(act: String, word: String) async throws {
        try await UnionPayGatewayHarness.run { harness in
            let key = try harness.key("ORDER0001")
            let number = try await harness.number("ORDER0001", key: key)
            let way = try await Way(harness.act(act, number))
            #expect(way.values == ["code": word, "data": ""])
            #expect(try await harness.verdict(key) == .notPerformed(.noSuchTransaction))
            #expect(try await Way(harness.act("pay", number)).values["code"] == "success")
            #expect(try await harness.verdict(key) == .paid)
        }
    }

    /// A question about an order that waits for its customer is none too many; about one that is over, or nobody's, it is.
    @Test func aWaitingOrderIsNoProblem() async throws {
        try await UnionPayGatewayHarness.run { harness in
            let key = try harness.key("ORDER0001")
            _ = try await harness.number("ORDER0001", key: key)
            _ = try await harness.verdict(key)
            #expect(harness.sink.entries.allSatisfy { $0.problem == nil })
            harness.clock.advance(.seconds(901))
            #expect(try await harness.verdict(key) == .notPerformed(.noSuchTransaction))
            _ = try await harness.verdict(harness.key("ORDER0002"))
            #expect(harness.sink.entries.compactMap(\.problem).count == 2)
        }
    }

    @Test func payingTwiceBooksOnce() async throws {
        try await UnionPayGatewayHarness.run { harness in
            let number = try await harness.number("ORDER0001")
            for _ in 0..<3 { #expect(try await Way(harness.act("pay", number)).values["code"] == "success") }
            #expect(try await harness.gateway.notifier.deliverDue() == 1)
        }
    }

    @Test func nothingIsTakenAfterTheTimeLimit() async throws {
        try await UnionPayGatewayHarness.run { harness in
            let key = try harness.key("ORDER0001")
            let number = try await harness.number("ORDER0001", key: key)
            harness.clock.advance(.seconds(901))
            #expect(try await Way(harness.act("pay", number)).values["code"] == "fail")
            #expect(try await harness.verdict(key) == .notPerformed(.noSuchTransaction))
        }
    }

    @Test func aPushThatComesTwiceIsADuplicateWithoutANumber() async throws {
        try await UnionPayGatewayHarness.run { harness in
            let key = try harness.key("ORDER0001")
            _ = try await harness.number("ORDER0001", key: key)
            let second = try await harness.push("ORDER0001", key: key)
            #expect(second.code == .duplicate)
            #expect(second.number == nil)
        }
    }

    @Test func aPlanDecidesTheAnswerToAPush() async throws {
        try await UnionPayGatewayHarness.run { harness in
            try await harness.plan("ORDER0001") { $0.replyCode = "33" }
            let refused = try await harness.push("ORDER0001")
            #expect(try refused.bound(to: harness.key("ORDER0001")).outcome(of: .first) == .refused)
            try await harness.plan("ORDER0002") { $0.replyCode = "05" }
            let unclear = try await harness.push("ORDER0002")
            #expect(try unclear.bound(to: harness.key("ORDER0002")).outcome(of: .first) == .unresolved)
            try await harness.plan("ORDER0003") { $0.notification = .never }
            _ = try await harness.act("pay", harness.number("ORDER0003"))
            #expect(try await harness.gateway.notifier.deliverDue() == 0)
            #expect(try await harness.verdict(harness.key("ORDER0003")) == .paid)
        }
    }

    @Test(arguments: ["javascript", "https", "shop:", "1shop", ""]) func aSchemeThatIsNoAppsIsRefused(scheme: String) async throws {
        try await UnionPayGatewayHarness.run { harness in
            let number = try await harness.number("ORDER0001")
            let encoded = scheme.replacing(":", with: "%3A")
            #expect(try await harness.page(number, scheme: encoded).status == .badRequest)
            let answer = try await harness.client.execute(
                uri: "/unionpay/pay/\(number)/pay", method: .post, body: ByteBuffer(string: "scheme=\(encoded)"))
            #expect(answer.status == .badRequest)
            #expect(try await harness.verdict(harness.key("ORDER0001")) == .notPerformed(.noSuchTransaction))
        }
    }

    @Test func aStrangersNumberHasNoOrder() async throws {
        try await UnionPayGatewayHarness.run { harness in
            let answer = try await harness.page(TransactionNumber("000000000000000000001"))
            #expect(answer.status == .notFound)
            #expect(String(buffer: answer.body).contains("No order here has this number"))
        }
    }

    @Test(arguments: [
        ("mode=01", "parameter scheme"), ("scheme=shop", "parameter mode"), ("scheme=shop&mode=1", "parameter mode"),
        ("scheme=shop&mode=00", "test numbers only"),
    ])
    func thePageSaysWhatIsMissing(query: String, word: String) async throws {
        try await UnionPayGatewayHarness.run { harness in
            let number = try await harness.number("ORDER0001")
            let answer = try await harness.client.execute(uri: "/unionpay/pay/\(number)?\(query)", method: .get)
            #expect(answer.status == .badRequest)
            let text = String(buffer: answer.body)
            #expect(text.contains(word) && !text.contains("<form"), "\(text)")
        }
    }

    @Test func whatCannotBePaidAnyMoreLeadsBackAlone() async throws {
        try await UnionPayGatewayHarness.run { harness in
            let (paid, over) = (try await harness.number("ORDER0001"), try await harness.number("ORDER0002"))
            let open = try await String(buffer: harness.page(paid).body)
            #expect(open.contains("To pay") && open.contains("Cancel") && !open.contains("Back to the app"))
            _ = try await harness.act("pay", paid)
            harness.clock.advance(.seconds(901))
            for (number, word) in [(paid, ">Paid<"), (over, "The time to pay is over")] {
                let text = try await String(buffer: harness.page(number).body)
                #expect(text.contains(word) && text.contains("Back to the app"), "\(text)")
                #expect(text.components(separatedBy: "<form").count == 2 && !text.contains("Cancel"), "\(text)")
            }
        }
    }

    /// Whoever is ahead of everybody waits for nobody else: a page of theirs is over, and a late notification comes.
    @Test func aMerchantsPageAndNotificationsGoByItsTime() async throws {
        try await UnionPayGatewayHarness.run(spaces: MemorySpaces([UnionPayGatewayHarness.merchant])) { harness in
            let clock = try #require(harness.ownTime)
            try await harness.plan("ORDER0001") { $0.notificationDelaySeconds = 600 }
            let (paid, over) = (try await harness.number("ORDER0001"), try await harness.number("ORDER0002"))
            _ = try await harness.act("pay", paid)
            #expect(try await harness.gateway.notifier.deliverDue() == 0)
            try await clock.advance(UnionPayGatewayHarness.merchant, by: .seconds(600))
            #expect(try await harness.gateway.notifier.deliverDue() == 1)
            #expect(try await String(buffer: harness.page(over).body).contains("To pay"))
            try await clock.advance(UnionPayGatewayHarness.merchant, by: .seconds(301))
            #expect(try await String(buffer: harness.page(over).body).contains("The time to pay is over"))
        }
    }

    /// A deduct belongs to another address, and the client's product to this one alone.
    @Test func theAddressTakesPushesAlone() async throws {
        try await UnionPayGatewayHarness.run { harness in
            let deduct = try await harness.post(harness.consumeRequest("ORDER0001"), to: UnionPayGatewayHarness.app)
            #expect(deduct["respCode"] == "10")
            let push = try await harness.post(harness.pushRequest("ORDER0002"), to: UnionPayGatewayHarness.back)
            #expect(push["respCode"] == "10")
        }
    }
}

extension UnionPayGatewayHarness {
    fileprivate static let app = "gateway/api/appTransReq.do"

    fileprivate func pushRequest(_ order: String, key: TransactionKey? = nil) throws -> OrderPushRequest {
        let time = BeijingTime(secondsSince1970: clock.now().microseconds / 1_000_000 + 900)
        return OrderPushRequest(
            key: try key ?? self.key(order), amount: Amount(minorUnits: 3300, currency: try Currency("CNY")),
            backURL: "http://127.0.0.1:1/notify", orderDescription: "tea", payTimeout: time)
    }

    func push(_ order: String, key: TransactionKey? = nil) async throws -> OrderPushReply {
        try await Unverified<OrderPushReply>(post(pushRequest(order, key: key), to: Self.app)).verified(by: verifier, at: now)
    }

    func number(_ order: String, key: TransactionKey? = nil) async throws -> TransactionNumber {
        let reply = try await push(order, key: key)
        #expect(reply.code == .accepted)
        return try #require(reply.number)
    }

    fileprivate func page(_ number: TransactionNumber, scheme: String = "shop") async throws -> TestResponse {
        try await client.execute(uri: "/unionpay/pay/\(number)?scheme=\(scheme)&mode=01", method: .get)
    }

    /// Does it on the page, and returns where that leads.
    fileprivate func act(_ act: String, _ number: TransactionNumber) async throws -> String {
        let answer = try await client.execute(
            uri: "/unionpay/pay/\(number)/\(act)", method: .post, body: ByteBuffer(string: "scheme=shop"))
        #expect(answer.status == .seeOther)
        return try #require(answer.headers[.location])
    }

    fileprivate func resultVerifier() async throws -> LegacyAppResultSHA1Verifier {
        let answer = try await client.execute(uri: "/unionpay/control/result-key", method: .get)
        let certificate = try Certificate(pemEncoded: String(buffer: answer.body).trimmingCharacters(in: .whitespacesAndNewlines))
        return LegacyAppResultSHA1Verifier(certificates: [certificate])
    }
}
