/// What the order gateway's back office shows first: the latest orders, and what was told of them.
public struct GatewayOverview: Sendable, Hashable {
    public struct Order: Sendable, Hashable {
        public var tradeNo: String
        public var outTradeNo: String
        public var merchant: String
        public var merchantName: String
        public var subject: String
        /// As people read it, for example `10.00 HKD`.
        public var price: String
        /// What went back, where anything did.
        public var refunded: String?
        public var status: String
        /// Microseconds since 1970.
        public var madeAt: Int64

        public init(
            tradeNo: String, outTradeNo: String, merchant: String, merchantName: String, subject: String, price: String, refunded: String?,
            status: String, madeAt: Int64
        ) {
            self.tradeNo = tradeNo
            self.outTradeNo = outTradeNo
            self.merchant = merchant
            self.merchantName = merchantName
            self.subject = subject
            self.price = price
            self.refunded = refunded
            self.status = status
            self.madeAt = madeAt
        }
    }

    /// A merchant that can be chosen.
    public struct Merchant: Sendable, Hashable {
        public var id: String
        public var name: String

        public init(id: String, name: String) {
            self.id = id
            self.name = name
        }
    }

    /// A refund that left its merchant's balance and that the payer's wallet has not credited.
    public struct OwedRefund: Sendable, Hashable {
        public var id: String
        public var merchant: String
        public var merchantName: String
        public var tradeNo: String
        public var requestNo: String
        /// What the payer gets back, as people read it.
        public var amount: String
        public var wallet: String
        /// How often the wallet was told.
        public var attempts: Int64
        /// How the last attempt ended; empty where none has.
        public var note: String
        /// Whether the gateway has stopped telling it.
        public var isGivenUp: Bool
        /// Microseconds since 1970.
        public var bookedAt: Int64

        public init(
            id: String, merchant: String, merchantName: String, tradeNo: String, requestNo: String, amount: String, wallet: String,
            attempts: Int64, note: String, isGivenUp: Bool, bookedAt: Int64
        ) {
            self.id = id
            self.merchant = merchant
            self.merchantName = merchantName
            self.tradeNo = tradeNo
            self.requestNo = requestNo
            self.amount = amount
            self.wallet = wallet
            self.attempts = attempts
            self.note = note
            self.isGivenUp = isGivenUp
            self.bookedAt = bookedAt
        }
    }

    public var orders: [Order]
    /// Notifications that were given up and wait for a person.
    public var parked: [GatewayNotification]
    /// The oldest first.
    public var owed: [OwedRefund]
    public var merchants: [Merchant]
    public var filter: GatewayFilter

    public init(
        orders: [Order], parked: [GatewayNotification], owed: [OwedRefund] = [], merchants: [Merchant] = [],
        filter: GatewayFilter = GatewayFilter()
    ) {
        self.orders = orders
        self.parked = parked
        self.owed = owed
        self.merchants = merchants
        self.filter = filter
    }
}

/// Which trades a back office looks for. Without anything, the latest.
public struct GatewayFilter: Sendable, Hashable {
    /// A partner's id; all merchants where there is none.
    public var merchant: String?
    /// The merchant's whole number for the order, or the gateway's for the trade.
    public var number: String?

    public init(merchant: String? = nil, number: String? = nil) {
        self.merchant = merchant
        self.number = number
    }

    public var isEmpty: Bool { merchant == nil && number == nil }
}

/// One notification with every attempt to deliver it.
public struct GatewayNotification: Sendable, Hashable {
    public struct Attempt: Sendable, Hashable {
        public var number: String
        /// The HTTP status; empty where there was no answer.
        public var status: String
        /// The reply's first bytes as text, with what is no text replaced.
        public var reply: String
        public var note: String
        /// Microseconds since 1970.
        public var at: Int64

        public init(number: String, status: String, reply: String, note: String, at: Int64) {
            self.number = number
            self.status = status
            self.reply = reply
            self.note = note
            self.at = at
        }
    }

    public var id: String
    public var merchant: String
    public var notifyID: String
    public var tradeNo: String
    /// `trade_status`, `refund` or `batch`.
    public var kind: String
    /// What it said, for example `TRADE_SUCCESS`; a batch's number.
    public var says: String
    /// Scheme, host and path; never a query.
    public var address: String
    /// `waiting`, `settled` or `parked`.
    public var state: String
    /// Microseconds since 1970.
    public var madeAt: Int64
    public var attempts: [Attempt]

    public init(
        id: String, merchant: String, notifyID: String, tradeNo: String, kind: String, says: String, address: String, state: String,
        madeAt: Int64, attempts: [Attempt]
    ) {
        self.id = id
        self.merchant = merchant
        self.notifyID = notifyID
        self.tradeNo = tradeNo
        self.kind = kind
        self.says = says
        self.address = address
        self.state = state
        self.madeAt = madeAt
        self.attempts = attempts
    }
}
