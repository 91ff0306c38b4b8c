package import BillfoldWeb

/// One trade with its refunds, its notifications and its postings.
package struct GatewayTradeView: Sendable, Hashable {
    package struct Refund: Sendable, Hashable {
        package var requestNo: String
        /// Of the price.
        package var amount: String
        /// What the payer gets back, and of what the merchant gives: CNY and the settlement's currency.
        package var payable: String
        package var settlement: String
        /// What the gateway gives back of its fee.
        package var fee: String
        /// `accepted`, `booked`, `credited` or `failed`.
        package var state: String
        /// By which call it was asked for.
        package var route: String
        package var reason: String
        /// The code of a refund that failed.
        package var failure: String?
        /// Microseconds since 1970.
        package var at: Int64
        /// When the payer's wallet had it: microseconds since 1970.
        package var creditedAt: Int64?

        package init(
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
    package struct Share: Sendable, Hashable {
        /// 16 digits beginning 2088.
        package var receiver: String
        package var amount: String
        /// What was taken back from it.
        package var takenBack: String?
        package var note: String

        package init(receiver: String, amount: String, takenBack: String?, note: String) {
            self.receiver = receiver
            self.amount = amount
            self.takenBack = takenBack
            self.note = note
        }
    }

    package var order: GatewayOverview.Order
    /// The payer as the wallet masks it.
    package var buyer: String
    package var payable: String
    package var settlement: String
    package var fee: String
    /// The currency that the merchant is credited and paid out in.
    package var currency: String
    /// CNY for one unit of the settlement's currency, where there is a conversion.
    package var rate: String?
    /// Microseconds since 1970.
    package var expiresAt: Int64
    /// Microseconds since 1970.
    package var paidAt: Int64?
    /// Who gets a part of it, where the order says so.
    package var shares: [Share]
    package var refunds: [Refund]
    package var notifications: [NotificationView]
    package var postings: [PostingView]

    package init(
        order: GatewayOverview.Order, buyer: String, payable: String, settlement: String, fee: String, currency: String, rate: String?,
        expiresAt: Int64, paidAt: Int64?, shares: [Share] = [], refunds: [Refund], notifications: [NotificationView], postings: [PostingView]
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
