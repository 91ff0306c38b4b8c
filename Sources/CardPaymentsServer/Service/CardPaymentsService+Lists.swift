import BillfoldPayments
import BillfoldServer
import BillfoldStorage

extension Order {
    fileprivate var place: ListFilter.Place { ListFilter.Place(at: createdAt, id: id) }
}

extension Payment {
    fileprivate var place: ListFilter.Place { ListFilter.Place(at: createdAt, id: id) }
}

extension Modification {
    fileprivate var place: ListFilter.Place { ListFilter.Place(at: createdAt, id: id) }
}

/// What an order's state can be called, in its view and in a filter.
enum OrderStateName: String, Sendable, Hashable, CaseIterable {
    case open, processing, paid, refunded, closed, expired
}

/// A merchant's lists: the newest first, page by page.
extension CardPaymentsService {
    /// An order with the attempts to pay it.
    struct ListedOrder: Sendable {
        var order: Order
        var payments: [Payment]
    }

    /// A payment with what undoes it, and the merchant's own number of its order.
    struct ListedPayment: Sendable {
        var payment: Payment
        var modifications: [Modification]
        var reference: String?
    }

    /// A payment as its merchant reads it.
    func listed(_ payment: Payment) async throws -> ListedPayment {
        try await context.database.read { tx in try Self.listed(payment, in: tx) }
    }

    static func listed(_ payment: Payment, in tx: any Transaction) throws -> ListedPayment {
        ListedPayment(
            payment: payment, modifications: try ModificationRecords.find(payment: payment.id, merchant: payment.merchant, in: tx),
            reference: try OrderRecords.find(payment.order, merchant: payment.merchant, in: tx)?.reference)
    }

    /// A refund, void or reversal as its merchant reads it, with the order that it is about.
    static func view(of modification: Modification, in tx: any Transaction) throws -> ModificationView {
        let payment = try PaymentRecords.find(modification.payment, merchant: modification.merchant, in: tx)
        let order = try payment.flatMap { try OrderRecords.find($0.order, merchant: modification.merchant, in: tx) }
        return ModificationView(modification, order: payment?.order, reference: order?.reference)
    }

    /// How many orders are looked at for a page of those in one state. That state follows from the payments and the clock, so no index has
    /// it.
    private static let looked = 500

    func orders(_ wish: ListQuery<OrderStateName>, merchant: MerchantProfile) async throws -> Page<ListedOrder> {
        let (now, id) = (context.clock.now(), merchant.id)
        let limit = wish.state == nil ? wish.page.fetched : Self.looked
        let filter = try wish.filter(limit: limit)
        let (listed, isWhole) = try await context.database.read { tx -> ([ListedOrder], Bool) in
            let orders =
                if let reference = wish.reference {
                    filter.part(of: try OrderRecords.find(reference: reference, merchant: id, in: tx).map { [$0] } ?? [], by: \.place)
                } else {
                    try OrderRecords.list(filter, merchant: id, in: tx)
                }
            return (
                try orders.map { ListedOrder(order: $0, payments: try PaymentRecords.find(order: $0.id, merchant: id, in: tx)) },
                orders.count < limit
            )
        }
        guard let state = wish.state else { return wish.page.page(of: listed, by: \.order.place.values) }
        let wanted = listed.filter { Self.state(of: $0.order, payments: $0.payments, at: now) == state.rawValue }
        return wish.page.page(of: wanted, lookedThroughTo: isWhole ? nil : listed.last?.order.place.values, by: \.order.place.values)
    }

    func payments(_ wish: ListQuery<PaymentState>, merchant: MerchantProfile) async throws -> Page<ListedPayment> {
        let (id, filter) = (merchant.id, try wish.filter())
        let listed = try await context.database.read { tx -> [ListedPayment] in
            let payments: [Payment]
            if let orders = try Self.orders(wish, merchant: id, in: tx) {
                let all = try orders.flatMap { try PaymentRecords.find(order: $0, merchant: id, in: tx) }
                payments = filter.part(of: all.filter { wish.state == nil || $0.state == wish.state }, by: \.place)
            } else {
                payments = try PaymentRecords.list(filter, state: wish.state, merchant: id, in: tx)
            }
            return try payments.map { try Self.listed($0, in: tx) }
        }
        return wish.page.page(of: listed, by: \.payment.place.values)
    }

    /// A modification with what its merchant reads of it.
    struct ListedModification: Sendable {
        var modification: Modification
        var view: ModificationView
    }

    func refunds(_ wish: ListQuery<Modification.State>, merchant: MerchantProfile) async throws -> Page<ListedModification> {
        let filter = try wish.filter()
        let listed = try await context.database.read { tx in
            try Self.refunds(wish, filter, merchant: merchant.id, in: tx).map {
                ListedModification(modification: $0, view: try Self.view(of: $0, in: tx))
            }
        }
        return wish.page.page(of: listed, by: \.modification.place.values)
    }

    private static func refunds(
        _ wish: ListQuery<Modification.State>, _ filter: ListFilter, merchant: MerchantID, in tx: any Transaction
    ) throws -> [Modification] {
        var payments = try wish.id("payment").map { [$0] }
        if let orders = try orders(wish, merchant: merchant, in: tx) {
            let ofOrders = try orders.flatMap { try PaymentRecords.find(order: $0, merchant: merchant, in: tx) }.map(\.id)
            payments = payments.map { $0.filter(ofOrders.contains) } ?? ofOrders
        }
        guard let payments else { return try ModificationRecords.list(.refund, filter, state: wish.state, merchant: merchant, in: tx) }
        let all = try payments.flatMap { try ModificationRecords.find(payment: $0, merchant: merchant, in: tx) }
        return filter.part(of: all.filter { $0.kind == .refund && (wish.state == nil || $0.state == wish.state) }, by: \.place)
    }

    /// The orders that a list is narrowed to, none or one; `nil` where it is not.
    private static func orders<State>(
        _ wish: ListQuery<State>, merchant: MerchantID, in tx: any Transaction
    ) throws -> [TimeOrderedID]? {
        let named = try wish.id("order")
        guard let reference = wish.reference else { return named.map { [$0] } }
        guard let found = try OrderRecords.find(reference: reference, merchant: merchant, in: tx)?.id else { return [] }
        return named.map { $0 == found } == false ? [] : [found]
    }
}
