import BillfoldPayments
import BillfoldServer
import Hummingbird

/// The lists of a merchant's orders, payments and refunds, for its back end and its support desk.
struct ListRoutes: Sendable {
    let service: CardPaymentsService

    func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        router.get("/v1/orders") { request, _ in try await orders(request) }
        router.get("/v1/payments") { request, _ in try await payments(request) }
        router.get("/v1/refunds") { request, _ in try await refunds(request) }
    }

    private func orders(_ request: Request) async throws -> Response {
        let merchant = try await service.merchant(bearer: request.bearer)
        let page = try await service.orders(request.list(of: "orders of \(merchant.id)"), merchant: merchant)
        let views = try page.items.map { try service.view($0.order, merchant, payments: $0.payments, for: .merchant) }
        return try JSONAnswer.make(OrderListView(orders: views, next: page.next))
    }

    private func payments(_ request: Request) async throws -> Response {
        let merchant = try await service.merchant(bearer: request.bearer)
        let page = try await service.payments(request.list(of: "payments of \(merchant.id)", filters: ["order"]), merchant: merchant)
        return try JSONAnswer.make(PaymentListView(payments: page.items.map(MerchantPaymentView.init(listed:)), next: page.next))
    }

    private func refunds(_ request: Request) async throws -> Response {
        let merchant = try await service.merchant(bearer: request.bearer)
        let page = try await service.refunds(
            request.list(of: "refunds of \(merchant.id)", filters: ["order", "payment"]), merchant: merchant)
        return try JSONAnswer.make(RefundListView(refunds: page.items.map(\.view), next: page.next))
    }
}

/// A page of a list. Another follows while `next` is there.
struct OrderListView: Encodable {
    var orders: [OrderView]
    var next: String?
}

struct PaymentListView: Encodable {
    var payments: [MerchantPaymentView]
    var next: String?
}

struct RefundListView: Encodable {
    var refunds: [ModificationView]
    var next: String?
}
