/// One trade with its refunds, its notifications and its postings.
public struct GatewayTradeView: Sendable, Hashable {
    public struct Refund: Sendable, Hashable {
        public var requestNo: String
        /// Of the price.
        public var amount: String
        /// What the payer gets back, and of what the merchant gives: CNY and the settlement's currency.
        public var payable: String
        public var settlement: String
        /// What the gateway gives back of its fee.
        public var fee: String
        /// `accepted`, `booked`, `credited` or `failed`.
        public var state: String
        /// By which call it was asked for.
        public var route: String
        public var reason: String
        /// The code of a refund that failed.
        public var failure: String?
        /// Microseconds since 1970.
        public var at: Int64
        /// When the payer's wallet had it: microseconds since 1970.
        public var creditedAt: Int64?

        public init(
            requestNo: String, amount: String, payable: String, settlement: String, fee: String, state: String, route: String,
            reason: String, failure: String?, at: Int64, creditedAt: Int64?
        ) {
            self.requestNo = requestNo
            self.amount = amount
            self.payable = payable
            self.settlement = settlement
            self.fee = fee
            self.state = state
            self.route = route
            self.reason = reason
            self.failure = failure
            self.at = at
            self.creditedAt = creditedAt
        }
    }

    /// One receiver of a part of the payment.
    public struct Share: Sendable, Hashable {
        /// 16 digits beginning 2088.
        public var receiver: String
        public var amount: String
        /// What was taken back from it.
        public var takenBack: String?
        public var note: String

        public init(receiver: String, amount: String, takenBack: String?, note: String) {
            self.receiver = receiver
            self.amount = amount
            self.takenBack = takenBack
            self.note = note
        }
    }

    public struct Posting: Sendable, Hashable {
        public var template: String
        public var account: String
        /// Debit positive, credit negative.
        public var amount: String
        /// Microseconds since 1970.
        public var at: Int64

        public init(template: String, account: String, amount: String, at: Int64) {
            self.template = template
            self.account = account
            self.amount = amount
            self.at = at
        }
    }

    public var order: GatewayOverview.Order
    /// The payer as the wallet masks it.
    public var buyer: String
    public var payable: String
    public var settlement: String
    public var fee: String
    /// The currency that the merchant is credited and paid out in.
    public var currency: String
    /// CNY for one unit of the settlement's currency, where there is a conversion.
    public var rate: String?
    /// Microseconds since 1970.
    public var expiresAt: Int64
    /// Microseconds since 1970.
    public var paidAt: Int64?
    /// Who gets a part of it, where the order says so.
    public var shares: [Share]
    public var refunds: [Refund]
    public var notifications: [GatewayNotification]
    public var postings: [Posting]

    public init(
        order: GatewayOverview.Order, buyer: String, payable: String, settlement: String, fee: String, currency: String, rate: String?,
        expiresAt: Int64, paidAt: Int64?, shares: [Share] = [], refunds: [Refund], notifications: [GatewayNotification], postings: [Posting]
    ) {
        self.order = order
        self.buyer = buyer
        self.payable = payable
        self.settlement = settlement
        self.fee = fee
        self.currency = currency
        self.rate = rate
        self.expiresAt = expiresAt
        self.paidAt = paidAt
        self.shares = shares
        self.refunds = refunds
        self.notifications = notifications
        self.postings = postings
    }
}
