public import BillfoldDiagnosis
public import BillfoldMoney
public import BillfoldServer
package import BillfoldStorage

/// What a gateway is composed from, read once.
public struct AlipayServerConfiguration: Sendable {
    /// A wallet whose customers pay here.
    public struct Wallet: Sendable {
        package var id: String
        package var origin: String
        package var bearer: Secret<String>
        package var credential: Secret<String>

        /// - Parameters:
        ///   - id: `ALIPAY_CN`: in the books and in messages.
        ///   - origin: Of its link, without a path.
        ///   - bearer: What it shows us.
        ///   - credential: What we show it.
        public init(id: String, origin: String, bearer: Secret<String>, credential: Secret<String>) {
            self.id = id
            self.origin = origin
            self.bearer = bearer
            self.credential = credential
        }
    }

    package var mode: ServerMode
    package var keys: OrderGatewayKeys
    package var wallets: [Wallet]
    package var origin: String
    /// Lets merchants register themselves over HTTP; test mode only.
    public var onboardingKey: Secret<String>?
    /// Currencies that contracts may settle in (alipay.md#currencies) [O].
    public var currencies = standardCurrencies
    package static let standardCurrencies: Set<Currency> = [
        .aud, .cad, .chf, .dkk, .eur, .gbp, .hkd, .jpy, .krw, .mop, .nok, .nzd, .sek, .sgd, .thb, .usd,
    ]
    /// How long a trade waits where the order says nothing [D].
    package var defaultTimeout = "15d"
    /// How long a domestic trade can be refunded [I].
    public var refundWindow: Duration = .seconds(90 * 86_400)
    /// How long after its payment a trade can be cancelled as a whole. Cross-border acquiring ends it with the day (00:15 in China) [D]; the
    /// open platform's own time is not documented [I].
    public var cancelWindow: Duration = .seconds(86_400)
    /// How far a modern request's `timestamp` may be off; the open gateway's window is not documented [I].
    public var timestampTolerance: Duration = .seconds(86_400)
    /// In test mode, where the gateway's clock can be moved: the clock that clients of others go by. Its time is taken as well.
    package var clientsClock: (any WallClock)?
    /// How long a merchant has to answer a notification.
    package var notificationTimeout: Duration = .seconds(15)
    /// How long a message belongs to the worker that took it.
    package var lease: Duration = .seconds(60)
    /// How long a bill's address is good (alipay.md#bills) [D].
    package var billLifetime: Duration = .seconds(30)
    /// How many rows of a bill or a cross-border file are read at once, and lie in a page of a wallet's books.
    package var bookPage = 500
    /// A bill or a cross-border file of more bytes than this is not made: it would have to lie in memory whole.
    public var mostFileBytes = 32 * 1_048_576
    /// How old a rate may be that prices an order; nil takes any, which production refuses. Rates are renewed once a day
    /// (alipay.md#rate-file) [D].
    public var rateLifetime: Duration?
    /// How often a partner may fetch the rate file on a day in China (alipay.md#rate-file) [D].
    package var rateFileCallsPerDay: Int64 = 100
    /// How the file of `forex_refund_file` is read, which no document found says [I].
    package var refundFileFormat: any RefundFileFormat = PipedRefundFile()
    /// What one guess at a merchant's refund password costs.
    package var passwordCost = PasswordHash.Cost()
    /// Signed calls per application or partner, and `notify_verify`, which nobody signs, per address.
    package var callRate = RateLimit(perSecond: 2_000, burst: 10_000)

    /// - Parameters:
    ///   - mode: Production demands HTTPS and a limit to the age of rates, and refuses what exists for tests alone.
    ///   - keys: By which the gateway signs, seals and hashes: its own, kept outside the database.
    ///   - wallets: Those that may take payments here, each with an id and a bearer of its own.
    ///   - origin: Where merchants and wallets reach this gateway, without a path.
    public init(mode: ServerMode, keys: OrderGatewayKeys, wallets: [Wallet], origin: String) {
        self.mode = mode
        self.keys = keys
        self.wallets = wallets
        self.origin = origin
        rateLifetime = mode == .production ? .seconds(72 * 3_600) : nil
    }

    /// Refuses with `configuration-invalid` what cannot be served safely.
    package func validate() throws(AlipayServerError) {
        func invalid(_ reason: String) -> AlipayServerError { AlipayServerError(code: .configurationInvalid, reason: reason) }
        guard Set(wallets.map(\.id)).count == wallets.count else { throw invalid("two wallets share an id") }
        let bearers = wallets.map { $0.bearer.reveal() }
        guard bearers.allSatisfy({ $0.utf8.count >= 24 }), Set(bearers).count == bearers.count else {
            throw invalid("a wallet's key has at least 24 bytes and is no other wallet's")
        }
        guard notificationTimeout < lease else { throw invalid("a lease must be longer than a merchant's time to answer") }
        guard mostFileBytes > 0 else { throw invalid("a file has at least one byte") }
        guard bookPage > 0 else { throw invalid("a page of the books has at least one row") }
        guard mode == .production else { return }
        guard rateLifetime != nil else { throw invalid("production prices no order with a rate of any age") }
        guard clientsClock == nil else { throw invalid("production has one clock") }
        guard onboardingKey == nil else { throw invalid("merchants are onboarded over HTTP in test mode only") }
        guard wallets.allSatisfy({ $0.origin.hasPrefix("https://") }), origin.hasPrefix("https://") else {
            throw invalid("production speaks HTTPS only")
        }
    }
}
