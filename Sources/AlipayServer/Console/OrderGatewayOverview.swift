package import BillfoldWeb

/// What the order gateway's back office shows first: the latest orders, and what was told of them.
package struct OrderGatewayOverview: Sendable, Hashable {
    package struct Order: Sendable, Hashable {
        package let tradeNo: String
        package let path: String
        package let outTradeNo: String
        package let merchant: String
        package let merchantName: String
        package let subject: String
        /// As people read it, for example `10.00 HKD`.
        package let price: String
        /// What went back, where anything did.
        package let refunded: String?
        package let status: String
        package let state: StateWord
        package let madeAt: InstantText
        /// The part of the installation that the merchant has to itself.
        package let space: SpaceNote?

        /// - Parameter madeAt: Microseconds since 1970.
        package init(
            tradeNo: String, outTradeNo: String, merchant: String, merchantName: String, subject: String, price: String, refunded: String?,
            status: String, madeAt: Int64, space: SpaceNote? = nil
        ) {
            self.tradeNo = tradeNo
            path = OrderGatewayOverview.path(of: tradeNo)
            self.outTradeNo = outTradeNo
            self.merchant = merchant
            self.merchantName = merchantName
            self.subject = subject
            self.price = price
            self.refunded = refunded
            self.status = status
            state = StateWord(Self.words[status] ?? status)
            self.madeAt = InstantText(madeAt)
            self.space = space
        }

        private static let words = [
            "WAIT_BUYER_PAY": "open", "TRADE_SUCCESS": "paid", "TRADE_FINISHED": "done", "TRADE_CLOSED": "closed",
        ]
    }

    /// A merchant that can be chosen.
    package struct Merchant: Sendable, Hashable {
        package let id: String
        package let name: String
        var isChosen = false

        package init(id: String, name: String) {
            self.id = id
            self.name = name
        }
    }

    /// A refund that left its merchant's balance and that the payer's wallet has not credited.
    package struct OwedRefund: Sendable, Hashable {
        package let id: String
        package let merchantName: String
        package let tradeNo: String
        package let tradePath: String
        package let requestNo: String
        /// What the payer gets back, as people read it.
        package let amount: String
        package let wallet: String
        /// How often the wallet was told.
        package let attempts: Int64
        /// The same in words.
        package let told: String
        /// How the last attempt ended; empty where none has.
        package let note: String
        package let state: StateWord
        package let bookedAt: InstantText
        package let resendPath: String

        /// - Parameters:
        ///   - isGivenUp: Whether the gateway has stopped telling it.
        ///   - bookedAt: Microseconds since 1970.
        package init(
            id: String, merchant: String, merchantName: String, tradeNo: String, requestNo: String, amount: String, wallet: String,
            attempts: Int64, note: String, isGivenUp: Bool, bookedAt: Int64
        ) {
            self.id = id
            self.merchantName = merchantName
            self.tradeNo = tradeNo
            tradePath = OrderGatewayOverview.path(of: tradeNo)
            self.requestNo = requestNo
            self.amount = amount
            self.wallet = wallet
            self.attempts = attempts
            told = attempts == 1 ? "told once" : "told \(attempts) times"
            self.note = note
            state = StateWord(isGivenUp ? "given up" : "waiting")
            self.bookedAt = InstantText(bookedAt)
            resendPath = "/api/gateway/refunds/\(PathSegment.encoded(merchant))/\(PathSegment.encoded(id))/resend"
        }
    }

    package let orders: [Order]
    /// Notifications that were given up and wait for a person.
    package let parked: [NotificationView]
    /// The oldest first.
    package let owed: [OwedRefund]
    package let merchants: [Merchant]
    package let filter: OrderGatewayFilter
    package let isFiltered: Bool

    package init(
        orders: [Order], parked: [NotificationView], owed: [OwedRefund] = [], merchants: [Merchant] = [],
        filter: OrderGatewayFilter = OrderGatewayFilter()
    ) {
        self.orders = orders
        self.parked = parked
        self.owed = owed
        self.merchants = merchants.map {
            var merchant = $0
            merchant.isChosen = $0.id == filter.merchant
            return merchant
        }
        self.filter = filter
        isFiltered = filter.merchant != nil || filter.number != nil
    }

    static func path(of trade: String) -> String { "/gateway/trades/\(PathSegment.encoded(trade))" }
}

/// Which trades a back office looks for. Without anything, the latest.
package struct OrderGatewayFilter: Sendable, Hashable {
    /// A partner's id; all merchants where there is none.
    package var merchant: String?
    /// The merchant's whole number for the order, or the gateway's for the trade.
    package var number: String?

    package init(merchant: String? = nil, number: String? = nil) {
        self.merchant = merchant
        self.number = number
    }
}
