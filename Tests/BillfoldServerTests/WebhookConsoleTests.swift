import BillfoldServer
import BillfoldServerTestSupport
import BillfoldTrace
import BillfoldWeb
import HTTPTypes
import Synchronization
import Testing

/// One server's events: one owner, one event, one endpoint.
private final class OneEventOffice: EventOffice {
    let name: String
    private let log = Mutex<[String]>([])
    var deeds: [String] { log.withLock { $0 } }

    init(_ name: String) { self.name = name }

    private var owner: WebhookOwner { WebhookOwner(office: name, id: "shop", what: "Merchant") }

    func books() -> [WebhookBook] { [WebhookBook(owner: owner, endpoints: [])] }

    func events(of owner: String, _ wish: EventWish) -> WebhookEventList? {
        guard owner == "shop" else { return nil }
        let untold = wish.untold.map { "\($0.endpoint) \($0.standing.rawValue)" } ?? "-"
        return WebhookEventList(
            book: .init(owner: self.owner, endpoints: []), title: "\(untold) \(wish.object ?? "-") \(wish.before ?? 0)", lines: [])
    }

    func event(_ name: String, of owner: String) -> WebhookEventView? {
        guard owner == "shop", name == "evt_1" else { return nil }
        return WebhookEventView(
            owner: self.owner, name: name, type: "payment.succeeded", kind: "payment", object: "1", sequence: 1, at: 0, content: "{}",
            tellings: [])
    }

    func resend(_ event: String, of owner: String, to endpoint: String, because reason: String, by person: String) throws {
        guard event == "evt_1" else { throw ServerError(Refusal(status: .notFound, code: "event-not-found", reason: "no such event")) }
        log.withLock { $0.append("\(owner) \(event) \(endpoint) \(reason) \(person)") }
    }
}

@Suite(.serialized) struct WebhookConsoleTests {
    private func console(_ offices: [any EventOffice]) -> Console {
        var console = Console(store: TraceStore(), pages: PlainPages(), assets: [:])
        console.events = offices
        return console
    }

    @Test func endpointsAndEventsOfEveryServerHavePages() async throws {
        let offices = [OneEventOffice("merchants"), OneEventOffice("banks")]
        #expect(console(offices).links.contains(PageFrame.webhooksLink))
        try await RunningServer.serve(console(offices)) { (server: RunningServer) async throws in
            func page(_ path: String) async throws -> Answer { try await Answer.get(server.url("console", path)) }
            #expect(try await page("/webhooks").body == #"webhooks ["/webhooks/merchants/shop", "/webhooks/banks/shop"]"#)
            #expect(try await page("/webhooks/merchants/shop").body == "events shop - - 0")
            #expect(try await page("/webhooks/banks/shop?object=p-1&before=7").body == "events shop - p-1 7")
            #expect(try await page("/webhooks/merchants/shop?endpoint=whe_1&state=given-up").body == "events shop whe_1 given-up - 0")
            #expect(try await page("/webhooks/merchants/shop?object=").body == "events shop - - 0")
            #expect(try await page("/webhooks/merchants/shop/events/evt_1").body == "event shop evt_1")
            for path in ["/webhooks/nobody/shop", "/webhooks/merchants/baker", "/webhooks/merchants/shop/events/evt_2"] {
                #expect(try await page(path).status == 404)
            }
            for query in [
                "state=waiting", "endpoint=whe_1", "endpoint=whe_1&state=lost", "before=0", "before=x", "other=1",
                "object=" + String(repeating: "a", count: 129), "object=a%20b", "object=%00",
            ] {
                let answer = try await page("/webhooks/merchants/shop?\(query)")
                #expect(answer.status == 400 && answer.errorCode == "malformed-request", "\(query)")
            }
        }
    }

    @Test func aConsoleWithoutEventsHasNoPage() async throws {
        #expect(!console([]).links.contains(PageFrame.webhooksLink))
        try await RunningServer.serve(console([])) { (server: RunningServer) async throws in
            #expect(try await Answer.get(server.url("console", "/webhooks")).status == 404)
        }
    }

    @Test(arguments: [
        ("evt_1", #"{"remark":"their server was down"}"#, 204), ("evt_2", #"{"remark":"x"}"#, 404), ("evt_1", #"{"remark":" "}"#, 422),
        ("evt_1", #"{"remark":"x","more":1}"#, 400), ("evt_1", "{}", 400),
    ])
    func anEventIsSentAgainForAReason(event: String, body: String, status: Int) async throws {
        let office = OneEventOffice("merchants")
        try await RunningServer.serve(console([office])) { (server: RunningServer) async throws in
            let url = server.url("console", "/api/webhooks/merchants/shop/events/\(event)/endpoints/whe_1/resend")
            #expect(try await Answer.send("POST", url, body: body).status == status)
            let elsewhere = try await Answer.send("POST", url, headers: [("Origin", "http://elsewhere.example")], body: body)
            #expect(elsewhere.status == 403)
            let nobody = server.url("console", "/api/webhooks/nobody/shop/events/\(event)/endpoints/whe_1/resend")
            #expect(try await Answer.send("POST", nobody, body: #"{"remark":"x"}"#).status == 404)
        }
        #expect(office.deeds == (status == 204 ? ["shop evt_1 whe_1 their server was down local"] : []))
    }
}
