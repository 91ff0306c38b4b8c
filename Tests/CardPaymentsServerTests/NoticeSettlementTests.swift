import BillfoldMoney
import BillfoldPayments
import BillfoldServer
import BillfoldServerTestSupport
import BillfoldStorage
import BillfoldTestSupport
import BillfoldWeb
import CardPaymentsServer
import HTTPTypes
import Testing
import UnionPay

/// What the acquirer notified of transactions that are not in the books, and what two persons do about it.
@Suite struct NoticeSettlementTests {
    private static let unknown = "019a9d2c8c0070008000000000000001"

    /// The fields of a deduct of ours, as if it had been sent under another number and for another order.
    private func charge(_ shop: Shop, order: String = unknown) async throws -> UnionPayFields {
        _ = try await shop.pay(shop.place())
        var fields = try #require(shop.acquirer.received(.consume).last)
        fields["orderId"] = Self.unknown
        fields["reqReserved"] = order
        return fields
    }

    private func onlyNotice(_ shop: Shop) async throws -> UnmatchedNoticeView {
        let notices = try await shop.server.notices.unmatchedNotices()
        #expect(notices.count == 1)
        return try #require(notices.first)
    }

    @Test(arguments: StoreEngine.available)
    func aChargeOfALostOrderIsBookedWithAnOrderThatStandsIn(engine: StoreEngine) async throws {
        try await Shop.open(engine, sheetWait: .zero) { shop in
            #expect(try await shop.notify(shop.acquirer.notification(of: charge(shop))).status == 200)
            let notice = try await onlyNotice(shop)
            #expect(notice.ways.map(\.name) == ["payment", "refund", "closed"])
            let done = try await shop.people().settle(notice, "payment")
            #expect(done.state == .done && done.outcome == "booked as payment \(Self.unknown)", "\(done.outcome ?? "")")
            #expect(try await shop.balance(.sales) == -3_300)
            let office = shop.server.backOffice
            let order = try #require(try await office.order(Self.unknown))
            #expect(order.payments.map(\.id) == [Self.unknown] && order.total == "33.00")
            // In the books by now, so the acquirer's next copy changes nothing.
            #expect(try await shop.notify(shop.acquirer.notification(of: charge(shop, order: "x"))).status == 200)
            #expect(try await shop.server.notices.unmatchedNotices().isEmpty)
            #expect(try await shop.balance(.sales) == -3_300)
        }
    }

    /// What people book is compared with all other rows, as what the server books by itself.
    @Test(arguments: ["payment", "refund", "closed"])
    func theStoreIsSoundWhenPeopleHaveSettled(way: String) async throws {
        try await Shop.open(sheetWait: .zero) { shop in
            #expect(try await shop.notify(shop.acquirer.notification(of: charge(shop))).status == 200)
            let notice = try await onlyNotice(shop)
            let done = try await shop.people().settle(notice, way)
            #expect(done.state == .done, "\(done.outcome ?? "")")
            let found = try await shop.database.read { tx in
                let findings = StoreFindings()
                try CardPaymentsServer.check(links: nil).run(in: tx, findings)
                return findings.list.map { "\($0.code) \($0.table) \($0.key): \($0.expected) / \($0.found)" }
            }
            #expect(found == [])
        }
    }

    @Test func aSecondChargeOfAPaidOrderIsBookedWithAnAlarm() async throws {
        try await Shop.open(sheetWait: .zero) { shop in
            let order = try await shop.place(reference: "paid")
            _ = try await shop.pay(order)
            #expect(try await shop.notify(about: .consume).status == 200)
            #expect(try await shop.notify(shop.acquirer.notification(of: charge(shop, order: order.id))).status == 200)
            let notice = try await onlyNotice(shop)
            #expect(try await shop.people().settle(notice, "payment").state == .done)
            #expect(try await shop.alarms().contains(.paidTwice))
        }
    }

    @Test func aRefundThatTheBooksDoNotKnowIsBookedToThePaymentThatPeopleName() async throws {
        try await Shop.open(sheetWait: .zero) { shop in
            let payment = try await shop.pay(shop.place()).paymentID
            #expect(try await shop.notify(about: .consume).status == 200)
            _ = try await shop.refund(payment, "10.00", key: "r")
            var refund = try #require(shop.acquirer.received(.refund).last)
            refund["orderId"] = Self.unknown
            refund["txnAmt"] = "500"
            #expect(try await shop.notify(shop.acquirer.notification(of: refund)).status == 200)
            let notice = try await onlyNotice(shop)
            #expect(notice.ways.map(\.name) == ["undone", "closed"])
            let people = try await shop.people()
            let unnamed = try await people.settle(notice, "undone")
            #expect(unnamed.state == .failed && unnamed.outcome?.hasPrefix("payment-not-found") == true)
            let done = try await people.settle(notice, "undone", belongsTo: payment)
            #expect(done.state == .done, "\(done.outcome ?? "")")
            #expect(try await shop.balance(.refunds) == 500)
        }
    }

    @Test func onlyWhatWasShownIsRunAndOnlyOnce() async throws {
        try await Shop.open(sheetWait: .zero) { shop in
            #expect(try await shop.notify(shop.acquirer.notification(of: charge(shop))).status == 200)
            let notice = try await onlyNotice(shop)
            let people = try await shop.people()
            for (way, shown) in [("refund", notice.summary + " "), ("undone", notice.summary), ("", notice.summary)] {
                await #expect(throws: ServerError.self) { try await people.settle(notice, way, shown: shown) }
            }
            #expect(try await shop.server.notices.unmatchedNotices().count == 1)
            #expect(try await shop.balance(.sales) == 0)
            #expect(try await people.settle(notice, "closed").state == .done)
            let second = try await people.settle(notice, "refund")
            #expect(second.state == .failed && second.outcome?.hasPrefix("conflict") == true)
            #expect(try await shop.balance(.sales) == 0)
            let merchant = try BillfoldPayments.MerchantID("shop")
            let rows = try await shop.database.read { tx in try AuditRecords.rows(of: "operators", merchant: merchant, in: tx) }
            #expect(rows.map { "\($0.actor): \($0.action)" } == ["lin, wang: notice.closed"])
        }
    }

    /// What a failover takes of a payment that was sent.
    private func lose(_ shop: Shop) async throws {
        try await shop.database.write { tx in
            for table in ["payments", "card_tokens", "idempotency_keys", "outbox", "deadlines", "audit_rows"] {
                try tx.execute("DELETE FROM \(table)")
            }
            try tx.execute("UPDATE orders SET live_payment = NULL, attempts = 0")
        }
    }

    /// The token is too old by the time at which its app asks again: that alone would be a refusal for good.
    @Test(arguments: StoreEngine.available)
    func aLateRepetitionIsToldWhatPeopleHaveBooked(engine: StoreEngine) async throws {
        try await Shop.open(engine, sheetWait: .zero) { shop in
            let order = try await shop.place()
            let token = try shop.token(for: order)
            let first = try await shop.pay(order, token)
            #expect(first.paymentState == "accepted")
            let charge = try #require(shop.acquirer.received(.consume).last)
            try await lose(shop)
            #expect(try await shop.notify(shop.acquirer.notification(of: charge)).status == 200)
            shop.clock.advance(by: .seconds(1_200))
            // While the acquirer does not say what it has.
            shop.acquirer.script { $0.losesMessages = [.query] }
            for _ in 0..<2 { #expect(try await shop.pay(order, token).errorCode == "outcome-unknown") }
            #expect(try await shop.pay(order, shop.token(for: order, age: .seconds(1_200)), key: "other").errorCode == "outcome-unknown")
            let notice = try await onlyNotice(shop)
            #expect(try await shop.people().settle(notice, "payment").state == .done)
            let told = try await shop.pay(order, token)
            #expect(told.paymentState == "succeeded" && told.paymentID == first.paymentID, "\(told.body)")
            #expect(shop.acquirer.received(.consume).count == 1)
            // A token that began nothing is refused as ever, once no copy of its message could arrive.
            shop.acquirer.script { $0.losesMessages = [] }
            #expect(try await shop.pay(order, shop.token(for: order, age: .seconds(1_200)), key: "new").errorCode == "outcome-unknown")
            shop.clock.advance(by: .seconds(1_200))
            #expect(try await shop.pay(order, shop.token(for: order, age: .seconds(2_300)), key: "newer").errorCode == "token-refused")
        }
    }

    @Test func anOrderWhoseRowIsLostIsNotDeniedToItsHolder() async throws {
        try await Shop.open { shop in
            let order = try await shop.place()
            let id = try TimeOrderedID(text: order.id)
            try await shop.database.write { tx in _ = try tx.execute("DELETE FROM orders WHERE id = ?", [id.sqlValue]) }
            #expect(try await shop.order(order).errorCode == "outcome-unknown")
            #expect(try await shop.send(.get, "/v1/orders/\(order.id)", bearer: Shop.apiKey).errorCode == "outcome-unknown")
            #expect(try await shop.send(.get, "/v1/orders/\(order.id)", bearer: "cs_shop.00").status == 401)
            #expect(try await shop.send(.get, "/v1/orders/\(Self.unknown)", bearer: Shop.apiKey).status == 404)
        }
    }
}
