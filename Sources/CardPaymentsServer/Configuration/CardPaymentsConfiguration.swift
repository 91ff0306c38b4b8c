public import ApplePay
public import BillfoldMoney
public import BillfoldPayments
public import BillfoldServer
public import Crypto
public import PaymentCrypto
import UnionPay

/// What a card-payments server is composed from, read once.
public struct CardPaymentsConfiguration: Sendable {
    /// What the app is told when a payment has not settled while its sheet was open. The server's own, unless a merchant has another.
    public enum PendingPolicy: String, Sendable, Hashable, CaseIterable {
        /// The sheet closes with success; the order is delivered once the payment succeeds.
        case acceptPending
        /// The sheet closes with failure, and the payment is reversed.
        case failAndReverse
        /// The answer says that nobody knows, and the app chooses what its customer sees. The payment goes on.
        case tellPending
    }

    /// Where the acquirer listens. Public samples disagree about the path for a deduct (apple-pay.md#transport): each is configured.
    public struct Endpoints: Sendable, Hashable {
        package var transaction: String
        package var query: String
        package var file: String
        package var notification: String
        package var application: String?

        /// - Parameters:
        ///   - transaction: Consume, refund, void and reversal: `…/gateway/api/backTransReq.do`.
        ///   - query: `…/gateway/api/queryTrans.do`.
        ///   - file: The file host.
        ///   - notification: Our own public address for notifications, ending in `/unionpay/notify`.
        ///   - application: Order push: `…/gateway/api/appTransReq.do`; nil where orders are not paid by UnionPay's own client.
        public init(transaction: String, query: String, file: String, notification: String, application: String? = nil) {
            self.transaction = transaction
            self.query = query
            self.file = file
            self.notification = notification
            self.application = application
        }
    }

    /// Keys of the server's own. They lie outside the database.
    public struct Keys: Sendable {
        package var audit: SymmetricKey
        /// For client secrets, API keys and card numbers.
        public var hashing: HashingKey
        package var sealer: EnvelopeSealer

        /// - Parameters:
        ///   - audit: Links the rows of the audit chains, so that nobody without it can change one unseen.
        ///   - hashing: Keys the hashes that stand for client secrets, API keys and card numbers.
        ///   - sealer: Seals outgoing messages that hold card data, and shoppers' contacts.
        public init(audit: SymmetricKey, hashing: SymmetricKey, sealer: EnvelopeSealer) {
            self.audit = audit
            self.hashing = HashingKey(hashing)
            self.sealer = sealer
        }
    }

    package var mode: ServerMode
    package var merchants: [MerchantProfile]
    package var tokenTrust: TrustPolicy
    package var endpoints: Endpoints
    package var keys: Keys
    package var pendingPolicy: PendingPolicy
    /// Whether merchants may register while the server runs (``OwnMerchant``), in test mode.
    package var takesOwnMerchants = false
    /// Where a page's `validationURL` may also lead in test mode, such as `https://127.0.0.1:8443`.
    package var testSessionOrigin: String?
    /// How long a payment request waits for its outcome while the sheet is open; sheets give up after about 30 s [I].
    public var sheetWait: Duration = .seconds(20)
    /// How long the acquirer has for one answer.
    package var answerTimeout: Duration = .seconds(15)
    /// How long the deduct message belongs to its request before a worker takes over: longer than the request waits, and than
    /// three attempts to send take, of which the last may wait for its whole answer.
    package var requestLease: Duration = .seconds(40)
    public var orderLifetime: Duration = .seconds(1800)
    /// After this the acquirer must not take the payment any more (`payTimeout`).
    public var payTimeout: Duration = .seconds(900)
    /// When the acquirer is asked: the fast schedule while the sheet is open, then the slow one (apple-pay.md#query-schedule).
    package var querySchedule: [Duration] = QuerySchedule.backEnd.waits + QuerySchedule.frontEnd.waits
    /// When the acquirer is asked what became of an order that was pushed: a customer takes a while (unionpay-tn.md#query).
    package var pushedQuerySchedule: [Duration] = QuerySchedule.frontEnd.waits
    public var rounding: Rounding = .halfUp
    /// Payment requests per order, before any cryptography.
    package var orderRate = RateLimit(perSecond: 20, burst: 200)

    public init(
        mode: ServerMode, merchants: [MerchantProfile], tokenTrust: TrustPolicy, endpoints: Endpoints, keys: Keys,
        pendingPolicy: PendingPolicy = .acceptPending
    ) {
        self.mode = mode
        self.merchants = merchants
        self.tokenTrust = tokenTrust
        self.endpoints = endpoints
        self.keys = keys
        self.pendingPolicy = pendingPolicy
    }

    /// Refuses what cannot be served safely: test anchors or plain HTTP in production, or no merchant.
    package func validate() throws(CardPaymentsError) {
        func invalid(_ reason: String) -> CardPaymentsError { CardPaymentsError(code: .configurationInvalid, reason: reason) }
        guard !merchants.isEmpty else { throw invalid("no merchant is configured") }
        guard Set(merchants.map(\.id)).count == merchants.count, Set(merchants.map(\.acquirerID)).count == merchants.count else {
            throw invalid("two merchants share an identity")
        }
        let longestWait = merchants.compactMap(\.sheetWait).reduce(sheetWait, max)
        guard requestLease > max(longestWait, answerTimeout * 2) else {
            throw invalid("the request's lease must exceed the sheet's wait and twice the acquirer's time to answer")
        }
        guard merchants.allSatisfy({ !$0.settledCurrencies.isEmpty }) else { throw invalid("a merchant has no settled currency") }
        for merchant in merchants
        where merchant.supportedNetworks.contains("chinaUnionPay") != merchant.merchantCapabilities.contains("emv") {
            throw invalid("the capability emv belongs to chinaUnionPay, and to nothing else")
        }
        guard !tokenTrust.anchors.isEmpty else { throw invalid("no root of the wallet is trusted") }
        if mode == .production {
            guard tokenTrust.name == TrustPolicy.production.name else { throw invalid("test anchors exist in test mode only") }
            let urls = [endpoints.transaction, endpoints.query, endpoints.file, endpoints.notification, endpoints.application]
                .compactMap(\.self)
            guard !takesOwnMerchants else { throw invalid("merchants register by themselves in test mode only") }
            guard testSessionOrigin == nil else { throw invalid("web sessions come from Apple alone in production") }
            guard urls.allSatisfy({ $0.hasPrefix("https://") }) else { throw invalid("production speaks HTTPS only") }
        }
    }
}
