import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import BillfoldTrace

/// Reports what the wallet says and hears, decoded and masked: never a password, a session's token or a key.
struct WalletTrace: ExchangeReporter {
    static let app: Party = "app"
    static let wallet: Party = "wallet"
    static let own = wallet
    static let gateway: Party = "gateway"

    let sink: any TraceSink
    let clock: any WallClock
    let identifiers: IdentifierSource
    let mode: ServerMode
}
