import BillfoldJSON
import BillfoldMoney
import BillfoldPayments
import BillfoldStorage

/// The message by which a wallet learns that its customer gets money back. The refund's id is the request's id: sending it twice is
/// sending it once.
struct WalletRefund: Sendable, Hashable, Codable {
    static let kind = "wallet-refund"
    static let schedule = "wallet-refund"
    /// The merchant has paid it: it is sent until the wallet has credited it, for as long as that takes.
    static let retries = RetrySchedule.exponential(base: .seconds(1), cap: .seconds(600), attempts: 10_000_000)

    struct Money: Sendable, Hashable, Codable {
        var value: String
        var currency: String

        init(_ amount: Amount) {
            value = amount.text
            currency = amount.currency.alphabeticCode
        }
    }

    var requestId: String
    var tradeNo: String
    var buyerID: String
    var amount: Money
    var reason: String?

    static func destination(of wallet: String) -> String { "wallet:\(wallet)" }

    static func message(_ refund: Refund, of trade: Trade, at now: Timestamp) throws -> OutboxMessage {
        let body = WalletRefund(
            requestId: refund.id.description, tradeNo: trade.tradeNo, buyerID: trade.buyer.id,
            amount: Money(Amount(minorUnits: refund.part.payable, currency: trade.money.payable.currency)),
            reason: refund.reason.isEmpty ? nil : refund.reason)
        return OutboxMessage(
            merchant: trade.merchant, id: refund.id, destination: destination(of: trade.wallet), kind: kind, subject: refund.id,
            subjectVersion: trade.version, body: try JSONDocument.encode(body), schedule: schedule, dueAt: now, createdAt: now)
    }
}
