import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import BillfoldTrace

/// Reports what the gateway says and hears, decoded and masked: never a key, a bearer or a whole account name.
struct GatewayTrace: Sendable, ExchangeReporter {
    let sink: any TraceSink
    let clock: any WallClock
    let identifiers: IdentifierSource
    let mode: ServerMode

    static let gateway: Party = "gateway"
    static let merchant: Party = "merchant"
    static let wallet: Party = "wallet"

    /// Values that are not shown.
    private static let masked: Set<String> = [
        "sign", "buyer_id", "buyer_email", "buyer_logon_id", "buyerID", "extern_token", "app_auth_token",
    ]

    /// Returns the entry's id.
    @discardableResult
    func record(
        _ title: String, _ kind: TraceEntry.Kind, from: Party, to: Party, fields: [(String, String)] = [], about: [String: String],
        problem: String? = nil
    ) -> String {
        let now = clock.now()
        let id = identifiers.next(at: now).description
        sink.record(
            TraceEntry(
                id: id, at: now.microseconds, from: from, to: to, kind: kind, title: title, correlation: about,
                fields: fields.map { TraceEntry.Field($0.0, Self.masked.contains($0.0) ? "‹not shown›" : $0.1) }, problem: problem))
        return id
    }

    func note(_ title: String, fields: [(String, String)] = [], about: [String: String], problem: String? = nil) {
        record(title, .note, from: Self.gateway, to: Self.gateway, fields: fields, about: about, problem: problem)
    }

    static func about(_ trade: Trade) -> [String: String] { ["alipay.order": trade.outTradeNo, "alipay.trade": trade.tradeNo] }
}
