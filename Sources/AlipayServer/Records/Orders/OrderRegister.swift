import BillfoldPayments
import BillfoldStorage

/// Verified orders by their ids. One that is stored never changes, so those that were shown of late are not read from the store again.
final class OrderRegister: Sendable {
    private let database: any Database
    private let known = Remembered<TimeOrderedID, TradeOrder>()

    init(database: any Database) { self.database = database }

    /// Another merchant's order is answered as none.
    func order(_ id: TimeOrderedID, merchant: MerchantID) async throws -> TradeOrder? {
        if let order = known[id] { return order.merchant == merchant ? order : nil }
        guard let order = try await database.lookup({ try TradeOrderRecords.find(id, merchant: merchant, in: $0) }) else { return nil }
        remember(order)
        return order
    }

    /// The order of a trade.
    func order(of trade: Trade) async throws -> TradeOrder {
        guard let order = try await order(trade.order, merchant: trade.merchant) else { throw TradeOrderRecords.missing }
        return order
    }

    /// Spares the first reading of an order that was just stored: only after its commit, for until then it may be undone.
    func remember(_ order: TradeOrder) {
        // Few orders have a kilobyte. What is kept of them is bounded by their number.
        if order.text.count <= 4_096 { known.keep(order, for: order.id) }
    }
}
