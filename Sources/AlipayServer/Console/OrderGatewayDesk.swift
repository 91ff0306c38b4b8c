package import BillfoldServer

/// What the console can show and do of the order gateway.
package protocol OrderGatewayDesk: Sendable {
    /// Trades that fit, the last made first, refunds that no wallet has credited, and what waits for a person.
    func overview(_ filter: OrderGatewayFilter) async throws -> OrderGatewayOverview
    /// A page of a merchant's trades; `nil` where the gateway has no such merchant.
    func trades(of merchant: String, _ wish: ListQuery<TradeStatus>) async throws -> OrderGatewayTradeList?
    /// `nil` where the gateway has no trade of that number.
    func trade(_ number: String) async throws -> OrderGatewayTradeView?
    /// A day's books beside a wallet's: `yyyy-MM-dd` in China, today without one; the first wallet without one. `nil` where there is no
    /// such day or wallet.
    func books(of day: String?, wallet: String?) async throws -> OrderGatewayBooks?
    /// Sends a notification once more, the same content under the same id, and writes who asked to the trail. Returns false where the
    /// merchant has none of that id, or where it is under way.
    func replay(_ id: String, of merchant: String, because reason: String, by person: String) async throws -> Bool
    /// Tells the payer's wallet of a refund now, under the same id, and writes who asked to the trail; where that is under way already it
    /// changes nothing. Returns false where the merchant has no refund of that id that waits to be credited.
    func resend(refund id: String, of merchant: String, because reason: String, by person: String) async throws -> Bool
}
