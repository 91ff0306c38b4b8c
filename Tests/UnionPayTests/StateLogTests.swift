import BillfoldDiagnosis
import Foundation
import Testing
import UnionPayDiagnosis

/// What a merchant's log of events gives away.
@Suite struct StateLogTests {
    private struct Event: Encodable {
        var event: String
        var order: String? = "A1"
        var amount: String?
        var orderId: String?
        var state: String?
        var code: String?
        var fields: [String: String]?
    }

    private func codes(_ events: [Event]) throws -> [String] {
        let document = try JSONEncoder().encode(["unionpayLog": events])
        return UnionPayDiagnostician(instant: TestAuthority.now)
            .examine([Artifact(name: "log.json", bytes: Array(document))]).findings.map(\.code).sorted()
    }

    private struct Story {
        var order: String
        var fen: Int
        var consume: Event
        var ack: Event
        var paid: Event
        var queryID: String

        init(_ dice: inout Dice) {
            order = dice.letters(8...40)
            fen = Int.random(in: 101...9_999_999, using: &dice)
            queryID = dice.digits(21)
            let time = "202611" + (["18", "19", "20"].randomElement(using: &dice) ?? "18") + "120000"
            consume = Event(
                event: "request", amount: "\(fen / 100).\(fen % 100 < 10 ? "0" : "")\(fen % 100)",
                fields: ["txnType": "01", "orderId": order, "txnTime": time, "txnAmt": String(fen), "currencyCode": "156"])
            ack = Event(event: "reply", fields: ["respCode": "00", "orderId": order])
            paid = Event(
                event: "notification",
                fields: ["respCode": "00", "orderId": order, "queryId": queryID, "txnAmt": String(fen), "txnType": "01"])
        }

        func state(_ state: String) -> Event { Event(event: "state", orderId: order, state: state) }
        func refund(_ id: String, _ fen: Int) -> Event {
            Event(event: "request", fields: ["txnType": "04", "orderId": id, "origQryId": queryID, "txnAmt": String(fen)])
        }
    }

    /// What UnionPay's client says on the phone proves nothing, whatever it says.
    @Test(arguments: 0..<20 as Range<UInt64>) func theClientsWordIsNoEvidence(seed: UInt64) throws {
        var dice = Dice(seed: seed)
        let story = Story(&dice)
        func word(_ code: String) -> Event { Event(event: "appResult", orderId: story.order, code: code) }
        let pushed = [story.consume, story.ack]
        #expect(try codes(pushed + [word("success"), story.state("succeeded")]) == ["unionpay.paid-on-app-result"], "seed \(seed)")
        #expect(try codes(pushed + [word("success"), story.paid, story.state("succeeded")]).isEmpty, "seed \(seed)")
        // The last word counts: the customer came back, and left.
        #expect(
            try codes(pushed + [word("success"), word("cancel"), story.state("succeeded")]) == ["unionpay.paid-on-acceptance"],
            "seed \(seed)")
        for said in ["cancel", "fail"] {
            #expect(try codes(pushed + [word(said), story.state("failed")]) == ["unionpay.failed-on-app-result"], "seed \(seed)")
            let refused = Event(event: "queryReply", orderId: story.order, fields: ["respCode": "00", "origRespCode": "64"])
            #expect(try codes(pushed + [word(said), refused, story.state("failed")]).isEmpty, "seed \(seed)")
        }
        #expect(try codes(pushed + [word("success"), story.state("failed")]) == ["unionpay.failed-on-timeout"], "seed \(seed)")
        // Somebody else's word.
        let other = Event(event: "appResult", orderId: story.order + "0", code: "success")
        #expect(try codes(pushed + [other, story.state("succeeded")]) == ["unionpay.paid-on-acceptance"], "seed \(seed)")
    }

    @Test(arguments: 0..<20 as Range<UInt64>) func eachMistakeIsNamed(seed: UInt64) throws {
        var dice = Dice(seed: seed)
        let story = Story(&dice)
        #expect(try codes([story.consume, story.ack, story.state("succeeded")]) == ["unionpay.paid-on-acceptance"], "seed \(seed)")
        #expect(try codes([story.consume, story.state("failed")]) == ["unionpay.failed-on-timeout"], "seed \(seed)")

        var second = story.consume
        second.fields?["orderId"] = dice.letters(8...40)
        #expect(try codes([story.consume, story.ack, second]) == ["unionpay.two-live-attempts"], "seed \(seed)")

        var query = story.consume
        query.fields = ["txnType": "00", "orderId": story.order, "txnTime": "20261121000000"]
        #expect(try codes([story.consume, query]) == ["unionpay.query-other-time"], "seed \(seed)")

        for (amount, code) in [(story.fen * 100, "unionpay.amount-factor"), (story.fen + 1, "unionpay.amount-differs")] {
            var wrong = story.consume
            wrong.fields?["txnAmt"] = String(amount)
            #expect(try codes([wrong]) == [code], "seed \(seed)")
        }
        var whole = story.consume
        whole.amount = "\(story.fen).00"
        #expect(try codes([whole]) == ["unionpay.amount-factor"], "seed \(seed)")

        var other = story.paid
        other.fields?["txnAmt"] = String(story.fen - 1)
        #expect(try codes([story.consume, story.ack, other]) == ["unionpay.notified-amount"], "seed \(seed)")

        #expect(try codes([story.consume, story.ack, story.refund("REFUND01", 1)]) == ["unionpay.refund-before-success"], "seed \(seed)")
        #expect(
            try codes([story.consume, story.paid, story.refund("REFUND01", story.fen), story.refund("REFUND02", 1)])
                == ["unionpay.refunds-exceed-payment"], "seed \(seed)")
    }

    @Test func amountsBeyondSixtyFourBitsAreStillAdded() throws {
        var dice = Dice(seed: 1)
        let story = Story(&dice)
        let refunds = ["REFUND01", "REFUND02"].map { story.refund($0, .max) }
        #expect(
            try codes([story.consume, story.paid] + refunds) == ["unionpay.refunds-exceed-payment", "unionpay.refunds-exceed-payment"])
    }

    /// A product that wraps round to the order's amount is no factor between units.
    @Test func wrappedProductIsNotTheFactor() throws {
        // 184467440737095518 times 100 is 184 beyond 2^64.
        let consume = Event(
            event: "request", amount: "1.84",
            fields: [
                "txnType": "01", "orderId": "ORDER0001", "txnTime": "20261118120000", "txnAmt": "184467440737095518", "currencyCode": "156",
            ])
        #expect(try codes([consume]) == ["unionpay.amount-differs"])
    }

    /// What stands in the reply to a query that did not work is about nothing.
    @Test func aRefusedQueryIsNoRefusalOfThePayment() throws {
        var dice = Dice(seed: 2)
        let story = Story(&dice)
        let query = Event(event: "queryReply", fields: ["respCode": "37", "origRespCode": "64", "orderId": story.order])
        #expect(try codes([story.consume, query, story.state("failed")]) == ["unionpay.failed-on-timeout"])
    }

    @Test(arguments: 0..<20 as Range<UInt64>) func cleanStoriesHaveNoFinding(seed: UInt64) throws {
        var dice = Dice(seed: seed)
        let story = Story(&dice)
        #expect(try codes([story.consume, story.ack, story.paid, story.state("succeeded"), story.refund("REFUND01", story.fen)]) == [])
        let declined = Event(event: "queryReply", fields: ["respCode": "00", "origRespCode": "64", "orderId": story.order])
        var second = story.consume
        second.fields?["orderId"] = dice.letters(8...40)
        #expect(try codes([story.consume, declined, story.state("failed"), second]) == [])
    }
}
