import AlipayPlus
import BillfoldMoney
import BillfoldWeb
import HTTPTypes
import Hummingbird

/// The page with the merchant's app, the till, and the desk where orders are looked after.
struct PlusPages: Sendable {
    /// The gateway's origin as browsers reach it: its sheet and its logos come from there.
    let gateway: String
    /// The console's origin; nil without one.
    let console: String?

    private var frame: PageFrame {
        PageFrame(
            links: [
                .init("Pier Nine", path: "/plus-shop/"), .init("Till", path: "/plus-shop/till"), .init("Counter", path: "/plus-shop/store"),
                .init("Weekly", path: "/plus-shop/weekly"), .init("Orders", path: "/plus-shop/orders"),
            ] + (console.map { [.init("Console", path: $0 + "/")] } ?? []), mode: "test")
    }

    func page(
        _ template: String, _ title: String, path: String = "", scripts: [String] = [], status: HTTPResponse.Status = .ok,
        frames: Bool = false, _ model: [String: Any]
    ) throws -> Response {
        let html = try frame.render(
            "plus-shop/\(template)", of: .sandbox, title: title, path: path,
            styles: ["phone/phone.css", "express/express.css", "plus-shop/plus-shop.css"],
            scripts: scripts, model)
        let policy = PagePolicy.contentSecurityPolicy + (frames ? "; frame-src \(gateway); img-src 'self' \(gateway)" : "")
        return SandboxBody.page(html, status: status, contentSecurityPolicy: policy)
    }

    /// - Parameter session: The phone that the browser holds already.
    func phone(session: String?) throws -> Response {
        var model: [String: Any] = [
            "models": PlusPhoneModel.allCases.map {
                ["value": $0.rawValue, "title": $0.title, "isFirst": $0 == .withWallets] as [String: Any]
            },
            "languages": AlipayPlusLanguage.allCases.map {
                ["value": $0.rawValue, "title": Self.names[$0] ?? $0.rawValue, "tag": $0.htmlTag, "isFirst": $0 == .english]
                    as [String: Any]
            },
        ]
        model["session"] = session
        model["console"] = console
        return try page("phone", "Pier Nine", path: "/plus-shop/", scripts: ["plus-shop/plus-shop.js"], frames: true, model)
    }

    private static let names: [AlipayPlusLanguage: String] = [
        .simplifiedChinese: "简体中文", .traditionalChinese: "繁體中文", .english: "English", .korean: "한국어", .filipino: "Filipino",
        .malay: "Bahasa Melayu", .indonesian: "Bahasa Indonesia", .thai: "ไทย",
    ]

    /// The till: it scans a customer's code, or shows the customer one.
    ///
    /// - Parameters:
    ///   - order: What was rung up last.
    ///   - code: The code that the till shows.
    func till(_ order: AcquirerOrder? = nil, problem: String? = nil) throws -> Response {
        var model: [String: Any] = [
            "offers": PlusOffer.all.map { ["id": $0.id, "name": $0.name, "price": $0.price.description] as [String: Any] }
        ]
        model["problem"] = problem
        if let order, let attempt = order.attempt {
            model["order"] = fields(order)
            model["code"] = attempt.state == .inProcess ? attempt.orderCode : nil
            model["waits"] = attempt.state == .inProcess
        }
        return try page("till", "Till", path: "/plus-shop/till", status: problem == nil ? .ok : .conflict, model)
    }

    func orders(_ orders: [AcquirerOrder]) throws -> Response {
        let newest = orders.sorted { ($0.madeAt, $0.id) > ($1.madeAt, $1.id) }.prefix(100)
        return try page(
            "orders", "Orders", path: "/plus-shop/orders", ["orders": newest.map(fields), "isEmpty": newest.isEmpty])
    }

    func order(_ order: AcquirerOrder, problem: String? = nil) throws -> Response {
        var model = fields(order)
        model["problem"] = problem
        model["attempts"] = order.attempts.map { attempt -> [String: Any] in
            var fields: [String: Any] = [
                "request": attempt.id, "way": Self.ways[attempt.way] ?? attempt.way.rawValue, "state": Self.words(attempt.state),
                "failure": attempt.failure ?? "", "wallet": attempt.wallet ?? "", "notifications": attempt.notifications,
                "inquiries": attempt.inquiries,
            ]
            fields["paymentNumber"] = attempt.number
            fields["walletNumber"] = attempt.walletNumber
            fields["settlement"] = attempt.settlement?.description
            fields["story"] = console.map { "\($0)/stories/\(AlipayPlusTrace.request):\(attempt.id)" }
            return fields
        }
        model["hasAttempts"] = !order.attempts.isEmpty
        let refunds = order.attempt?.refunds ?? []
        model["refunds"] = refunds.map {
            [
                "number": $0.id, "amount": $0.amount.description, "state": $0.state == .asked ? "under way" : $0.state.rawValue,
                "code": $0.code ?? "",
            ] as [String: Any]
        }
        model["hasRefunds"] = !refunds.isEmpty
        let state = order.attempt?.state
        model["canRefund"] = state == .paid
        model["canCancel"] = state == .inProcess || (state == .paid && refunds.isEmpty)
        model["canAsk"] = state == .inProcess || refunds.contains { $0.state == .asked }
        let open = refunds.filter { $0.state != .refused }.reduce(0) { $0 + $1.amount.minorUnits }
        model["rest"] = Amount(minorUnits: max(0, order.price.minorUnits - open), currency: order.price.currency).text
        return try page("order", "Order \(order.id)", status: problem == nil ? .ok : .conflict, model)
    }

    private static let ways: [PaymentScenario: String] = [
        .cashier: "payment sheet", .paymentCode: "customer’s code", .orderCode: "code of the order", .entryCode: "code of the store",
        .automaticDebit: "automatic debit",
    ]

    private static func words(_ state: AcquirerOrder.State?) -> String {
        switch state {
        case nil: "not paid yet"
        case .inProcess?: "being confirmed"
        case .paid?: "paid"
        case .failed?: "not paid"
        case .cancelled?: "cancelled"
        }
    }

    func fields(_ order: AcquirerOrder) -> [String: Any] {
        var fields: [String: Any] = [
            "number": order.id, "subject": order.subject, "price": order.price.description,
            "currency": order.price.currency.alphabeticCode, "state": Self.words(order.attempt?.state),
            "isPaid": order.attempt?.state == .paid, "path": "/plus-shop/orders/\(order.id)",
        ]
        fields["wallet"] = order.attempt?.wallet
        return fields
    }
}
