import AlipayPlus
import AlipayPlusValues
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
        _ template: String, _ content: some Sendable, title: String, path: String = "", scripts: [String] = [],
        status: HTTPResponse.Status = .ok, frames: Bool = false
    ) throws -> Response {
        let html = try frame.render(
            "plus-shop/\(template)", of: .sandbox, title: title, path: path,
            styles: ["phone/phone.css", "express/express.css", "plus-shop/plus-shop.css"],
            scripts: scripts, content)
        let policy = PagePolicy.contentSecurityPolicy + (frames ? "; frame-src \(gateway); img-src 'self' \(gateway)" : "")
        return SandboxBody.page(html, status: status, contentSecurityPolicy: policy)
    }

    /// - Parameter session: The phone that the browser holds already.
    func phone(session: String?) throws -> Response {
        try page(
            "phone", PhonePage(session: session, console: console), title: "Pier Nine", path: "/plus-shop/",
            scripts: ["plus-shop/plus-shop.js"], frames: true)
    }

    private struct PhonePage: Sendable {
        let models = PlusPhoneModel.allCases.map { PageChoice(value: $0.rawValue, title: $0.title, isChosen: $0 == .withWallets) }
        let languages = AlipayPlusLanguage.allCases.map {
            PageChoice(value: $0.rawValue, title: PlusPages.names[$0] ?? $0.rawValue, tag: $0.htmlTag, isChosen: $0 == .english)
        }
        let session: String?
        let console: String?
    }

    private static let names: [AlipayPlusLanguage: String] = [
        .simplifiedChinese: "简体中文", .traditionalChinese: "繁體中文", .english: "English", .korean: "한국어", .filipino: "Filipino",
        .malay: "Bahasa Melayu", .indonesian: "Bahasa Indonesia", .thai: "ไทย",
    ]

    /// The till: it scans a customer's code, or shows the customer one.
    ///
    /// - Parameters:
    ///   - order: What was rung up last.
    ///   - problem: Why the last try did not work; the answer's status is then 409.
    func till(_ order: AcquirerOrder? = nil, problem: String? = nil) throws -> Response {
        let attempt = order?.attempt
        let waits = attempt?.state == .inProcess
        return try page(
            "till",
            TillPage(
                row: attempt == nil ? nil : order.map(Row.init), code: waits ? attempt?.orderCode : nil, waits: waits, problem: problem),
            title: "Till", path: "/plus-shop/till", status: problem == nil ? .ok : .conflict)
    }

    private struct TillPage: Sendable {
        let offers = PlusOffer.all
        let row: Row?
        let code: String?
        let waits: Bool
        let problem: String?
    }

    func orders(_ orders: [AcquirerOrder]) throws -> Response {
        let newest = orders.sorted { ($0.madeAt, $0.id) > ($1.madeAt, $1.id) }.prefix(100)
        return try page("orders", OrdersPage(rows: newest.map(Row.init)), title: "Orders", path: "/plus-shop/orders")
    }

    private struct OrdersPage: Sendable {
        let rows: [Row]
    }

    func order(_ order: AcquirerOrder, problem: String? = nil) throws -> Response {
        let attempt = order.attempt
        let (state, refunds) = (attempt?.state, attempt?.refunds ?? [])
        let open = refunds.filter { $0.state != .refused }.reduce(0) { $0 + $1.amount.minorUnits }
        let values = OrderPage(
            order: order, state: Self.words(state),
            attempts: order.attempts.map { attempt in
                .init(
                    attempt: attempt, way: Self.ways[attempt.way] ?? attempt.way.rawValue, state: Self.words(attempt.state),
                    story: console.map { "\($0)/stories/\(AlipayPlusTrace.request):\(attempt.id)" })
            }, refunds: refunds.map { .init(refund: $0, state: $0.state == .asked ? "under way" : $0.state.rawValue) },
            canRefund: state == .paid, canCancel: state == .inProcess || (state == .paid && refunds.isEmpty),
            canAsk: state == .inProcess || refunds.contains { $0.state == .asked },
            rest: Amount(minorUnits: max(0, order.price.minorUnits - open), currency: order.price.currency).text, problem: problem)
        return try page("order", values, title: "Order \(order.id)", status: problem == nil ? .ok : .conflict)
    }

    private struct OrderPage: Sendable {
        struct Attempt: Sendable {
            let attempt: AcquirerOrder.Attempt
            let way: String
            let state: String
            let story: String?
        }

        struct Refund: Sendable {
            let refund: AcquirerOrder.Refund
            let state: String
        }

        let order: AcquirerOrder
        let state: String
        let attempts: [Attempt]
        let refunds: [Refund]
        let canRefund: Bool
        let canCancel: Bool
        let canAsk: Bool
        let rest: String
        let problem: String?
    }

    private static let ways: [PaymentScenario: String] = [
        .cashier: "payment sheet", .paymentCode: "customer’s code", .orderCode: "code of the order", .entryCode: "code of the store",
        .automaticDebit: "automatic debit",
    ]

    static func words(_ state: AcquirerOrder.State?) -> String {
        switch state {
        case nil: "not paid yet"
        case .inProcess?: "being confirmed"
        case .paid?: "paid"
        case .failed?: "not paid"
        case .cancelled?: "cancelled"
        }
    }

    private struct Row: Sendable {
        let order: AcquirerOrder
        let state: String
        let wallet: String?

        init(_ order: AcquirerOrder) {
            self.order = order
            state = PlusPages.words(order.attempt?.state)
            wallet = order.attempt?.wallet
        }
    }
}
