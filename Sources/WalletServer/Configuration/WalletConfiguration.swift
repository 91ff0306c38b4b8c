public import BillfoldDiagnosis
public import BillfoldMoney
public import BillfoldPayments
public import BillfoldServer
public import Crypto

/// What a wallet is composed from, read once.
public struct WalletConfiguration: Sendable {
    /// Keys of the wallet's own. They lie outside the database.
    public struct Keys: Sendable {
        package var audit: SymmetricKey
        package var hashing: HashingKey

        /// - Parameters:
        ///   - audit: Keys the chain of what was done.
        ///   - hashing: For session tokens, checkout tokens and payment passwords.
        public init(audit: SymmetricKey, hashing: SymmetricKey) {
            self.audit = audit
            self.hashing = HashingKey(hashing)
        }
    }

    /// Where orders are checked and payments go.
    public struct Gateway: Sendable {
        package var origin: String
        package var credential: Secret<String>
        package var callerKey: Secret<String>

        /// - Parameters:
        ///   - origin: Without a path: the link lies under `/link/v1`.
        ///   - credential: The bearer that we send.
        ///   - callerKey: The bearer that the gateway sends.
        public init(origin: String, credential: Secret<String>, callerKey: Secret<String>) {
            self.origin = origin
            self.credential = credential
            self.callerKey = callerKey
        }
    }

    /// How many wrong tries lock a password, and for how long.
    public struct TryLimit: Sendable, Hashable {
        package var tries: Int64
        package var lock: Duration

        public init(tries: Int64, lock: Duration) {
            self.tries = tries
            self.lock = lock
        }
    }

    package var mode: ServerMode
    package var owner: MerchantID
    package var currency: Currency
    package var keys: Keys
    package var gateway: Gateway
    /// Nil where the wallet takes no part in Alipay+.
    public var alipayPlus: AlipayPlus?
    /// Nil where the wallet hosts no mini programs.
    public var superApp: SuperApp?
    /// In test mode: the schemes of the apps that a phone has, with the web address that plays each. The way back to a merchant's app
    /// then leads there, with the real address in the parameter `url`.
    package var openers: [String: String] = [:]
    /// In test mode: the console's origin, for links from a refused order to its story.
    package var console: String?
    /// Whom the login page introduces in test mode.
    package var demoCustomers: [DemoCustomer] = []
    /// What one guess costs. Payment passwords are mixed with a key from outside the database first, and need less.
    package var passwordCost = PasswordHash.Cost(logRounds: 15)
    public var loginLimit = TryLimit(tries: 10, lock: .seconds(900))
    public var paymentLimit = TryLimit(tries: 5, lock: .seconds(3 * 3600))
    /// How many times the attempts to log in that an operator's console takes from one address and for one name.
    package var loginScale = 2
    public var sessionLifetime: Duration = .seconds(12 * 3600)
    /// How long a session lasts unused.
    public var sessionPause: Duration = .seconds(900)
    package var checkoutLifetime: Duration = .seconds(24 * 3600)
    /// Checkouts that one address may open.
    package var checkoutRate = RateLimit(perSecond: 5, burst: 50)
    /// How long the gateway may take to answer one call.
    package var answerTimeout: Duration = .seconds(8)
    /// How long a payment that the gateway says it never had is sent again, before it is withdrawn.
    public var paymentPatience: Duration = .seconds(900)
    /// How many entries are in a page of the books that the gateway reads.
    package var bookPage = 500
    /// How long a payment belongs to the page that waits for it.
    package var requestLease: Duration = .seconds(20)

    /// - Parameters:
    ///   - mode: Production takes HTTPS alone.
    ///   - owner: The operator of the wallet, whose ledger, audit and outbox rows are.
    ///   - currency: What accounts are kept in.
    ///   - keys: The wallet's own.
    ///   - gateway: Where orders are checked and payments go.
    public init(mode: ServerMode, owner: MerchantID, currency: Currency, keys: Keys, gateway: Gateway) {
        self.mode = mode
        self.owner = owner
        self.currency = currency
        self.keys = keys
        self.gateway = gateway
    }

    /// Refuses with `configuration-invalid` what cannot be served.
    package func validate() throws(WalletError) {
        func invalid(_ reason: String) -> WalletError { WalletError(code: .configurationInvalid, reason: reason) }
        guard mode == .test || (openers.isEmpty && demoCustomers.isEmpty && console == nil) else {
            throw invalid("demonstration customers, played apps and links to the console exist in test mode only")
        }
        // A bearer is all that authenticates payments and books.
        guard mode == .test || gateway.origin.hasPrefix("https://") else { throw invalid("production speaks HTTPS only") }
        guard gateway.credential.reveal().utf8.count >= 24, gateway.callerKey.reveal().utf8.count >= 24 else {
            throw invalid("a key of the link has at least 24 bytes")
        }
        guard gateway.credential.reveal() != gateway.callerKey.reveal() else { throw invalid("the link has one key for each direction") }
        if let alipayPlus {
            guard mode == .test || alipayPlus.enrolment == nil else { throw invalid("parties register themselves in test mode only") }
            guard mode == .test || [alipayPlus.gateway, alipayPlus.origin].allSatisfy({ $0.hasPrefix("https://") }) else {
                throw invalid("production speaks HTTPS only")
            }
            guard alipayPlus.enrolment != nil || !alipayPlus.gatewayKeys.isEmpty else {
                throw invalid("the keys that Alipay+ signs with are not known")
            }
        }
        try superApp?.validate(mode)
        guard bookPage > 0 else { throw invalid("a page of the books has at least one entry") }
        guard loginLimit.tries > 0, paymentLimit.tries > 0 else { throw invalid("a password needs at least one try") }
        guard requestLease > answerTimeout + answerTimeout else { throw invalid("the lease must be longer than two calls to the gateway") }
    }
}

/// A customer who exists in test mode from the start, with known passwords.
package struct DemoCustomer: Sendable {
    package var number: String
    package var name: String
    package var email: String
    package var phone: String
    package var loginPassword: String
    package var paymentPassword: String
    /// In minor units of the wallet's currency.
    package var balance: Int64

    package init(
        number: String, name: String, email: String, phone: String, loginPassword: String, paymentPassword: String, balance: Int64
    ) {
        self.number = number
        self.name = name
        self.email = email
        self.phone = phone
        self.loginPassword = loginPassword
        self.paymentPassword = paymentPassword
        self.balance = balance
    }

    /// One with money and one without.
    package static let all = [
        DemoCustomer(
            number: "2088000000000017", name: "Mei Lin", email: "mei@example.test", phone: "+8613900000001",
            loginPassword: "two-leaves-tea", paymentPassword: "246810", balance: 1_000_000),
        DemoCustomer(
            number: "2088000000000025", name: "Wei Chen", email: "wei@example.test", phone: "+8613900000002",
            loginPassword: "two-leaves-tea", paymentPassword: "135791", balance: 500),
    ]
}
