import AlipayServer
import BillfoldServer
import BillfoldServerTestSupport
import BillfoldTrace
import BillfoldWeb
import Foundation
import Synchronization
import Testing

/// One trade, one notification, one day.
private final class OneTradeDesk: OrderGatewayDesk {
    private let log = Mutex<[String]>([])
    var deeds: [String] { log.withLock { $0 } }

    private let row = OrderGatewayOverview.Order(
        tradeNo: "2026112122000000000000000001", outTradeNo: "TL-1", merchant: "2088000000000101", merchantName: "Tea", subject: "Longjing",
        price: "10.00 CNY", refunded: nil, status: "TRADE_SUCCESS", madeAt: 0)

    func overview(_ filter: OrderGatewayFilter) -> OrderGatewayOverview {
        OrderGatewayOverview(
            orders: filter.number == nil || filter.number == row.outTradeNo ? [row] : [], parked: [],
            merchants: [.init(id: row.merchant, name: row.merchantName)], filter: filter)
    }
    func trades(of merchant: String, _ wish: ListQuery<TradeStatus>) -> OrderGatewayTradeList? {
        merchant == row.merchant ? OrderGatewayTradeList(trades: [], next: nil) : nil
    }
    func trade(_ number: String) -> OrderGatewayTradeView? {
        guard number == row.tradeNo else { return nil }
        return OrderGatewayTradeView(
            order: row, buyer: "m***", payable: "10.00 CNY", settlement: "10.00 CNY", fee: "0.06 CNY", currency: "CNY", rate: nil,
            expiresAt: 0, paidAt: 0,
            refunds: [], notifications: [], postings: [])
    }
    func books(of day: String?, wallet: String?) -> OrderGatewayBooks? {
        guard day != "never", wallet != "OTHER" else { return nil }
        let entry = OrderGatewayBooks.Entry(tradeNo: row.tradeNo, value: "10.00", currency: "CNY", at: 0)
        // One day is a busy one.
        let line = OrderGatewayBooks.Line(kind: "payment", requestId: "r", gateway: entry, wallet: nil, verdict: .gatewayAlone)
        return OrderGatewayBooks(
            day: day ?? "2026-11-21", wallet: "ALIPAY_CN", wallets: ["ALIPAY_CN"],
            lines: Array(repeating: line, count: day == "2026-11-19" ? 2_500 : 1), totals: [],
            problem: day == "2026-11-20" ? "the wallet answered 503" : nil)
    }
    func replay(_ id: String, of merchant: String, because reason: String, by person: String) -> Bool {
        log.withLock { $0.append("\(merchant) \(id) \(reason) \(person)") }
        return id == "n1"
    }
    func resend(refund id: String, of merchant: String, because reason: String, by person: String) -> Bool {
        log.withLock { $0.append("refund \(merchant) \(id) \(reason) \(person)") }
        return id == "n1"
    }
}

@Suite(.serialized) struct OrderGatewayConsoleTests {
    private func serve(_ desk: OneTradeDesk = OneTradeDesk(), body: (RunningServer) async throws -> Void) async throws {
        var console = Console(store: TraceStore(), pages: WebConsolePages(), assets: [:])
        console.desks = [OrderGatewayConsole(desk)]
        try await RunningServer.serve(console, body: body)
    }

    @Test func tradesHaveTheirPagesAndAreFound() async throws {
        try await serve { server in
            func page(_ path: String) async throws -> Answer { try await Answer.get(server.url("console", path)) }
            let all = try await page("/gateway")
            #expect(all.status == 200 && all.body.contains(#"href="/gateway/trades/2026112122000000000000000001""#))
            #expect(try await page("/gateway?merchant=&number=TL-1").body.contains("Trades found"))
            #expect(try await page("/gateway?number=TL-2").body.contains("No trade has this number here"))
            #expect(try await page("/gateway?other=1").status == 400)
            let trade = try await page("/gateway/trades/2026112122000000000000000001")
            #expect(trade.body.contains("/stories/alipay.trade%3A2026112122000000000000000001"))
            #expect(try await page("/gateway/trades/1").status == 404)
        }
    }

    @Test func aDaysBooksAreAPageAndAnAnswer() async throws {
        try await serve { server in
            let page = try await Answer.get(server.url("console", "/gateway/books"))
            #expect(page.status == 200 && page.body.contains("1 difference") && page.body.contains("gateway alone"))
            let unread = try await Answer.get(server.url("console", "/gateway/books?day=2026-11-20"))
            #expect(unread.body.contains("the wallet answered 503") && !unread.body.contains("None: both sides"))
            let answer = try await Answer.get(server.url("console", "/api/gateway/books?day=2026-11-21"))
            #expect(answer.body.contains(#""differences":1"#) && answer.body.contains(#""verdict":"gateway-alone""#))
            struct Part: Decodable {
                var lines: [[String: AnyLine]]
                var differences: Int
                var next: Int?
                enum AnyLine: Decodable {
                    case some
                    init(from decoder: any Decoder) throws { self = .some }
                }
            }
            var (counts, first): ([Int], Int?) = ([], 0)
            while let from = first, counts.count < 5 {
                let answer = try await Answer.get(server.url("console", "/api/gateway/books?day=2026-11-19&from=\(from)"))
                #expect(answer.body.utf8.count < 1_048_576)
                let part = try JSONDecoder().decode(Part.self, from: Data(answer.body.utf8))
                #expect(part.differences == 2_500)
                counts.append(part.lines.count)
                first = part.next
            }
            #expect(counts == [1_000, 1_000, 500])
            for first in ["-1", "x", "1000001", ""] {
                let refused = try await Answer.get(server.url("console", "/api/gateway/books?from=\(first)"))
                #expect(refused.status == 400 && refused.errorCode == "malformed-request")
            }
            for path in ["?day=never", "?wallet=OTHER", "?day=2026-11-21&day=2026-11-22", "?x=1"] {
                #expect(try await Answer.get(server.url("console", "/api/gateway/books\(path)")).errorCode == "malformed-request")
                #expect(try await Answer.get(server.url("console", "/gateway/books\(path)")).status == 400)
            }
        }
    }

    @Test(arguments: [
        ("n1", #"{"remark":"their server was down"}"#, 204), ("n2", #"{"remark":"x"}"#, 404), ("n1", #"{"remark":" "}"#, 422),
        ("n1", #"{"remark":"x","more":1}"#, 400), ("n1", "{}", 400),
    ])
    func notificationsAndRefundsAreSentAgainForAReason(id: String, body: String, status: Int) async throws {
        let desk = OneTradeDesk()
        try await serve(desk) { server in
            for path in ["notifications/2088000000000101/\(id)/replay", "refunds/2088000000000101/\(id)/resend"] {
                let url = server.url("console", "/api/gateway/\(path)")
                #expect(try await Answer.send("POST", url, body: body).status == status)
                let elsewhere = try await Answer.send("POST", url, headers: [("Origin", "http://elsewhere.example")], body: body)
                #expect(elsewhere.status == 403)
            }
        }
        let deed = "2088000000000101 \(id) \(status == 204 ? "their server was down" : "x") local"
        #expect(desk.deeds == (status == 204 || status == 404 ? [deed, "refund \(deed)"] : []))
    }
}
