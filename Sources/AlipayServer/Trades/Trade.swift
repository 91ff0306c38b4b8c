public import BillfoldMoney
public import BillfoldPayments
public import BillfoldStorage

/// One trade: an order that a payer has taken to the password step.
public struct Trade: Sendable, Hashable {
    public var merchant: MerchantID
    public var id: TimeOrderedID
    /// 28 digits, the first eight the day in China (alipay.md#limits) [O].
    public var tradeNo: String
    public var outTradeNo: String
    /// The order that was verified; it never changes.
    public var order: TimeOrderedID
    public var status: TradeStatus
    public var product: TradeProduct
    public var version: Int64
    /// Whose customer the payer is; empty until the buyer of a trade that its merchant made has come.
    public var wallet: String
    public var buyer: Buyer
    public var money: TradeMoney
    public var refunded: TradeMoney.Part
    /// The wallet's request that paid it.
    public var paymentRequest: String?
    public var funds: [Fund]
    public var createdAt: Timestamp
    public var expiresAt: Timestamp
    public var paidAt: Timestamp?
    /// When money last went back.
    public var refundedAt: Timestamp?
    public var closedAt: Timestamp?
    public var updatedAt: Timestamp
    var auditHead: AuditHead

    public struct Buyer: Sendable, Hashable, Codable {
        /// 16 digits beginning 2088.
        public var id: String
        /// Masked already by the wallet.
        public var logonID: String

        public init(id: String, logonID: String) {
            self.id = id
            self.logonID = logonID
        }
    }

    /// From which of the payer's means how much came, in minor units of CNY.
    public struct Fund: Sendable, Hashable, Codable {
        public var channel: String
        public var amount: Int64

        public init(channel: String, amount: Int64) {
            self.channel = channel
            self.amount = amount
        }
    }

    public var standing: TradeStanding {
        TradeStanding(product: product, status: status, price: money.price.minorUnits, refunded: refunded.price)
    }

    var auditChain: String { "trade:\(id)" }

    /// Price in the order's currency that went back so far.
    public var refundedPrice: Amount { Amount(minorUnits: refunded.price, currency: money.price.currency) }
}

/// One refund of a trade, known by the merchant's number for it.
public struct Refund: Sendable, Hashable {
    public enum State: String, Sendable, Hashable, Codable, CaseIterable {
        /// Taken, and not booked yet: only `forex_refund` with `is_sync=N` answers so.
        case accepted
        /// Booked: the money has left the merchant's balance. The wallet's credit follows.
        case booked
        /// The payer's wallet has credited it.
        case credited
        case failed
    }

    public var merchant: MerchantID
    public var trade: TimeOrderedID
    /// `out_request_no` or `out_return_no`: the same number is the same refund.
    public var requestNo: String
    public var id: TimeOrderedID
    public var route: RefundRoute
    public var state: State
    /// What it moves. While it is only accepted, the price alone counts.
    public var part: TradeMoney.Part
    public var reason: String
    /// Where the outcome of an accepted refund is told.
    public var notifyURL: String?
    /// Why it failed.
    public var failure: String?
    /// What it takes back from the receivers of a split payment.
    var shares: [TakenShare] = []
    public var wallet: String
    public var createdAt: Timestamp
    public var bookedAt: Timestamp?
    public var creditedAt: Timestamp?

    /// What the merchant's own balance gives: not what receivers give back, and less what the gateway returns of its fee. In the settlement's
    /// currency.
    func takenFromSeller(_ currency: Currency) -> Amount {
        Amount(minorUnits: part.settlement - part.fee - shares.reduce(0) { $0 + $1.settlement }, currency: currency)
    }

    /// Whether it takes back from receivers what these ask for.
    func isTaking(_ asked: [FundShare]) -> Bool {
        shares.map { [$0.receiver, String($0.amount)] } == asked.map { [$0.receiver, String($0.amount)] }
    }
}
