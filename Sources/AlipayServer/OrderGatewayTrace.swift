import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import BillfoldTrace

/// Reports what the gateway says and hears, decoded and masked: never a key, a bearer or a whole account name.
struct OrderGatewayTrace: ExchangeReporter {
    let sink: any TraceSink
    let clock: any WallClock
    let identifiers: IdentifierSource
    let mode: ServerMode

    static let gateway: Party = "gateway"
    static let own = gateway
    static let merchant: Party = "merchant"
    static let wallet: Party = "wallet"

    static let masked: Set<String> = [
        "sign", "buyer_id", "buyer_email", "buyer_logon_id", "buyerID", "extern_token", "app_auth_token",
    ]

    static func about(_ trade: Trade) -> [String: String] { ["alipay.order": trade.outTradeNo, "alipay.trade": trade.tradeNo] }
}
