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
        var model: [String: Any] = [
            "models": ExpressPhoneModel.allCases.map {
                ["value": $0.rawValue, "title": $0.title, "isFirst": $0 == .withWallet] as [String: Any]
            }
        ]
        model["session"] = session
        model["console"] = console
        return try frame.render(
            "express/phone", of: .sandbox, title: "Tea house", path: "/alipay-shop/", styles: ["phone/phone.css", "express/express.css"],
            scripts: ["express/express.js"], model)
    }

    func orders(_ orders: [ExpressOrderRecord]) throws -> String {
        let newest = orders.sorted { ($0.madeAt, $0.id) > ($1.madeAt, $1.id) }.prefix(100)
        let model: [String: Any] = ["orders": newest.map(fields), "isEmpty": newest.isEmpty]
        return try frame.render(
            "express/orders", of: .sandbox, title: "Orders", path: "/alipay-shop/orders", styles: ["express/express.css"], model)
    }

    func order(_ order: ExpressOrderRecord, problem: String? = nil) throws -> String {
        var model = fields(order)
        model["problem"] = problem
        model["tradeNo"] = order.tradeNo
        model["story"] = console.map { "\($0)/stories/\(ExpressTrace.order):\(order.id)" }
        model["faults"] = order.faults.map { ["title": $0.title] }
        model["hasFaults"] = !order.faults.isEmpty
        model["refunds"] = order.refunds.map { refund -> [String: Any] in
            let isOpen = refund.state == .asked
            return [
                "number": refund.number, "amount": "\(refund.amount.value) \(refund.amount.currency)",
                "state": isOpen ? "under way" : refund.state.rawValue, "code": refund.code ?? "",
                // Its answer may be lost: the same number asks again, where a new one could give back twice.
                "isOpen": isOpen, "value": refund.amount.value, "isConfirmable": isOpen && order.isConfirmable,
            ]
        }
        model["hasRefunds"] = !order.refunds.isEmpty
        model["canRefund"] = order.state == .paid
        model["canConfirm"] = order.isConfirmable
        model["refundPassword"] = order.account.refundPassword
        model["canClose"] = order.state == .unpaid
        model["canAsk"] = order.state == .unpaid
        model["rest"] = rest(of: order)
        return try frame.render("express/order", of: .sandbox, title: "Order \(order.id)", styles: ["express/express.css"], model)
    }

    /// What could still go back, as the form suggests it.
    private func rest(of order: ExpressOrderRecord) -> String {
        guard let price = order.price.amount else { return "" }
        let open = order.refunds.filter { $0.state != .refused }.compactMap { $0.amount.amount?.minorUnits }.reduce(0, +)
        return Amount(minorUnits: max(0, price.minorUnits - open), currency: price.currency).text
    }

    private func fields(_ order: ExpressOrderRecord) -> [String: Any] {
        [
            "number": order.id, "subject": order.subject, "price": "\(order.price.value) \(order.price.currency)",
            "currency": order.price.currency, "state": order.state.rawValue, "isPaid": order.isPaid,
            "generation": order.generation.rawValue, "contract": order.account.name, "path": "/alipay-shop/orders/\(order.id)",
        ]
    }
}
