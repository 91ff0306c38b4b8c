package import BillfoldWeb

/// One trade with its refunds, its notifications and its postings.
package struct OrderGatewayTradeView: Sendable, Hashable {
    package struct Refund: Sendable, Hashable {
        package let requestNo: String
        /// Of the price.
        package let amount: String
        /// What the payer gets back, and of what the merchant gives: CNY and the settlement's currency.
        package let payable: String
        package let settlement: String
        /// What the gateway gives back of its fee.
        package let fee: String
        package let state: StateWord
        /// By which call it was asked for.
        package let route: String
        package let reason: String
        /// The code of a refund that failed.
        package let failure: String?
        package let at: InstantText
        /// When the payer's wallet had it.
        package let creditedAt: InstantText?

        /// - Parameters:
        ///   - fee: Empty where there is none.
        ///   - state: `accepted`, `booked`, `credited` or `failed`.
        ///   - at: Microseconds since 1970.
        ///   - creditedAt: Microseconds since 1970.
        package init(
            requestNo: String, amount: String, payable: String, settlement: String, fee: String, state: String, route: String,
            reason: String, failure: String?, at: Int64, creditedAt: Int64?
        ) {
            self.requestNo = requestNo
            self.amount = amount
            self.payable = payable
            self.settlement = settlement
            self.fee = fee
            self.state = StateWord(state)
            self.route = route
            self.reason = reason
            self.failure = failure
            self.at = InstantText(at)
            self.creditedAt = creditedAt.map(InstantText.init)
        }
    }

    /// One receiver of a part of the payment.
    package struct Share: Sendable, Hashable {
        /// 16 digits beginning 2088.
        package let receiver: String
        package let amount: String
        /// What was taken back from it.
        package let takenBack: String?
        package let note: String

        package init(receiver: String, amount: String, takenBack: String?, note: String) {
            self.receiver = receiver
            self.amount = amount
            self.takenBack = takenBack
            self.note = note
        }
    }

    package let order: OrderGatewayOverview.Order
    package let isClosed: Bool
    package let storyPath: String
    /// The payer as the wallet masks it.
    package let buyer: String
    package let payable: String
    package let settlement: String
    package let fee: String
    /// The currency that the merchant is credited and paid out in.
    package let currency: String
    /// CNY for one unit of the settlement's currency, where there is a conversion.
    package let rate: String?
    package let expiresAt: InstantText
    package let paidAt: InstantText?
    /// Who gets a part of it, where the order says so.
    package let shares: [Share]
    package let refunds: [Refund]
    package var notifications: [NotificationView]
    package let postings: [PostingView]

    /// - Parameters:
    ///   - expiresAt: Microseconds since 1970.
    ///   - paidAt: Microseconds since 1970.
    package init(
        order: OrderGatewayOverview.Order, buyer: String, payable: String, settlement: String, fee: String, currency: String, rate: String?,
        expiresAt: Int64, paidAt: Int64?, shares: [Share] = [], refunds: [Refund], notifications: [NotificationView],
        postings: [PostingView]
    ) {
        self.order = order
        isClosed = order.status == "TRADE_CLOSED"
        storyPath = "/stories/\(PathSegment.encoded("alipay.trade:" + order.tradeNo))"
        self.buyer = buyer
        self.payable = payable
        self.settlement = settlement
        self.fee = fee
        self.currency = currency
        self.rate = rate
        self.expiresAt = InstantText(expiresAt)
        self.paidAt = paidAt.map(InstantText.init)
        self.shares = shares
        self.refunds = refunds
        self.notifications = notifications
        self.postings = postings
    }
}
