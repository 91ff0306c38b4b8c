import BillfoldJSON
import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import Foundation
import Hummingbird

/// The lists of a merchant's orders, payments and refunds, for its back end and its support desk.
struct ListRoutes: Sendable {
    private static let keys: [PageCursor.Key] = [.integer, .blob]

    let service: CardPaymentsService

    func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        router.get("/v1/orders") { request, _ in try await orders(request) }
        router.get("/v1/payments") { request, _ in try await payments(request) }
        router.get("/v1/refunds") { request, _ in try await refunds(request) }
    }

    private func orders(_ request: Request) async throws -> Response {
        let merchant = try await service.merchant(bearer: request.bearer)
        let page = try await service.orders(wish(request, "orders", merchant), merchant: merchant)
        let views = try page.items.map { try service.view($0.order, merchant, payments: $0.payments, for: .merchant) }
        return try JSONAnswer.make(OrderListView(orders: views, next: page.next))
    }

    private func payments(_ request: Request) async throws -> Response {
        let merchant = try await service.merchant(bearer: request.bearer)
        let page = try await service.payments(wish(request, "payments", merchant, filters: ["order"]), merchant: merchant)
        return try JSONAnswer.make(PaymentListView(payments: page.items.map { MerchantPaymentView($0, $1) }, next: page.next))
    }

    private func refunds(_ request: Request) async throws -> Response {
        let merchant = try await service.merchant(bearer: request.bearer)
        let page = try await service.refunds(wish(request, "refunds", merchant, filters: ["order", "payment"]), merchant: merchant)
        return try JSONAnswer.make(RefundListView(refunds: page.items.map(ModificationView.init), next: page.next))
    }

    /// Refuses with `malformed-request` what no row can be, so that a misspelt filter is never taken for an empty list.
    private func wish<State: RawRepresentable<String> & Sendable>(
        _ request: Request, _ list: String, _ merchant: MerchantProfile, filters: Set<String> = []
    ) throws -> ListWish<State> {
        let (page, filter) = try request.page(
            of: "\(list) of \(merchant.id)", keys: Self.keys, filters: filters.union(["state", "createdFrom", "createdTo", "reference"]))
        func instant(_ name: String) throws(CardPaymentsError) -> Timestamp? {
            guard let text = filter[name] else { return nil }
            guard text.utf8.count <= 64, let date = Date(rfc3339: text) else {
                throw RequestReader.malformed(name, "is not an instant like 2026-12-31T23:59:59Z")
            }
            return Timestamp(secondsSince1970: Int64(date.timeIntervalSince1970))
        }
        func id(_ name: String) throws(CardPaymentsError) -> TimeOrderedID? {
            guard let text = filter[name] else { return nil }
            guard let id = try? TimeOrderedID(text: text) else { throw RequestReader.malformed(name, "is none of our ids") }
            return id
        }
        var wish = ListWish<State>(page: page)
        if let text = filter["state"] {
            guard let state = State(rawValue: text) else { throw RequestReader.malformed("state", "is none that \(list) have") }
            wish.state = state
        }
        (wish.from, wish.to) = (try instant("createdFrom"), try instant("createdTo"))
        if let reference = filter["reference"] {
            guard (1...128).contains(reference.utf8.count), !reference.utf8.contains(0) else {
                throw RequestReader.malformed("reference", "is not 1 to 128 bytes")
            }
            wish.reference = reference
        }
        (wish.order, wish.payment) = (try id("order"), try id("payment"))
        return wish
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
