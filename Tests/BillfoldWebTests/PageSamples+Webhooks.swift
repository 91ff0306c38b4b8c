import BillfoldWeb

/// The pages about what back ends are told.
extension PageSamples {
    static func webhooks(_ name: String, _ frame: PageFrame, all value: String) throws -> String {
        let owner = WebhookOwner(office: value, id: value, what: value, space: .init(name: value, now: 60_000_000, everybodys: 0))
        let quiet = WebhookOwner(office: value, id: "\(value) 2", what: value)
        let answers: [WebhookEndpointLine.Answer?] = [
            nil, .init(status: nil, reason: value, note: value, at: 0), .init(status: 204, reason: "", note: "", at: 0),
        ]
        let book = WebhookBook(
            owner: owner,
            endpoints: answers.enumerated().map { number, last in
                WebhookEndpointLine(
                    id: "\(value)\(number)", owner: owner, address: value, note: value, state: ["on", "off", "gone"][number],
                    types: number == 0 ? [] : [value], keys: [.init(id: value), .init(id: value, until: 0)], waiting: number,
                    givenUp: number, most: 2, last: last, madeAt: 0)
            })
        switch name {
        case "webhooks":
            return try WebhooksPage(frame: frame, books: [book, WebhookBook(owner: quiet, endpoints: [])]).html()
        case "webhook-owner":
            let lines = [[], ["waiting", "given up"]].enumerated().map { number, states in
                WebhookEventList.Line(
                    name: "\(value)\(number)", owner: owner, type: value, kind: value, object: value, sequence: 1, at: 0,
                    told: states.map { .init(address: value, state: $0) })
            }
            return try WebhookOwnerPage(
                frame: frame, list: .init(book: book, title: value, lines: lines, object: value, isFiltered: true, before: 7)
            ).html()
        default:
            return try WebhookEventPage(
                frame: frame, view: webhookEvent(all: value, owner: owner), offersResend: true
            ).html()
        }
    }

    private static func webhookEvent(all value: String, owner: WebhookOwner) -> WebhookEventView {
        let attempts: [NotificationView.Attempt] = [
            .init(number: "1", status: "", reply: "", note: value, reason: value, milliseconds: 7, at: 0),
            .init(number: "2", status: "200", reply: value, note: "", at: 0),
        ]
        return WebhookEventView(
            owner: owner, name: value, type: value, kind: value, object: value, sequence: 1, at: 0, about: (value, "/orders/1"),
            content: value,
            tellings: ["delivered", "held", "not told"].enumerated().map { number, state in
                .init(
                    endpoint: "\(value)\(number)", event: value, owner: owner, address: value, state: state,
                    attempts: number == 0 ? attempts : [], isTellable: number != 1, note: number == 0 ? nil : value,
                    next: number == 1 ? 0 : nil)
            })
    }

    private static let shopOwner = WebhookOwner(
        office: "merchants", id: "own-20261130", what: "Merchant",
        space: .init(name: "own-20261130", now: start + 1_860_000_000, everybodys: start))

    static func ordinaryWebhooks(_ name: String) throws -> String {
        let (hooks, other) = ("https://shop.example.com/hooks", "http://localhost:3000/hook")
        let ids = ["whe_0198c2a4f0d17c3eb1a2c3d4e5f60718", "whe_0198c2a4f0d27c3eb1a2c3d4e5f60719"]
        let endpoints: [WebhookEndpointLine] = [
            .init(
                id: ids[0], owner: shopOwner, address: hooks, note: "Our till", state: "on",
                types: ["payment.failed", "payment.succeeded", "refund.succeeded"],
                keys: [
                    .init(id: "whk_0198c2a4f0d37c3eb1a2c3d4e5f6071a"),
                    .init(id: "whk_0198c2a4f0d47c3eb1a2c3d4e5f6071b", until: start + 86_400_000_000),
                ], waiting: 3, givenUp: 1, most: 1_000,
                last: .init(status: 500, reason: "wrong-status", note: "the status is 500", at: start), madeAt: start),
            .init(
                id: ids[1], owner: shopOwner, address: other, note: "", state: "off", types: [],
                keys: [.init(id: "whk_0198c2a4f0d57c3eb1a2c3d4e5f6071c")], waiting: 0, givenUp: 0, most: 1_000,
                last: .init(status: 204, reason: "", note: "", at: start), madeAt: start),
        ]
        let book = WebhookBook(owner: shopOwner, endpoints: endpoints)
        let (event, payment) = ("evt_0198c2a4f0d67c3eb1a2c3d4e5f6071d", "0198c2a4f0d77c3eb1a2c3d4e5f6071e")
        switch name {
        case "webhooks":
            let bank = WebhookOwner(office: "banks", id: "harbour", what: "Bank")
            return try WebhooksPage(frame: frame, books: [book, WebhookBook(owner: bank, endpoints: [])]).html()
        case "webhook-owner":
            let lines = ["payment.partly_refunded", "refund.succeeded", "payment.succeeded"].enumerated().map { number, type in
                WebhookEventList.Line(
                    name: "\(event.dropLast())\(number)", owner: shopOwner, type: type, kind: String(type.prefix { $0 != "." }),
                    object: payment, sequence: Int64(3 - number), at: start - Int64(number) * 61_000_000,
                    told: number == 1 ? [] : [.init(address: hooks, state: number == 0 ? "waiting" : "given up")])
            }
            return try WebhookOwnerPage(
                frame: frame, list: .init(book: book, title: "Latest events", lines: lines, before: 101)
            ).html()
        default: return try WebhookEventPage(frame: frame, view: ordinaryEvent(event, payment, ids), offersResend: true).html()
        }
    }

    private static func ordinaryEvent(_ event: String, _ payment: String, _ endpoints: [String]) -> WebhookEventView {
        let attempts: [NotificationView.Attempt] = [
            .init(
                number: "1", status: "500", reply: "Internal Server Error: the database is locked", note: "the status is 500",
                reason: "wrong-status", milliseconds: 41, at: start),
            .init(
                number: "2", status: "", reply: "", note: "timed-out: no answer came in time", reason: "no-answer", milliseconds: 15_000,
                at: start + 20_000_000),
            .init(number: "3", status: "204", reply: "", note: "", milliseconds: 12, at: start + 60_000_000),
        ]
        return WebhookEventView(
            owner: shopOwner, name: event, type: "payment.succeeded", kind: "payment", object: payment, sequence: 1, at: start,
            about: ("Order", "/orders/0198c2a4f0d17c3eb1a2c3d4e5f60718"),
            content: #"{"data":{"amount":"33.00","currency":"CNY","id":"\#(payment)","state":"succeeded"},"id":"\#(event)"}"#,
            tellings: [
                .init(
                    endpoint: endpoints[0], event: event, owner: shopOwner, address: "https://shop.example.com/hooks", state: "delivered",
                    attempts: attempts, isTellable: true),
                .init(
                    endpoint: endpoints[1], event: event, owner: shopOwner, address: "http://localhost:3000/hook", state: "waiting",
                    attempts: Array(attempts.prefix(2)), isTellable: false, next: start + 3_600_000_000),
            ])
    }
}
