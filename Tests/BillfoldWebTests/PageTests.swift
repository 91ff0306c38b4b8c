import BillfoldMoney
import BillfoldSandbox
import BillfoldTrace
import BillfoldWeb
import CardPaymentsServer
import Foundation
import Testing

struct PageTests {
    @Test(arguments: PageSamples.names)
    func ordinaryPageIsWholeAndReachable(name: String) async throws {
        let page = try await PageSamples.ordinary(name)
        #expect(page.hasPrefix("<!doctype html>") && page.contains("</html>"))
        #expect(page.contains(#"<html lang="en">"#) && page.contains("href=\"#content\""))
        #expect(page.ranges(of: "<h1").count == 1 && page.ranges(of: "<main").count == 1)
        #expect(!page.contains("{{") && !page.contains("Optional("))
        try PageFiles.write(page, name)
    }

    @Test(arguments: PageSamples.names)
    func idsAreUnique(name: String) async throws {
        let ids = try await PageSamples.ordinary(name).matches(of: /\sid="([^"]+)"/).map { String($0.output.1) }
        #expect(Set(ids).count == ids.count, "\(ids)")
    }

    /// A template that names what its value has not draws nothing there.
    @Test(arguments: PageSamples.names)
    func templateNamesWhatItsValueHas(name: String) async throws {
        let missing = MissingNames()
        _ = try await MissingNames.$log.withValue(missing) { try await PageSamples.hostile(name, "x") }
        _ = try await MissingNames.$log.withValue(missing) { try await PageSamples.ordinary(name) }
        #expect(missing.names.isEmpty, "\(name) names \(missing.names.sorted())")
    }

    @Test func aMissingNameIsSeen() throws {
        struct Page: Sendable {
            var owner = "somebody"
            var brokenRow: Int64?
        }
        let missing = MissingNames()
        _ = try MissingNames.$log.withValue(missing) { try PageFrame().render("console/audit", title: "Audit", Page()) }
        #expect(missing.names.isSuperset(of: ["owners", "actions"]))
        #expect(missing.names.isDisjoint(with: ["owner", "brokenRow", "title", "mode", "csrfToken"]))
    }

    @Test func everyJourneyHasItsOwnPage() throws {
        let page = try HomePage(journeys: .five).html()
        for journey in Journeys.five.all {
            #expect(page.contains(journey.title) && page.contains("/journeys/\(journey.slug)\""))
            let own = try JourneyPage(journey, startAddress: "http://127.0.0.1:8082/start/").html()
            #expect(own.contains("http://127.0.0.1:8082/start/") && own.contains("id=\"message-step-1\""))
            #expect(journey.roles.count >= 4 && journey.steps.count >= 5)
            // Whoever sends or receives in the example is told of below it.
            #expect(own.contains("data-parties=\"\(journey.roles.count)\""), "\(journey.slug)")
        }
        #expect(Journeys.five["none"] == nil)
    }

    @Test(arguments: [
        (["order", "payment"], "apple-pay-unionpay"), (["provisioning.token"], "provision-card"), (["alipay.order"], "express-order"),
        (["alipay.order", "alipay-plus.request"], "payment-sheet"), (["alipay-plus.wallet-request"], "payment-sheet"),
        (["oauth.authCode"], "mini-program"), (["alipay.order", "mini-program.run"], "mini-program"), ([String](), nil),
        (["tea.leaf"], nil),
    ])
    func aStoryBelongsToTheJourneyThatRunsOnTheOthers(namespaces: [String], slug: String?) {
        #expect(Journeys.five.owner(of: namespaces)?.slug == slug)
        #expect(Journeys().owner(of: namespaces) == nil)
    }

    @Test(
        arguments: [
            (["order": "o", "shop.reference": "1001"], "1001"), (["order": "o", "order.reference.two-leaves": "TEA-1"], "TEA-1"),
            (["alipay.order": "T-1", "mini-program.run": "r"], "r"),
            (["alipay-plus.request": "q", "alipay.order": "T-1"], "T-1"), (["provisioning.attempt": "a"], "a"),
            (["oauth.authCode": "c"], nil),
        ] as [([String: String], String?)])
    func aStoryHasTheNameThatPeopleKnow(ids: [String: String], name: String?) {
        #expect(Journeys.five.name(of: ids.mapValues { [$0] }) == name)
    }

    @Test func aWalletOfTheSheetHasItsOwnLineAndNoneBesideIt() throws {
        let message = TraceEntry(
            id: "1", at: 0, from: "alipay-plus", to: "wallet:KAKAOPAY", kind: .request, title: "payments/pay",
            correlation: ["alipay-plus.request": "r"])
        let page = try StoryPage(journeys: .five, id: "s", name: "s", messages: [message]).html()
        #expect(page.contains(#"data-parties="5""#) && page.contains("wallet:KAKAOPAY") && page.contains(#"data-low="3" data-high="4""#))
    }

    @Test func arrowsPointFromSenderToReceiver() async throws {
        let page = try await PageSamples.ordinary("order")
        // The merchant is the fourth lifeline, UnionPay the fifth, counted from zero.
        #expect(page.contains(#"id="message-m9" data-kind="request" data-direction="right" data-low="3" data-high="4""#))
        #expect(page.contains(#"id="message-m10" data-kind="response" data-direction="left" data-low="3" data-high="4""#))
        #expect(page.contains(#"id="message-m8" data-kind="note" data-direction="right" data-low="3" data-high="3" data-note"#))
        #expect(page.contains(#"data-parties="5""#))
    }

    @Test func aPartyIsCalledAsTheJourneyHasItAndElseAsTheFirstThatKnowsIt() throws {
        let messages = [("merchant", "wallet"), ("gateway", "unionpay"), ("auditor", "merchant")].enumerated().map { index, ends in
            TraceEntry(
                id: "\(index)", at: 0, from: Party(rawValue: ends.0), to: Party(rawValue: ends.1), kind: .request, title: "ask",
                correlation: ["alipay.order": "o"])
        }
        let page = try StoryPage(journeys: .five, id: "s", name: "s", messages: messages).html()
        let heads = page.matches(of: /<span class="sequence-head"><span>([^<]+)</).map { String($0.output.1) }
        #expect(heads == ["Merchant’s app", "Merchant", "Wallet", "Order gateway", "UnionPay", "auditor"])
    }

    @Test func furtherPartyGetsALifelineOfItsOwn() throws {
        let message = TraceEntry(
            id: "1", at: 0, from: "auditor", to: "merchant", kind: .request, title: "ask", correlation: ["order": "o"])
        let page = try StoryPage(journeys: .five, id: "s", name: "s", messages: [message]).html()
        #expect(page.contains(#"data-parties="6""#) && page.contains(#"data-direction="left" data-low="3" data-high="5""#))
    }

    @Test func crowdOfPartiesSharesTheLastLifeline() throws {
        let messages = (0..<30).map {
            TraceEntry(id: "\($0)", at: 0, from: Party(rawValue: "party \($0)"), to: "merchant", kind: .request, title: "ask")
        }
        let page = try StoryPage(journeys: .five, id: "s", name: "s", messages: messages).html()
        #expect(page.contains(#"data-parties="10""#) && !page.contains(#"data-high="10""#))
    }

    @Test func timesAreCountedFromTheFirstMessage() async throws {
        let page = try await PageSamples.ordinary("order")
        #expect(page.contains("+0.000") && page.contains("+0.023") && page.contains("2026-01-05T08:10:12Z"))
    }

    @Test func unknownIsNotShownAsFailure() throws {
        let amount = Amount(minorUnits: 100, currency: .cny)
        let order = OrderSheet(id: "1", reference: "1", state: "unknown", goods: "electronic", merchantName: "M", total: amount)
        let page = try StoryPage(
            journeys: .five, id: "s", name: "1", messages: [], subject: order.subject(offersRefunds: false), pages: .cardPayments
        )
        .html()
        #expect(page.contains("mark-open") && !page.contains("mark-bad") && page.contains("This is not a failure."))
    }

    @Test func booksThatDoNotBalanceSaySo() throws {
        let amount = Amount(minorUnits: 100, currency: .cny)
        func page(_ sides: OrderSheet.Posting.Side...) throws -> String {
            let order = OrderSheet(
                id: "1", reference: "1", state: "succeeded", goods: "electronic", merchantName: "M", total: amount,
                postings: sides.map { .init(account: "a", side: $0, amount: amount, occasion: "payment") })
            return try StoryPage(
                journeys: .five, id: "s", name: "1", messages: [], subject: order.subject(offersRefunds: false), pages: .cardPayments
            )
            .html()
        }
        #expect(try page(.debit).contains("Debits and credits differ."))
        #expect(try !page(.debit, .credit).contains("Debits and credits differ."))
    }

    @Test func faultChoicesCarryTheirPlans() async throws {
        for choice in FaultMenu.unionPay.choices {
            let plan = try JSONSerialization.jsonObject(with: Data(choice.plan.utf8)) as? [String: Any]
            #expect(plan?.isEmpty == false, "\(choice.name)")
            #expect(try JSONDecoder().decode(FaultPlan.self, from: Data(choice.plan.utf8)) != FaultPlan(), "\(choice.name)")
        }
        #expect(try await PageSamples.ordinary("order").contains("data-plan=\"{&quot;loss&quot;:&quot;reply&quot;}\" checked"))
    }

    @Test func theFormShowsThePlanThatHolds() async throws {
        func held(_ json: String) -> (Set<String>, Int) {
            let form = FaultPlanForm(.unionPay, scope: .next, holding: Array(json.utf8))
            return (form.chosen, form.delayMilliseconds)
        }
        #expect(held(#"{"loss":"reply","replyDelayMilliseconds":0,"notification":"correct"}"#) == (["reply-lost"], 2000))
        #expect(
            held(#"{"loss":"nothing","replyDelayMilliseconds":750,"notificationBeforeReply":true}"#) == (
                ["reply-late", "notification-early"], 750
            ))
        #expect(held(#"{"lateSuccessSeconds":60,"replyCode":"05"}"#) == (["late-success"], 2000))
        #expect(held(#"{"seed":7}"#) == ([], 2000))
        #expect(held("no JSON") == ([], 2000))
        #expect(FaultPlanForm(.unionPay, scope: .next, holding: nil).path == "/api/sandbox/plans/next")
        #expect(try await PageSamples.ordinary("order").contains("Set now: Book it and lose the reply."))
    }

    @Test func moneyIsGivenBackOnlyWhereTheReaderMayAsk() throws {
        func drawn(_ offersRefunds: Bool) throws -> String {
            let subject = PageSamples.order.subject(offersRefunds: offersRefunds)
            return try StoryPage(journeys: .five, id: "s", name: "s", messages: [], subject: subject, pages: .cardPayments).html()
        }
        #expect(try !drawn(false).contains("data-ask") && !drawn(false).contains("operators.js"))
        let page = try drawn(true)
        // One of the two payments took money.
        #expect(page.ranges(of: "data-ask=\"refund\"").count == 1 && page.contains("operators.js"))
        #expect(page.contains("data-subject=\"0198c2a4f0d2\"") && page.contains("value=\"63.46\""))
    }

    @Test(arguments: [
        ("aGVsbG8=", "hello", "5 bytes"), ("AP8=", "00 ff", "2 bytes"), ("not base64!", "not base64!", "not base64"),
        ("5oiQ5Yqf", "成功", "6 bytes"),
    ])
    func bytesAreShownAsTextWhereTheyAreText(base64: String, text: String, size: String) throws {
        let message = TraceEntry(id: "1", at: 0, from: "shop", to: "merchant", kind: .request, title: "t", bytes: base64)
        let page = try StoryPage(journeys: .five, id: "s", name: "s", messages: [message]).html()
        #expect(page.contains(text) && page.contains("As sent, \(size)"))
    }

    @Test func longContentIsCutAndSaysHowMuchThereIs() throws {
        let message = TraceEntry(
            id: "1", at: 0, from: "shop", to: "merchant", kind: .request, title: "t",
            bytes: Data(repeating: 0x61, count: 100_000).base64EncodedString())
        let page = try StoryPage(journeys: .five, id: "s", name: "s", messages: [message]).html()
        #expect(page.utf8.count < 40_000 && page.contains("As sent, 100000 bytes") && page.contains("83616 bytes more"))
    }

    /// Each chain's own verdict, whatever became of the one that is open.
    @Test func theAuditPageSaysOfEachChainWhetherItHolds() throws {
        func page(brokenRow: Int64?) throws -> String {
            try AuditPage(
                owners: ["shop"], owner: "shop", chain: "operators", actions: [], brokenRow: brokenRow,
                chains: [
                    .init(name: "payment:1", rowCount: 2, lastAt: 0),
                    .init(name: "operators", rowCount: 3, lastAt: 0, brokenRow: brokenRow),
                ]
            ).html()
        }
        let broken = try page(brokenRow: 2)
        #expect(broken.contains("The chain is broken: row 2 is not as it was written."))
        #expect(broken.split(separator: "broken at row 2").count == 2 && broken.split(separator: ">holds<").count == 2)
        #expect(broken.contains(#"href="/audit?owner=shop&amp;chain=payment%3A1""#))
        let whole = try page(brokenRow: nil)
        #expect(!whole.contains("broken") && whole.split(separator: ">holds<").count == 3)
    }

    @Test(arguments: [
        "//elsewhere.example", "https://elsewhere.example", "/\\elsewhere.example", "javascript:x", "", "/\t/elsewhere.example",
        "/\n/elsewhere.example", "/é",
    ])
    func signInGoesOnOnlyInsideTheConsole(next: String) throws {
        #expect(try SignInPage(next: next).html().contains(#"data-sign-in="/""#))
        #expect(try SignInPage(next: "/approvals").html().contains(#"data-sign-in="/approvals""#))
    }
}

/// Leaves the pages where `BILLFOLD_PAGES` names a folder, so that a browser can look at them.
enum PageFiles {
    static func write(_ page: String, _ name: String) throws {
        guard let folder = ProcessInfo.processInfo.environment["BILLFOLD_PAGES"] else { return }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try page.write(toFile: "\(folder)/\(name).html", atomically: true, encoding: .utf8)
    }
}
