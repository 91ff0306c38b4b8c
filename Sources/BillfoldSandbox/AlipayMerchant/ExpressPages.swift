import Alipay
import BillfoldMoney
import BillfoldWeb

/// The page with the shop's app, and the merchant's desk.
struct ExpressPages: Sendable {
    /// The console's origin; nil without one.
    let console: String?

    private var frame: PageFrame {
        PageFrame(
            links: [.init("Tea house", path: "/alipay-shop/"), .init("Orders", path: "/alipay-shop/orders")]
                + (console.map { [.init("Console", path: $0 + "/")] } ?? []))
    }

    /// - Parameter session: The phone that the browser holds already.
    func phone(session: String?) throws -> String {
        try frame.render(
            "express/phone", of: .sandbox, title: "Tea house", path: "/alipay-shop/", styles: ["phone/phone.css", "express/express.css"],
            scripts: ["express/express.js"], PhonePage(session: session, console: console))
    }

    private struct PhonePage: Sendable {
        let models = ExpressPhoneModel.allCases.map { PageChoice(value: $0.rawValue, title: $0.title, isChosen: $0 == .withWallet) }
        let session: String?
        let console: String?
    }

    func orders(_ orders: [ExpressOrderRecord]) throws -> String {
        let newest = orders.sorted { ($0.madeAt, $0.id) > ($1.madeAt, $1.id) }.prefix(100)
        return try frame.render(
            "express/orders", of: .sandbox, title: "Orders", path: "/alipay-shop/orders", styles: ["express/express.css"],
            OrdersPage(rows: newest.map { .init(order: $0, state: $0.state.rawValue) }))
    }

    private struct OrdersPage: Sendable {
        struct Row: Sendable {
            let order: ExpressOrderRecord
            let state: String
        }

        let rows: [Row]
    }

    func order(_ order: ExpressOrderRecord, problem: String? = nil) throws -> String {
        let refunds = order.refunds.map { refund -> OrderPage.Refund in
            // Its answer may be lost: the same number asks again, where a new one could give back twice.
            let isOpen = refund.state == .asked
            return .init(
                refund: refund, state: isOpen ? "under way" : refund.state.rawValue, isOpen: isOpen,
                isConfirmable: isOpen && order.isConfirmable)
        }
        return try frame.render(
            "express/order", of: .sandbox, title: "Order \(order.id)", styles: ["express/express.css"],
            OrderPage(
                order: order, state: order.state.rawValue, generation: order.generation.rawValue, contract: order.account.name,
                faults: order.faults.map(\.title), refunds: refunds, refundPassword: order.account.refundPassword,
                canRefund: order.state == .paid, canConfirm: order.isConfirmable, isUnpaid: order.state == .unpaid, rest: rest(of: order),
                story: console.map { "\($0)/stories/\(ExpressTrace.order):\(order.id)" }, problem: problem))
    }

    private struct OrderPage: Sendable {
        struct Refund: Sendable {
            let refund: ExpressOrderRecord.Refund
            let state: String
            let isOpen: Bool
            let isConfirmable: Bool
        }

        let order: ExpressOrderRecord
        let state: String
        let generation: String
        let contract: String
        let faults: [String]
        let refunds: [Refund]
        let refundPassword: String?
        let canRefund: Bool
        let canConfirm: Bool
        let isUnpaid: Bool
        let rest: String
        let story: String?
        let problem: String?
    }

    /// What could still go back, as the form suggests it.
    private func rest(of order: ExpressOrderRecord) -> String {
        guard let price = order.price.amount else { return "" }
        let open = order.refunds.filter { $0.state != .refused }.compactMap { $0.amount.amount?.minorUnits }.reduce(0, +)
        return Amount(minorUnits: max(0, price.minorUnits - open), currency: price.currency).text
    }
}
