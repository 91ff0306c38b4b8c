import ApplePay
import BillfoldJSON
import BillfoldMoney
import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import BillfoldTestSupport
import BillfoldWeb
import CardPaymentsServer
import Crypto
import HTTPTypes
import Logging
import Synchronization
import Testing
import UnionPay

/// What operators see is what the books hold.
struct BackOfficeTests {
    private func office(_ shop: Shop) throws -> CardPaymentsBackOffice {
        CardPaymentsBackOffice(
            database: shop.database, merchants: [try BillfoldPayments.MerchantID("other"), try BillfoldPayments.MerchantID("shop")],
            clock: shop.clock, links: Self.links)
    }

    /// Under the shop's audit key.
    private static let links = AuditChain(key: SymmetricKey(data: [UInt8](repeating: 1, count: 32)))

    @Test func anOrderIsThereBeforeItIsPaid() async throws {
        try await Shop.open { shop in
            let placed = try await shop.place()
            let order = try #require(try await office(shop).order(placed.id))
            #expect(order.state.word == "open" && order.reference == "A-1" && order.total == placed.total)
            #expect(order.items.map(\.label).contains("Song") && order.payments.isEmpty && order.books.isEmpty)
            #expect(try await office(shop).order("nothing") == nil)
            #expect(try await office(shop).order(String(repeating: "0", count: 32)) == nil)
            let reader = ConsoleReader(mode: .test, identity: .local, csrfToken: nil, offersSignIn: false, offersRequests: true, links: [])
            #expect(try await office(shop).subject(placed.id, knownBy: "order", for: reader)?.name == "A-1")
            #expect(try await office(shop).subject(placed.id, knownBy: "alipay.order", for: reader) == nil)
        }
    }

    @Test func anOrderShowsItsPaymentRefundsAndBooks() async throws {
        try await Shop.open(sheetWait: .zero) { shop in
            let placed = try await shop.place()
            let id = try await shop.pay(placed).paymentID
            #expect(try await office(shop).order(placed.id)?.payments.first?.refundable == nil)
            _ = try await shop.notify(about: .consume)
            _ = try await shop.send(
                .post, "/v1/payments/\(id)/refunds", Array(#"{"amount":"3.00","reason":"late"}"#.utf8), bearer: Shop.apiKey, key: "r-1")
            _ = try await shop.notify(about: .refund)
            let order = try #require(try await office(shop).order(placed.id))
            #expect(order.state.word == "paid")
            let payment = try #require(order.payments.first)
            #expect(payment.state.word == "partlyRefunded" && payment.amount == "33.00 CNY" && payment.refundable == "30.00")
            #expect(!"\(order)".contains(Shop.cardNumber) && payment.account.hasSuffix(String(Shop.cardNumber.suffix(4))))
            #expect(payment.evidence?.contains("query id") == true)
            #expect(order.refunds.map(\.amount) == ["3.00 CNY"] && order.refunds.first?.reason.hasPrefix("refund") == true)
            #expect(
                order.books.flatMap(\.rows).map { "\($0.occasion) \($0.side.rawValue) \($0.account) \($0.amount.text)" } == [
                    "capture debit receivable:unionpay 33.00", "capture credit sales 33.00",
                    "refund debit refunds 3.00", "refund credit receivable:unionpay 3.00",
                ])
        }
    }

    /// Nothing is known of a card: UnionPay's client stands in its place.
    @Test func aPushedPaymentNamesItsNumber() async throws {
        try await Shop.openForNumbers { shop in
            let placed = try await shop.place()
            shop.acquirer.script { $0.losesMessages = [.consume] }
            _ = try await shop.askForNumber(placed)
            #expect(try await office(shop).order(placed.id)?.payments.map(\.account) == ["UnionPay's client, no number yet"])
            shop.acquirer.script { $0.losesMessages = [] }
            try await shop.pass(.seconds(4))
            #expect(try await office(shop).order(placed.id)?.payments.map(\.account) == ["UnionPay's client, number \(Shop.number)"])
        }
    }

    @Test func theAcquirerIsToldWhichOrderAPaymentBelongsTo() async throws {
        try await Shop.open(sheetWait: .zero) { shop in
            let placed = try await shop.place()
            _ = try await shop.pay(placed)
            #expect(shop.acquirer.received(.consume).map { $0["reqReserved"] } == [placed.id])
        }
    }

    // MARK: Alarms

    @Test func whatWaitsForAPersonIsListed() async throws {
        try await Shop.open(sheetWait: .zero) { shop in
            shop.acquirer.script { $0.queryCodes = ["05"] }
            let placed = try await shop.place()
            let id = try await shop.pay(placed).paymentID
            #expect(try await office(shop).alarms() == PaymentAlarms())
            shop.clock.advance(by: .seconds(901))
            let list = try await office(shop).alarms()
            #expect(list.overdue.map(\.id) == [id] && list.overdue.map(\.orderPath) == ["/orders/\(placed.id)"])
            #expect(list.overdue.allSatisfy { $0.state.word != "failed" } && list.deadLetters.isEmpty)
        }
    }

    @Test func aDeductGivenUpIsListedAndNotSentAgain() async throws {
        try await Shop.open(sheetWait: .zero) { shop in
            shop.acquirer.script { $0.isUnreachable = true }
            let placed = try await shop.place()
            let id = try await shop.pay(placed).paymentID
            // The lease of the request, and the short schedule of a deduct.
            try await shop.pass(.seconds(120), step: .seconds(10))
            let letters = try await office(shop).alarms().deadLetters
            #expect(letters.map(\.kind) == ["consume"] && letters.first?.payment == id && letters.first?.isSendable == false)
            #expect(letters.first?.orderPath == "/orders/\(placed.id)")
            shop.acquirer.script { $0.isUnreachable = false }
            try await withQueue(shop) { queue in
                let letter = try #require(letters.first?.id)
                let asked = try await queue.request(kind: "redeliver", subject: letter, detail: "{}", by: .local)
                // A deduct that was given up holds no card data any more: it cannot be sent again.
                let refused = try await queue.approve(asked.id, by: .local)
                #expect(refused.state == .failed && refused.outcome?.hasPrefix("conflict") == true)
                #expect(shop.acquirer.received(.consume).isEmpty)

                let silent = await #expect(throws: ServerError.self) {
                    try await queue.request(kind: "discard", subject: letter, detail: "{}", by: .local)
                }
                #expect(silent?.code == .malformedRequest)
                #expect(try await office(shop).alarms().deadLetters.count == 1)
                let discarding = try await queue.request(
                    kind: "discard", subject: letter, detail: #"{"remark":"the shopper paid in cash"}"#, by: .local)
                #expect(try await queue.approve(discarding.id, by: .local).state == .done)
                #expect(try await office(shop).alarms().deadLetters.isEmpty)
                #expect(try await rows(shop).map(\.result) == ["approval \(discarding.id): the shopper paid in cash"])
            }
        }
    }

    /// The operators' rows in the merchant's own trail.
    private func rows(_ shop: Shop) async throws -> [AuditRow] {
        let merchant = try BillfoldPayments.MerchantID("shop")
        return try await shop.database.read { try AuditRecords.rows(of: "operators", merchant: merchant, in: $0) }
    }

    @Test func aRefundGivenUpIsSentAgainAndLeavesTheList() async throws {
        try await Shop.open(sheetWait: .zero) { shop in
            let id = try await shop.pay(shop.place()).paymentID
            _ = try await shop.notify(about: .consume)
            // Nothing is reached until the refund's whole schedule of attempts is over.
            shop.acquirer.script { $0.isUnreachable = true }
            #expect(try await shop.refund(id, "3.00", key: "r-1").status == 201)
            try await shop.pass(.seconds(7_200), step: .seconds(300))
            let letters = try await office(shop).alarms().deadLetters
            #expect(letters.map(\.kind) == ["refund"] && letters.first?.payment == id && letters.first?.isSendable == true)
            #expect(letters.first?.attempts == "20 attempts" && shop.acquirer.received(.refund).isEmpty)
            shop.acquirer.script { $0.isUnreachable = false }
            try await withQueue(shop) { queue in
                let letter = try #require(letters.first?.id)
                let asked = try await queue.request(kind: "redeliver", subject: letter, detail: "{}", by: .local)
                #expect(try await queue.approve(asked.id, by: .local).state == .done)
                #expect(try await office(shop).alarms().deadLetters.isEmpty)
                try await shop.pass(.seconds(10), step: .seconds(5))
                #expect(shop.acquirer.received(.refund).map { $0["txnAmt"] } == ["300"])
                #expect(try await shop.notify(about: .refund).status == 200)
                #expect(try await shop.payment(id).json["state"]?.string == "partlyRefunded")
                #expect(try await office(shop).alarms() == PaymentAlarms())
                #expect(try await rows(shop).map(\.action) == ["outbox.retry"])
                // Approving twice the same message sends nothing more.
                let again = try await queue.request(kind: "redeliver", subject: letter, detail: "{}", by: .local)
                #expect(try await queue.approve(again.id, by: .local).state == .failed)
            }
        }
    }

    @Test func anAlarmIsClearedOnceWithARemarkThatTheTrailKeeps() async throws {
        try await Shop.open { shop in
            shop.acquirer.script { $0.syncCode = "64" }
            let id = try await shop.pay(shop.place()).paymentID
            #expect(try await shop.notify(about: .consume).status == 200)
            let alarm = try #require(try await office(shop).alarms().alarms.first)
            #expect(alarm.id == id && alarm.alarm == "contradiction")
            for (name, payment) in [("disputed", id), ("nonsense", id), ("contradiction", "nothing")] {
                #expect(try await office(shop).clear(name, of: payment, remark: "seen", by: "lin") == false)
            }
            #expect(try await office(shop).alarms().alarms.count == 1)
            #expect(try await office(shop).clear("contradiction", of: id, remark: "the acquirer says it is paid", by: "lin"))
            #expect(try await office(shop).alarms().alarms.isEmpty)
            #expect(try await shop.payment(id).json["alarm"]?.string == nil)
            #expect(try await office(shop).clear("contradiction", of: id, remark: "twice", by: "lin") == false)
            let trail = try await rows(shop)
            #expect(trail.map { "\($0.actor) \($0.action) \($0.object)" } == ["lin alarm.clear payment:\(id)"])
            #expect(trail.first?.result == "contradiction the acquirer says it is paid")
            #expect(Self.links.verify(trail) == .intact(head: AuditHead(sequence: 1, hash: trail.last?.hash ?? [])))
        }
    }

    // MARK: Actions

    private func withQueue(_ shop: Shop, _ body: (ApprovalQueue) async throws -> Void) async throws {
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        try await MigrationRunner(OperatorRecords.migrations, clock: shop.clock, logger: logger).run(on: shop.database)
        let links = Self.links
        var generator = SeededGenerator(seed: 3, label: "approvals")
        let ids = (0..<64).map { _ in UInt8.random(in: 0...255, using: &generator) }
        let drawn = Mutex(0)
        let queue = try ApprovalQueue(
            database: shop.database, clock: shop.clock,
            random: RandomBytes { count in
                let start = drawn.withLock { place in
                    defer { place += count }
                    return place
                }
                return Array(ids[start..<start + count])
            },
            audit: ChainedOperatorAudit(links: links, owner: try BillfoldPayments.MerchantID("installation")), mode: .test,
            policy: .onePerson, actions: CardPaymentsActions(server: shop.server, links: links).all, logger: logger)
        try await body(queue)
        let trail = try await ChainedOperatorAudit(links: links, owner: BillfoldPayments.MerchantID("installation"))
            .trail(in: shop.database)
        guard case .intact = trail.verdict else {
            Issue.record("the chain of operators' actions is broken")
            return
        }
        #expect(trail.rows.contains { $0.action.hasPrefix("approval.run") })
    }

    @Test func anApprovedRefundMovesMoneyOnce() async throws {
        try await Shop.open(sheetWait: .zero) { shop in
            let id = try await shop.pay(shop.place()).paymentID
            _ = try await shop.notify(about: .consume)
            try await withQueue(shop) { queue in
                let asked = try await queue.request(
                    kind: "refund", subject: id, detail: #"{"reason":"late","amount":"3.00"}"#, by: .local)
                #expect(asked.detail == #"{"amount":"3.00","currency":"CNY","reason":"late"}"#)
                #expect(asked.lines.map(\.label) == ["Refund", "Of the payment", "Order", "Merchant", "Reason"])
                #expect(asked.lines.first?.value == "3.00 CNY" && asked.lines[2].value.isEmpty == false)
                #expect(shop.acquirer.received(.refund).isEmpty)
                let done = try await queue.approve(asked.id, by: .local)
                #expect(done.state == .done && done.outcome?.contains("3.00") == true)
                // What a restart after a crash would do.
                let action = try #require(
                    CardPaymentsActions(
                        server: shop.server, links: Self.links
                    ).all["refund"])
                #expect(try await action.run(done) == done.outcome)
                #expect(shop.acquirer.received(.refund).map { $0["txnAmt"] } == ["300"])
            }
        }
    }

    @Test(arguments: [
        (#"{"amount":"1.001"}"#, "invalid-amount"), ("{}", "malformed-request"), (#"{"amount":"1.00","to":"me"}"#, "malformed-request"),
        ("no JSON", "malformed-request"), (#"{"amount":"1.00","amount":"33.00"}"#, "malformed-request"),
        (#"{"amount":"1.00","currency":"JPY"}"#, "malformed-request"),
    ])
    func aRefundThatCannotBeReadIsNotAskedFor(detail: String, code: String) async throws {
        try await Shop.open(sheetWait: .zero) { shop in
            let id = try await shop.pay(shop.place()).paymentID
            _ = try await shop.notify(about: .consume)
            try await withQueue(shop) { queue in
                let refused = await #expect(throws: ServerError.self) {
                    try await queue.request(kind: "refund", subject: id, detail: detail, by: .local)
                }
                let waiting = try await queue.requests()
                #expect(refused?.code.description == code && waiting.isEmpty)
                let good = try await queue.request(kind: "refund", subject: id, detail: #"{"amount":"1.00"}"#, by: .local)
                #expect(try await queue.approve(good.id, by: .local).state == .done)
            }
        }
    }

    @Test(arguments: [(#"{"amount":"33.01"}"#, "exceeds-captured"), (#"{"amount":"0.00"}"#, "invalid-amount")])
    func aRefundThatDoesNotFitMovesNothingAndSaysWhy(detail: String, code: String) async throws {
        try await Shop.open(sheetWait: .zero) { shop in
            let id = try await shop.pay(shop.place()).paymentID
            _ = try await shop.notify(about: .consume)
            try await withQueue(shop) { queue in
                let asked = try await queue.request(kind: "refund", subject: id, detail: detail, by: .local)
                let refused = try await queue.approve(asked.id, by: .local)
                #expect(refused.state == .failed && refused.outcome?.hasPrefix(code) == true, "\(refused.outcome ?? "")")
                #expect(shop.acquirer.received(.refund).isEmpty)
            }
        }
    }
}
