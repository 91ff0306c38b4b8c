import BillfoldMoney
import BillfoldWeb
import CardPaymentsServer
import Testing

/// What operators are told of back ends, and of spaces.
struct WebhookPageTests {
    @Test func anEventIsSentAgainOnlyWhereTheReaderMayAndItCanBe() throws {
        let owner = WebhookOwner(office: "merchants", id: "shop", what: "Merchant")
        func page(isTellable: Bool, offersResend: Bool) throws -> String {
            let telling = WebhookEventView.Telling(
                endpoint: "whe_1", event: "evt_1", owner: owner, address: "https://a.example", state: "given up", attempts: [],
                isTellable: isTellable)
            let view = WebhookEventView(
                owner: owner, name: "evt_1", type: "payment.succeeded", kind: "payment", object: "1", sequence: 1, at: 0, content: "{}",
                tellings: [telling])
            return try WebhookEventPage(view: view, offersResend: offersResend).html()
        }
        let path = "/api/webhooks/merchants/shop/events/evt_1/endpoints/whe_1/resend"
        #expect(try page(isTellable: true, offersResend: true).contains(#"data-replay="\#(path)""#))
        #expect(try !page(isTellable: false, offersResend: true).contains("data-replay"))
        #expect(try !page(isTellable: true, offersResend: false).contains("data-replay"))
    }

    @Test func manyAreCountedUpToALimit() throws {
        let owner = WebhookOwner(office: "merchants", id: "shop", what: "Merchant")
        func line(_ waiting: Int, _ givenUp: Int) -> WebhookEndpointLine {
            WebhookEndpointLine(
                id: "whe_1", owner: owner, address: "https://a.example", note: "", state: "on", types: [], keys: [], waiting: waiting,
                givenUp: givenUp, most: 10, last: nil, madeAt: 0)
        }
        #expect(line(9, 10).waiting == "9" && line(9, 10).givenUp == "10 or more")
        #expect(line(0, 1).waitingPath == nil && line(0, 1).givenUpPath == "/webhooks/merchants/shop?endpoint=whe_1&state=given-up")
    }

    @Test(
        arguments: [
            (0, nil), (999_999, nil), (1_000_000, "1 s"), (1_860_000_000, "31 min"), (3_725_000_000, "1 h 2 min"),
            (86_400_000_000, "1 d"), (-5_000_000, nil),
        ] as [(Int64, String?)])
    func aSpaceSaysHowFarItIsAhead(microseconds: Int64, words: String?) {
        #expect(SpaceNote(name: "own-1", now: microseconds, everybodys: 0).ahead == words)
    }

    @Test func anOrdersPageNamesItsSpaceAndItsEvents() throws {
        let amount = Amount(minorUnits: 100, currency: .cny)
        func page(_ space: SpaceNote?) throws -> String {
            let order = OrderSheet(
                id: "1", reference: "1", state: "expired", goods: "electronic", merchantName: "M", total: amount, expiresAt: 1_800_000_000,
                owner: WebhookOwner(office: "merchants", id: "own-00000001", what: "Merchant", space: space),
                payments: [.init(id: "p", state: "closed", amount: amount, account: "a", startedAt: 0)])
            return try StoryPage(
                journeys: .five, id: "s", name: "1", messages: [], subject: order.subject(offersRefunds: false), pages: .cardPayments
            ).html()
        }
        let ahead = try page(.init(name: "own-00000001", now: 1_860_000_000, everybodys: 0))
        #expect(ahead.contains(#"data-space="own-00000001""#) && ahead.contains("31 min ahead of everybody"))
        #expect(ahead.contains("1970-01-01 00:31:00 UTC") && ahead.contains("to be paid until") && ahead.contains("1970-01-01T00:30:00Z"))
        #expect(ahead.contains(#"href="/webhooks/merchants/own-00000001?object=p""#))
        #expect(try page(.init(name: "own-00000001", now: 0, everybodys: 0)).contains("as everywhere"))
        #expect(try !page(nil).contains("data-space"))
    }
}
