import BillfoldPayments
import BillfoldStorage

/// Reads what a merchant was paid, gave back and was paid out, whole and page by page: each page is a short read of its own, so that a
/// month of a large merchant holds up no checkpoint. Rows of a time that is over do not change any more.
struct BookPages: Sendable {
    let database: any Database
    /// So many rows are in a page.
    let size: Int

    init(_ context: AlipayServerContext) {
        database = context.database
        size = context.configuration.bookPage
    }

    func payments(of merchant: MerchantID, in time: Range<Timestamp>, _ each: (Trade, TradeOrder) throws -> Void) async throws {
        var last: Trade?
        while true {
            let (size, behind) = (size, last)
            let page = try await database.read { tx in
                try TradeRecords.paid(merchant, in: time, after: behind, limit: size, in: tx).map {
                    ($0, try TradeOrderRecords.order(of: $0, in: tx))
                }
            }
            for (trade, order) in page { try each(trade, order) }
            last = page.last?.0
            if page.count < size { return }
        }
    }

    func payouts(of merchant: MerchantID, in time: Range<Timestamp>, _ each: (Payout) throws -> Void) async throws {
        var last: Payout?
        while true {
            let (size, behind) = (size, last)
            let page = try await database.read { try PayoutRecords.made(merchant, in: time, after: behind, limit: size, in: $0) }
            for payout in page { try each(payout) }
            last = page.last
            if page.count < size { return }
        }
    }

    func refunds(of merchant: MerchantID, in time: Range<Timestamp>, _ each: (Refund, Trade) throws -> Void) async throws {
        var last: Refund?
        while true {
            let (size, behind) = (size, last)
            let page = try await database.read { tx in
                try RefundRecords.booked(merchant, in: time, after: behind, limit: size, in: tx).map { refund in
                    guard let trade = try TradeRecords.find(refund.trade, merchant: merchant, in: tx) else {
                        throw PaymentsError(code: .corruptRecord, reason: "a refund has no trade")
                    }
                    return (refund, trade)
                }
            }
            for (refund, trade) in page { try each(refund, trade) }
            last = page.last?.0
            if page.count < size { return }
        }
    }
}
