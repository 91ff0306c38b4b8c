import BillfoldEvents
import BillfoldJSON
import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import BillfoldTestSupport
import BillfoldWeb
import CardPaymentsServer
import Crypto
import HTTPTypes
import Testing
import UnionPay

/// What a merchant's back end is told of its payments.
@Suite struct EventTests {
    private struct Told: Sendable {
        var type: String
        var object: String
        var sequence: Int64
        var data: JSONObject
    }

    private static func text(_ value: JSONValue) -> String {
        String(decoding: JSONWriter.write(value, style: JSONStyle(sortsKeys: true)), as: UTF8.self)
    }

    /// The feed as the merchant reads it.
    private func told(_ shop: Shop) async throws -> [Told] {
        while try await shop.server.events.dispatcher.runOnce() > 0 {}
        let page = try await shop.send(.get, "/v1/events?limit=200", bearer: Shop.apiKey)
        #expect(page.status == 200 && page.json["hasMore"]?.bool == false, "\(page.body)")
        return try (page.json["events"]?.array ?? []).map { event in
            let event = try #require(event.object)
            let object = try #require(event["object"]?.object)
            return Told(
                type: try #require(event["type"]?.string), object: "\(object["kind"]?.string ?? "") \(object["id"]?.string ?? "")",
                sequence: try #require(event["sequence"]?.integer), data: try #require(event["data"]?.object))
        }
    }

    @Test func operatorsComeFromAPaymentToItsEventAndToItsOrder() async throws {
        try await Shop.open(sheetWait: .zero) { shop in
            let placed = try await shop.place()
            let payment = try await shop.pay(placed).paymentID
            #expect(try await shop.notify(about: .consume).status == 200)
            _ = try await told(shop)
            let office = shop.server.backOffice.events(identifiers: .system)
            let list = try #require(try await office.events(of: "shop", EventWish(object: payment)))
            #expect(list.lines.map(\.type) == ["payment.succeeded"] && list.lines[0].told.isEmpty)
            let event = try #require(try await office.event(list.lines[0].name, of: "shop"))
            #expect(event.aboutPath == "/orders/\(placed.id)" && event.object == payment && event.tellings.isEmpty)
            #expect(try await office.event(event.name, of: "other") == nil)
        }
    }

    @Test(arguments: StoreEngine.available)
    func everyOutcomeIsToldWithWhatTheInterfaceSays(engine: StoreEngine) async throws {
        try await Shop.open(engine, sheetWait: .zero) { shop in
            let payment = try await shop.pay(shop.place()).paymentID
            #expect(try await told(shop).isEmpty, "accepted is no outcome")
            #expect(try await shop.notify(about: .consume).status == 200)
            // Repeated evidence is no second event.
            #expect(try await shop.notify(about: .consume).status == 200)
            let view = try await shop.payment(payment)
            let first = try await told(shop)
            #expect(first.map(\.type) == ["payment.succeeded"] && first.map(\.object) == ["payment \(payment)"])
            #expect(first[0].data["settlementDay"]?.string == "1121")
            #expect(Self.text(.object(first[0].data)) == Self.text(try JSONReader.read(Array(view.body.utf8), maximumBytes: 100_000)))
            let refund = try #require(try await shop.refund(payment, "10.00", key: "r1").json["id"]?.string)
            #expect(try await shop.notify(about: .refund).status == 200)
            shop.acquirer.script { $0.refundCode = "35" }
            shop.clock.advance(by: .seconds(1))
            let declined = try #require(try await shop.refund(payment, "5.00", key: "r2").json["id"]?.string)
            let all = try await told(shop).dropFirst()
            #expect(all.map(\.type) == ["refund.succeeded", "payment.partly_refunded", "refund.failed"])
            #expect(all.map(\.object) == ["refund \(refund)", "payment \(payment)", "refund \(declined)"])
            #expect(all.map(\.sequence) == [1, 2, 1])
            // Whose order it is, by both names; and the same as the interface says of it.
            let order = try #require(view.json["order"]?.string)
            for told in all {
                #expect(told.data["order"]?.string == order && told.data["reference"]?.string == "A-1", "\(told)")
            }
            let asked = try await shop.send(.get, "/v1/refunds/\(declined)", bearer: Shop.apiKey)
            #expect(
                Self.text(.object(try #require(all.last).data))
                    == Self.text(try JSONReader.read(Array(asked.body.utf8), maximumBytes: 100_000)))
            #expect(all.first?.data["amount"]?.string == "10.00" && all.dropFirst().first?.data["refunded"]?.string == "10.00")
        }
    }

    @Test func failureAndLateSuccessAreBothToldInOrder() async throws {
        try await Shop.open(sheetWait: .zero) { shop in
            shop.acquirer.script { $0.syncCode = "64" }
            let payment = try await shop.pay(shop.place()).paymentID
            #expect(try await shop.notify(about: .consume).status == 200)
            let all = try await told(shop)
            #expect(all.map(\.type) == ["payment.failed", "payment.succeeded", "alarm.raised"])
            #expect(all.map(\.sequence) == [1, 2, 3] && Set(all.map(\.object)) == ["payment \(payment)"])
            #expect(all[2].data["alarm"]?.string == "contradiction")
            #expect(all[2].data["payment"]?.object?["id"]?.string == payment)
            // Once a person has dealt with it, that is told too.
            #expect(try await shop.server.backOffice.clear("contradiction", of: payment, remark: "it is paid", by: "lin"))
            let settled = try #require(try await told(shop).last)
            #expect(settled.type == "alarm.settled" && settled.sequence == 4 && settled.data["alarm"]?.string == "contradiction")
            #expect(settled.data["payment"]?.object?["alarm"] == nil)
        }
    }

    /// Whatever time passes, nobody but the acquirer makes a failure of it.
    @Test func paymentThatNobodyAnswersIsUnknownAndNeverFailed() async throws {
        try await Shop.open(sheetWait: .zero) { shop in
            shop.acquirer.script {
                $0.losesReply = true
                $0.queryCodes = ["05"]
            }
            _ = try await shop.pay(shop.place())
            try await shop.pass(.seconds(20_000), step: .seconds(200))
            let types = try await told(shop).map(\.type)
            #expect(types.contains("payment.unknown") && !types.contains("payment.failed") && !types.contains("payment.succeeded"))
        }
    }

    /// The acquirer took the money although the payment is being taken back: nobody is to ship.
    @Test func paymentThatIsBeingTakenBackIsNotToldAsPaid() async throws {
        try await Shop.open(pending: .failAndReverse, sheetWait: .zero) { shop in
            shop.acquirer.script { $0.reversalCode = "35" }
            _ = try await shop.pay(shop.place())
            #expect(try await shop.notify(about: .consume).status == 200)
            try await shop.pass(.seconds(5))
            let types = try await told(shop).map(\.type)
            #expect(!types.contains("payment.succeeded"))
            #expect(types.contains("alarm.raised") && types.contains("void.succeeded") && types.last == "payment.reversed")
        }
    }

    @Test func whatIsNotCommittedIsNotTold() async throws {
        try await Shop.open(sheetWait: .zero) { shop in
            let payment = try await shop.pay(shop.place()).paymentID
            let id = try TimeOrderedID(text: payment)
            let merchant = try BillfoldPayments.MerchantID("shop")
            var store = PaymentStore(
                books: PaymentBooks(acquirer: "unionpay"), auditKey: SymmetricKey(data: [UInt8](repeating: 1, count: 32)))
            store.follower = PaymentEvents(identifiers: .system)
            let (known, now) = (store, shop.clock.now())
            struct TakenBack: Error {}
            await #expect(throws: TakenBack.self) {
                try await shop.database.write { tx in
                    _ = try known.apply(.succeeded, to: id, merchant: merchant, detail: EventDetail(actor: "test"), at: now, in: tx)
                    throw TakenBack()
                }
            }
            #expect(try await told(shop).isEmpty)
        }
    }

    @Test func routesAskForTheMerchantsKey() async throws {
        try await Shop.open { shop in
            let placed = try await shop.place()
            for bearer in [nil, "sk_test_of_nobody_0123456789ab", placed.secret] {
                for path in ["/v1/events", "/v1/events/stream", "/v1/webhook-endpoints"] {
                    #expect(try await shop.send(.get, path, bearer: bearer).errorCode == "unauthorized", "\(path)")
                }
            }
            let answer = try await shop.send(
                .post, "/v1/webhook-endpoints", Array(#"{"url":"https://shop.example.com/hooks"}"#.utf8), bearer: Shop.apiKey)
            #expect(answer.status == 201 && answer.json["secret"]?.string?.hasPrefix("whsec_") == true)
        }
    }

    /// A merchant's endpoint that hangs takes no place from what the acquirer is sent.
    @Test func messagesToEndpointsAreNotTheAcquirersWorkers() async throws {
        try await Shop.open(sheetWait: .zero) { shop in
            _ = try await shop.send(
                .post, "/v1/webhook-endpoints", Array(#"{"url":"https://shop.example.com/hooks"}"#.utf8), bearer: Shop.apiKey)
            _ = try await shop.pay(shop.place())
            #expect(try await shop.notify(about: .consume).status == 200)
            try await shop.server.events.dispatcher.runOnce()
            shop.clock.advance(by: .seconds(1))
            #expect(try await shop.server.outboxWorker.runOnce() == 0)
            let waiting = try await shop.database.read { try OutboxRecords.backlog(at: shop.clock.now(), in: $0).waiting }
            #expect(waiting == 1)
            #expect(try await shop.findings() == [])
        }
    }
}
