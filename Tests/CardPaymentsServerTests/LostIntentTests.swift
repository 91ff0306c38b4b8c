import ApplePay
import ApplePayForging
import BillfoldJSON
import BillfoldPayments
import BillfoldServer
import BillfoldServerTestSupport
import BillfoldStorage
import BillfoldTestSupport
import BillfoldWeb
import CardPaymentsServer
import Foundation
import HTTPTypes
import Testing
import UnionPay

/// A store that is put back to what it was before, and callers who ask again as they are told to.
@Suite struct LostIntentTests {
    // MARK: Payments

    /// A charge that was told of and acknowledged before its rows were lost.
    private func lostCharge(_ shop: Shop) async throws -> (order: Shop.PlacedOrder, token: ComposedToken, first: Shop.Answer) {
        let order = try await shop.place()
        let token = try shop.token(for: order)
        try await shop.remember()
        let first = try await shop.pay(order, token)
        #expect(try await shop.notify(about: .consume).status == 200)
        try await shop.lose()
        return (order, token, first)
    }

    /// The notification was acknowledged before the loss and never comes again: the acquirer's word has to be asked for.
    @Test(arguments: StoreEngine.available)
    func aChargeWhoseTokenIsTooOldByNowIsFollowed(engine: StoreEngine) async throws {
        try await Shop.open(engine, sheetWait: .zero) { shop in
            let (order, token, first) = try await lostCharge(shop)
            shop.clock.advance(by: .seconds(400))
            let again = try await shop.pay(order, token)
            #expect(again.paymentState == "succeeded" && again.paymentID == first.paymentID, "\(again.body)")
            #expect(try await shop.pay(order, token, key: "another").paymentID == first.paymentID)
            #expect(try await shop.order(order).json["state"]?.string == "paid")
            #expect(try await shop.balance(.sales) == -3_300)
            #expect(shop.acquirer.received(.consume).count == 1)
            #expect(try await shop.findings() == [])
        }
    }

    @Test func aChargeWhoseCouponIsOverByNowIsFollowed() async throws {
        try await Shop.open(sheetWait: .zero) { shop in
            let end = shop.clock.date.addingTimeInterval(60).formatted(.iso8601)
            let coupon = #","coupons":[{"code":"TEN","label":"Ten off","percentOff":"10","expiresAt":"\#(end)"}]}"#
            let order = try await shop.place(String(Shop.electronicOrder.dropLast()) + coupon)
            let token = try shop.token(for: order, minorUnits: 2_970)
            let extra = #","couponCode":"TEN""#
            try await shop.remember()
            let first = try await shop.pay(order, token, extra: extra)
            #expect(first.paymentState == "accepted", "\(first.body)")
            try await shop.lose()
            shop.clock.advance(by: .seconds(70))
            shop.acquirer.script { $0.losesMessages = [.query] }
            #expect(try await shop.pay(order, token, extra: extra).errorCode == "outcome-unknown")
            shop.acquirer.script { $0.losesMessages = [] }
            let again = try await shop.pay(order, token, extra: extra)
            #expect(again.paymentState == "succeeded" && again.paymentID == first.paymentID, "\(again.body)")
            // Made when the coupon was over, a token has certainly begun nothing: nobody needs to be asked.
            let asked = shop.acquirer.received(.query).count
            let late = try await shop.place(String(Shop.electronicOrder.dropLast()) + coupon, reference: "late")
            let refused = try await shop.pay(late, shop.token(for: late, minorUnits: 2_970), extra: extra)
            #expect(refused.paymentState == "refused" || refused.errorCode == "outcome-unknown", "\(refused.body)")
            shop.clock.advance(by: .seconds(100))
            let later = try await shop.pay(late, shop.token(for: late, minorUnits: 2_970), key: "later", extra: extra)
            #expect(later.paymentState == "refused", "\(later.body)")
            #expect(shop.acquirer.received(.query).count <= asked + 1)
        }
    }

    @Test func anExpiredOrderIsNoAnswerForWhatMayHaveBeenChargedBefore() async throws {
        try await Shop.open(sheetWait: .zero) { shop in
            let order = try await shop.place()
            shop.clock.advance(by: .seconds(1_700))
            let token = try shop.token(for: order)
            try await shop.remember()
            let first = try await shop.pay(order, token)
            try await shop.lose()
            shop.clock.advance(by: .seconds(150))
            #expect(try await shop.pay(order, token).paymentID == first.paymentID)
            // A token that was made for the expired order has begun nothing.
            shop.clock.advance(by: .seconds(100))
            let other = try await shop.place(reference: "other")
            shop.clock.advance(by: .seconds(2_000))
            #expect(try await shop.pay(other, key: "late").errorCode == "order-closed")
        }
    }

    /// Whose token is only too old is not left in doubt for ever.
    @Test func aTokenThatWasNeverSentIsRefusedOnceNoCopyCanArrive() async throws {
        try await Shop.open(sheetWait: .zero) { shop in
            let order = try await shop.place()
            let token = try shop.token(for: order)
            // One that is older than its order has certainly begun nothing.
            let older = try shop.token(for: order, age: .seconds(600))
            #expect(try await shop.pay(order, older, key: "older").errorCode == "token-refused")
            #expect(shop.acquirer.received(.query).isEmpty)
            shop.clock.advance(by: .seconds(600))
            for _ in 0..<2 {
                let answer = try await shop.pay(order, token)
                #expect(answer.status == 503 && answer.errorCode == "outcome-unknown", "\(answer.body)")
            }
            shop.clock.advance(by: .seconds(1_500))
            #expect(try await shop.pay(order, token).errorCode == "outcome-unknown")
            shop.clock.advance(by: .seconds(100))
            #expect(try await shop.pay(order, token).errorCode == "token-refused")
            let asked = shop.acquirer.received(.query).count
            #expect(try await shop.pay(order, token).errorCode == "token-refused")
            #expect(shop.acquirer.received(.query).count == asked)
            #expect(shop.acquirer.received(.consume).isEmpty)
        }
    }

    @Test(arguments: [("05", "outcome-unknown"), ("42", "outcome-unknown"), ("64", "token-refused")])
    func whatTheAcquirerSaysOfALostChargeDecides(code: String, told: String) async throws {
        try await Shop.open(sheetWait: .zero) { shop in
            let order = try await shop.place()
            let token = try shop.token(for: order)
            try await shop.remember()
            _ = try await shop.pay(order, token)
            try await shop.lose()
            shop.clock.advance(by: .seconds(5_000))
            shop.acquirer.script { $0.queryCodes = [code] }
            for _ in 0..<2 { #expect(try await shop.pay(order, token).errorCode == told) }
        }
    }

    /// The copy that leaves after a loss is the first that this store knows of, and not the first.
    @Test(arguments: ["31", "11", "64", "12"])
    func aRefusedCopyOfALostChargeIsNoFailure(code: String) async throws {
        try await Shop.open(sheetWait: .zero) { shop in
            let (order, token, first) = try await lostCharge(shop)
            shop.acquirer.script { $0.codeOfCopies = code }
            let again = try await shop.pay(order, token)
            #expect(again.paymentID == first.paymentID && again.paymentState != "failed", "\(again.body)")
            try await shop.pass(.seconds(3))
            #expect(try await shop.payment(first.paymentID).json["state"]?.string == "succeeded")
            #expect(try await shop.balance(.sales) == -3_300)
        }
    }

    // MARK: Numbers

    /// One who comes back with another key is the same customer: the number that was lost may be on their phone.
    @Test(arguments: ["n-1", "n-2"]) func aLostPushGetsNoSecondNumber(key: String) async throws {
        try await Shop.openForNumbers { shop in
            let order = try await shop.place()
            try await shop.remember()
            let first = try await shop.askForNumber(order)
            #expect(first.json["tn"]?.string == Shop.number)
            try await shop.lose()
            shop.clock.advance(by: .seconds(200))
            let again = try await shop.askForNumber(order, key: key)
            #expect(again.paymentID == first.paymentID && again.paymentState == "unknown", "\(again.body)")
            #expect(again.json["tn"] == nil)
            #expect(Set(shop.acquirer.received(.consume).map { "\($0["orderId"] ?? "")/\($0["txnTime"] ?? "")" }).count == 1)
            #expect(try await shop.findings() == [])
            // The first number is paid by.
            #expect(try await shop.notify(shop.acquirer.notification(of: shop.acquirer.received(.consume)[0])).status == 200)
            #expect(try await shop.order(order).json["state"]?.string == "paid")
        }
    }

    /// `txnTime` follows the clock, and the number by which the acquirer knows duplicates does not.
    @Test func aPushThatIsAskedAgainLateIsADuplicateAllTheSame() async throws {
        try await Shop.openForNumbers { shop in
            let order = try await shop.place()
            try await shop.remember()
            _ = try await shop.askForNumber(order)
            try await shop.lose()
            shop.clock.advance(by: .seconds(700))
            #expect(try await shop.askForNumber(order).json["tn"] == nil)
            let pushes = shop.acquirer.received(.consume)
            #expect(Set(pushes.map { $0["orderId"] }).count == 1 && Set(pushes.map { $0["txnTime"] }).count == 2)
            // What is paid by the first number is not lost.
            #expect(try await shop.notify(shop.acquirer.notification(of: pushes[0])).status == 200)
            #expect(try await shop.server.notices.unmatchedNotices().count == 1)
        }
    }

    @Test func aRefusedCopyOfAPaidPushIsNoFailure() async throws {
        try await Shop.openForNumbers { shop in
            let order = try await shop.place()
            try await shop.remember()
            _ = try await shop.askForNumber(order)
            try await shop.lose()
            shop.acquirer.script { ($0.codeOfCopies, $0.queryCodes) = ("31", ["00"]) }
            #expect(try await shop.askForNumber(order).paymentState == "succeeded")
            #expect(try await shop.balance(.sales) == -3_300)
        }
    }

    // MARK: Refunds

    /// A paid payment whose store is remembered, and a refund of it that was confirmed and lost.
    private func lostRefund(_ shop: Shop) async throws -> (payment: String, refund: String) {
        let payment = try await shop.pay(shop.place()).paymentID
        #expect(try await shop.notify(about: .consume).status == 200)
        try await shop.remember()
        let refund = try await shop.refund(payment, "10.00", key: "K-1")
        #expect(refund.status == 201)
        #expect(try await shop.notify(about: .refund).status == 200)
        try await shop.lose()
        return (payment, refund.json["id"]?.string ?? "")
    }

    /// The acquirer takes a number once a day, and knows the first copy by a time that is lost: the second one moves nothing and stays open.
    @Test func aRefundThatIsAskedAgainAfterALossMovesNothing() async throws {
        try await Shop.open(sheetWait: .zero) { shop in
            let (payment, refund) = try await lostRefund(shop)
            shop.clock.advance(by: .seconds(600))
            let again = try await shop.refund(payment, "10.00", key: "K-1")
            #expect(again.json["id"]?.string == refund && again.json["state"]?.string != "failed", "\(again.body)")
            #expect(Set(shop.acquirer.received(.refund).map { $0["orderId"] }).count == 1)
            try await shop.pass(.seconds(60), step: .seconds(10))
            #expect(try await shop.refund(payment, "10.00", key: "K-1").json["state"]?.string != "failed")
            #expect(Set(shop.acquirer.received(.refund).map { $0["orderId"] }).count == 1)
            // Another wish is another refund.
            #expect(try await shop.refund(payment, "5.00", key: "K-2").json["id"]?.string != refund)
            #expect(Set(shop.acquirer.received(.refund).map { $0["orderId"] }).count == 2)
        }
    }

    @Test func aLostReplacementOfAReversalIsNotDenied() async throws {
        try await Shop.open(pending: .failAndReverse, sheetWait: .zero) { shop in
            shop.acquirer.script {
                $0.queryCodes = ["05"]
                $0.reversalCode = "32"
            }
            _ = try await shop.pay(shop.place())
            try await shop.pass(.seconds(2))
            try await shop.remember()
            #expect(try await shop.notify(about: .consume).status == 200)
            try await shop.pass(.seconds(1))
            let void = try #require(shop.acquirer.received(.void).first)
            try await shop.lose()
            #expect(try await shop.send(.get, "/v1/refunds/\(void["orderId"] ?? "")", bearer: Shop.apiKey).errorCode == "outcome-unknown")
            // It is made again with the payment's success, and is the same one.
            #expect(try await shop.notify(about: .consume).status == 200)
            try await shop.pass(.seconds(1))
            #expect(Set(shop.acquirer.received(.void).map { $0["orderId"] }).count == 1)
        }
    }

    // MARK: What people book

    @Test(arguments: ["payment", "refund"], [Duration.zero, .seconds(400)])
    func theStoreIsSoundWhenTheAppComesAfterThePeople(way: String, later: Duration) async throws {
        try await Shop.open(sheetWait: .zero) { shop in
            let order = try await shop.place()
            let token = try shop.token(for: order)
            try await shop.remember()
            let first = try await shop.pay(order, token)
            try await shop.lose()
            #expect(try await shop.notify(about: .consume).status == 200)
            let notice = try #require(try await shop.server.notices.unmatchedNotices().first)
            #expect(try await shop.people().settle(notice, way).state == .done)
            shop.clock.advance(by: later + .seconds(5))
            for key in ["pay-1", "again"] { #expect(try await shop.pay(order, token, key: key).paymentID == first.paymentID) }
            #expect(try await shop.findings() == [])
        }
    }

    @Test func theStoreIsSoundWhenPeopleHaveBookedARefund() async throws {
        try await Shop.open(sheetWait: .zero) { shop in
            let (payment, refund) = try await lostRefund(shop)
            #expect(try await shop.notify(about: .refund).status == 200)
            let notice = try #require(try await shop.server.notices.unmatchedNotices().first)
            #expect(try await shop.people().settle(notice, "undone", belongsTo: payment).state == .done)
            #expect(try await shop.refund(payment, "10.00", key: "K-1").json["id"]?.string == refund)
            #expect(shop.acquirer.received(.refund).count == 1)
            #expect(try await shop.findings() == [])
        }
    }

    /// The notice is about something else than what stands under its number.
    @Test func aNoticeOfAnotherKindBooksNothing() async throws {
        try await Shop.open(sheetWait: .zero) { shop in
            let payment = try await shop.pay(shop.place()).paymentID
            #expect(try await shop.notify(about: .consume).status == 200)
            let refund = try await shop.refund(payment, "33.00", key: "r")
            var void = try #require(shop.acquirer.received(.refund).last)
            void["txnType"] = TransactionType.void.rawValue
            #expect(try await shop.notify(shop.acquirer.notification(of: void)).status == 200)
            let notice = try #require(try await shop.server.notices.unmatchedNotices().first)
            let done = try await shop.people().settle(notice, "undone", belongsTo: payment)
            #expect(done.state == .failed && done.outcome?.hasPrefix("wrong-state") == true, "\(done.outcome ?? "")")
            #expect(try await shop.balance(.refunds) == 0)
            #expect(try await shop.refund(payment, "33.00", key: "r").json["state"]?.string == refund.json["state"]?.string)
        }
    }

    /// The second person reads whose order it is, and a name of nothing is refused before anybody approves it.
    @Test func whereANoticeIsBookedIsShownToBothPersons() async throws {
        try await Shop.open(sheetWait: .zero) { shop in
            let order = try await shop.place(reference: "first")
            let token = try shop.token(for: order)
            let other = try await shop.place(
                Shop.electronicOrder.replacing("16.50", with: "17.50"), reference: "another")
            let paid = try await shop.pay(shop.place(reference: "paid"), key: "paid").paymentID
            #expect(try await shop.notify(about: .consume).status == 200)
            try await shop.remember()
            _ = try await shop.pay(order, token)
            _ = try await shop.refund(paid, "10.00", key: "r")
            try await shop.lose()
            #expect(try await shop.notify(about: .consume).status == 200)
            #expect(try await shop.notify(about: .refund).status == 200)
            let notices = try await shop.server.notices.unmatchedNotices()
            let people = try await shop.people()
            let charge = try #require(notices.first { $0.summary.hasPrefix("payment") })
            func lines(_ notice: UnmatchedNoticeView, _ way: String, _ place: String?) async throws -> [String] {
                try await people.ask(notice, way, belongsTo: place).lines.map { "\($0.label): \($0.value)" }
            }
            #expect(try await lines(charge, "payment", nil).contains("Order: first: 33.00 CNY, open"))
            let misled = try await lines(charge, "payment", other.id)
            #expect(misled.contains("Order: another: 35.00 CNY, open; the notice says 33.00 CNY"), "\(misled)")
            #expect(misled.contains("Another order: the notice itself names \(order.id)"))
            let refund = try #require(notices.first { $0.summary.hasPrefix("refund") })
            let back = try await lines(refund, "undone", paid)
            #expect(back.contains("Payment: 33.00 CNY, succeeded, given back 0.00 CNY") && back.contains("Its order: paid"), "\(back)")
            for (notice, way) in [(charge, "payment"), (charge, "refund"), (refund, "undone")] {
                for name in ["A-1", "019a9d2c8c0070008000000000000001"] {
                    await #expect(throws: ServerError.self) { try await people.ask(notice, way, belongsTo: name) }
                }
            }
        }
    }
}
