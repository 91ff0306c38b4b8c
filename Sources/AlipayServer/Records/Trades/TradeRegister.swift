import BillfoldPayments
import BillfoldStorage

/// Trades by their numbers. One that was opened here of late need not be read to be paid.
final class TradeRegister: Sendable {
    private let database: any Database
    private let opened = Remembered<String, Trade>()

    init(database: any Database) { self.database = database }

    /// The trade as it is now.
    func trade(_ tradeNo: String) async throws -> Trade? {
        try await database.lookup { try TradeRecords.find(tradeNo: tradeNo, in: $0) }
    }

    /// The trade as it was opened, the first time that it is asked for here, or as it is now. What it has become by the time of a write, its
    /// version tells.
    func openedTrade(_ tradeNo: String) async throws -> Trade? {
        if let trade = opened.take(tradeNo) { return trade }
        return try await trade(tradeNo)
    }

    /// Spares the first reading of a trade that was just opened: only after the commit.
    func remember(_ trade: Trade) { opened.keep(trade, for: trade.tradeNo) }
}
