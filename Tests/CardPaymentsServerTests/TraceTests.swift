import BillfoldServer
import BillfoldTrace
import HTTPTypes
import Testing
import UnionPay

/// Each message is in the trace once, whoever reports it.
struct TraceTests {
    private func drawn(_ shop: Shop) -> [String] { shop.trace.entries.map { "\($0.from.rawValue) \($0.kind.rawValue) \($0.title)" } }

    @Test func whatTheCallerReportsIsNotReportedAgain() async throws {
        try await Shop.open { shop in
            let order = try await shop.place(exchange: "create-1")
            shop.acquirer.whileConsuming { _ in
                _ = try? await shop.notify(about: .consume, exchange: "notify-1")
            }
            #expect(try await shop.pay(order, exchange: "pay-1").paymentState == "succeeded")
            #expect(drawn(shop) == ["merchant note token accepted", "merchant request consume", "unionpay response consume"])
        }
    }

    @Test func ourOwnRequestsNameTheirEntry() async throws {
        try await Shop.open(sheetWait: .zero) { shop in
            _ = try await shop.pay(shop.place())
            let request = try #require(shop.trace.entries.first { $0.kind == .request && $0.title == "consume" })
            #expect(shop.acquirer.exchanges == [request.id])
        }
    }

    @Test(arguments: ["", "two words", "a,b", String(repeating: "a", count: 65), "ä"])
    func aMalformedNameIsNoName(name: String) async throws {
        try await Shop.open { shop in
            _ = try await shop.place(exchange: name)
            #expect(drawn(shop) == ["shop request create order", "merchant response create order"])
        }
    }

    /// A merchant's own number leads to its order's story, and a refusal of the number stands there too.
    @Test func anOrdersStoryHasTheMerchantsOwnNumber() async throws {
        try await Shop.open { shop in
            let order = try await shop.place()
            let body = Array(Shop.electronicOrder.replacing("\"R\"", with: "\"A-1\"").utf8)
            #expect(try await shop.send(.post, "/v1/orders", body, bearer: Shop.apiKey, key: "new").errorCode == "reference-taken")
            #expect(shop.trace.entries.allSatisfy { $0.correlation["order.reference.shop"] == "A-1" } && shop.trace.entries.count == 4)
            #expect(shop.trace.entries.compactMap { $0.correlation["order"] } == [order.id])
            #expect(shop.trace.entries.last?.problem?.hasPrefix("reference-taken: ") == true)
        }
    }

    @Test func inProductionNobodySwitchesTheTraceOff() async throws {
        try await Shop.open(mode: .production) { shop in
            _ = try await shop.place(exchange: "create-1")
            #expect(drawn(shop) == ["shop request create order", "merchant response create order"])
            _ = try await shop.notify([0x61], exchange: "notify-1")
            #expect(drawn(shop).last == "unionpay notification notification")
        }
    }

    @Test func aRefusedNotificationIsOneProblemWhoeverReports() async throws {
        for exchange in [nil, "notify-1"] {
            try await Shop.open(sheetWait: .zero) { shop in
                _ = try await shop.pay(shop.place())
                _ = try await shop.notify(about: .consume, forged: true, exchange: exchange)
                let problems = shop.trace.entries.filter { $0.problem != nil }
                #expect(problems.map(\.kind) == [exchange == nil ? .notification : .note])
                #expect(problems.first?.correlation["unionpay.order"] != nil)
            }
        }
    }

    @Test func inProductionAForgedNotificationTellsNothingAndJoinsNoStory() async throws {
        try await Shop.open(sheetWait: .zero, mode: .production) { shop in
            let body = Array("merId=777290058110048&orderId=ORDAAAA1&cvv=123&txnType=01&signature=x".utf8)
            let status = try await shop.send(.post, "/unionpay/notify", body).status
            #expect(status == 400)
            let entry = try #require(shop.trace.entries.first { $0.kind == .notification })
            #expect(entry.problem != nil && entry.correlation.isEmpty && entry.bytes == nil)
            #expect(entry.fields.count == 5 && entry.fields.allSatisfy { $0.value == "‹not shown›" })
        }
    }

    /// What a beginner does wrong first, each with its reason.
    @Test func aRequestThatIsRefusedAtTheDoorIsToldOnceWithItsReason() async throws {
        try await Shop.open { shop in
            let order = try await shop.place()
            let body = Array(Shop.electronicOrder.utf8)
            let count = shop.trace.entries.count
            func told(_ code: String, _ words: String, of answer: Shop.Answer) throws {
                let last = try #require(shop.trace.entries.last)
                #expect(answer.errorCode == code, "\(answer.body)")
                #expect(last.problem?.hasPrefix("\(code): ") == true && last.problem?.contains(words) == true, "\(last)")
            }
            try told("unauthorized", "not the registered one", of: await shop.send(.post, "/v1/orders", body, bearer: "nope", key: "k"))
            try told("unauthorized", "shows no credential", of: await shop.send(.get, "/v1/orders", bearer: nil))
            try told("unauthorized", "clientSecret is shown", of: await shop.send(.get, "/v1/orders", bearer: order.secret))
            try told("unauthorized", "API key", of: await shop.send(.get, "/v1/events", bearer: "nope"))
            let number = "/v1/orders/\(order.id)/transaction-numbers"
            try told("unauthorized", "clientSecret", of: await shop.send(.post, number, Array("{}".utf8), bearer: Shop.apiKey, key: "k"))
            // Whoever has no good credential writes into nobody's story.
            #expect(shop.trace.entries.dropFirst(count).allSatisfy { $0.correlation.isEmpty })
            try told("idempotency-key-missing", "Idempotency-Key", of: await shop.send(.post, "/v1/orders", body, bearer: Shop.apiKey))
            try told("payment-not-found", "the id of an order", of: await shop.payment(order.id))
            #expect(shop.trace.entries.last?.correlation == ["payment": order.id])
            try told("malformed-request", "refrence", of: await shop.send(.get, "/v1/orders?refrence=A", bearer: Shop.apiKey))
            try told("malformed-request", "partlyRefunded", of: await shop.send(.get, "/v1/payments?state=payed", bearer: Shop.apiKey))
            #expect(shop.trace.entries.count == count + 9)
            // One that its caller reports, and one that its route tells, are told once too.
            _ = try await shop.send(.get, "/v1/orders", bearer: "nope", exchange: "list-1")
            #expect(shop.trace.entries.count == count + 9)
            try told(
                "malformed-request", "good",
                of: await shop.send(
                    .post, "/v1/orders", Array(#"{"good":1}"#.utf8), bearer: Shop.apiKey, key: "k"))
            #expect(shop.trace.entries.count == count + 11)
        }
    }

    @Test func inProductionWhoeverHasNoCredentialFillsNoTrace() async throws {
        try await Shop.open(mode: .production) { shop in
            let stranger = try await shop.send(.get, "/v1/orders", bearer: "nope")
            #expect(stranger.status == 401 && shop.trace.entries.isEmpty)
            let merchant = try await shop.send(.get, "/v1/orders?x=1", bearer: Shop.apiKey)
            #expect(merchant.status == 400)
            #expect(shop.trace.entries.count == 1)
        }
    }

    /// A refusal of the books has another name inside.
    @Test func aRefusalIsDrawnByTheCodeThatItsCallerGets() async throws {
        try await Shop.openForNumbers(sheetWait: .zero) { shop in
            let order = try await shop.place()
            #expect(try await shop.pay(order).paymentState == "accepted")
            let refused = try #require(try await shop.askForNumber(order).errorCode)
            #expect(refused == "payment-in-progress")
            #expect(shop.trace.entries.compactMap(\.problem).last?.hasPrefix("\(refused): ") == true)
        }
    }

    @Test func aRefusedTokenIsNamedByTheMerchantAlone() async throws {
        try await Shop.open { shop in
            let order = try await shop.place(exchange: "create-1")
            let token = try shop.token(for: order, minorUnits: 1)
            #expect(try await shop.pay(order, token, exchange: "pay-1").errorCode == "token-refused")
            #expect(drawn(shop) == ["merchant note token refused"])
        }
    }
}
