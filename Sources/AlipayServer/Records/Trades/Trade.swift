package import BillfoldMoney
package import BillfoldPayments
package import BillfoldStorage

/// One trade: an order that a payer has taken to the password step.
package struct Trade: Sendable, Hashable {
    package var merchant: MerchantID
    package var id: TimeOrderedID
    /// 28 digits, the first eight the day in China (alipay.md#limits) [O].
    package var tradeNo: String
    package var outTradeNo: String
    /// The order that was verified; it never changes.
    package var order: TimeOrderedID
    package var status: TradeStatus
    package var product: TradeProduct
    package var version: Int64
    /// Whose customer the payer is; empty until the buyer of a trade that its merchant made has come.
    package var wallet: String
    package var buyer: Buyer
    package var money: TradeMoney
    package var refunded: TradeMoney.Part
    /// The wallet's request that paid it.
    package var paymentRequest: String?
    package var funds: [Fund]
    package var createdAt: Timestamp
    package var expiresAt: Timestamp
    package var paidAt: Timestamp?
    /// When money last went back.
    package var refundedAt: Timestamp?
    package var closedAt: Timestamp?
    package var updatedAt: Timestamp
    var auditHead: AuditHead

    package struct Buyer: Sendable, Hashable, Codable {
        /// 16 digits beginning 2088.
        package var id: String
        /// Masked already by the wallet.
        package var logonID: String

        package init(id: String, logonID: String) {
            self.id = id
            self.logonID = logonID
        }
    }

    /// From which of the payer's means how much came, in minor units of CNY.
    package struct Fund: Sendable, Hashable, Codable {
        package var channel: String
        package var amount: Int64

        package init(channel: String, amount: Int64) {
            self.channel = channel
            self.amount = amount
        }
    }

    package var standing: TradeStanding {
        TradeStanding(product: product, status: status, price: money.price.minorUnits, refunded: refunded.price)
    }

    var auditChain: String { "trade:\(id)" }

    /// Price in the order's currency that went back so far.
    package var refundedPrice: Amount { Amount(minorUnits: refunded.price, currency: money.price.currency) }
}

/// One refund of a trade, known by the merchant's number for it.
package struct Refund: Sendable, Hashable {
    package enum State: String, Sendable, Hashable, Codable, CaseIterable {
        /// Taken, and not booked yet: only `forex_refund` with `is_sync=N` answers so.
        case accepted
        /// Booked: the money has left the merchant's balance. The wallet's credit follows.
        case booked
        /// The payer's wallet has credited it.
        case credited
        case failed
    }

    package var merchant: MerchantID
    package var trade: TimeOrderedID
    /// `out_request_no` or `out_return_no`: the same number is the same refund.
    package var requestNo: String
    package var id: TimeOrderedID
    package var route: RefundRoute
    package var state: State
    /// What it moves. While it is only accepted, the price alone counts.
    package var part: TradeMoney.Part
    package var reason: String
    /// Where the outcome of an accepted refund is told.
    package var notifyURL: String?
    /// Why it failed.
    package var failure: String?
    /// What it takes back from the receivers of a split payment.
    var shares: [TakenShare] = []
    package var wallet: String
    package var createdAt: Timestamp
    package var bookedAt: Timestamp?
    package var creditedAt: Timestamp?

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
