package import BillfoldWeb

/// What the order gateway's back office shows first: the latest orders, and what was told of them.
package struct GatewayOverview: Sendable, Hashable {
    package struct Order: Sendable, Hashable {
        package var tradeNo: String
        package var outTradeNo: String
        package var merchant: String
        package var merchantName: String
        package var subject: String
        /// As people read it, for example `10.00 HKD`.
        package var price: String
        /// What went back, where anything did.
        package var refunded: String?
        package var status: String
        /// Microseconds since 1970.
        package var madeAt: Int64

        package init(
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
    package struct Merchant: Sendable, Hashable {
        package var id: String
        package var name: String

        package init(id: String, name: String) {
            self.id = id
            self.name = name
        }
    }

    /// A refund that left its merchant's balance and that the payer's wallet has not credited.
    package struct OwedRefund: Sendable, Hashable {
        package var id: String
        package var merchant: String
        package var merchantName: String
        package var tradeNo: String
        package var requestNo: String
        /// What the payer gets back, as people read it.
        package var amount: String
        package var wallet: String
        /// How often the wallet was told.
        package var attempts: Int64
        /// How the last attempt ended; empty where none has.
        package var note: String
        /// Whether the gateway has stopped telling it.
        package var isGivenUp: Bool
        /// Microseconds since 1970.
        package var bookedAt: Int64

        package init(
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

    package var orders: [Order]
    /// Notifications that were given up and wait for a person.
    package var parked: [NotificationView]
    /// The oldest first.
    package var owed: [OwedRefund]
    package var merchants: [Merchant]
    package var filter: GatewayFilter

    package init(
        orders: [Order], parked: [NotificationView], owed: [OwedRefund] = [], merchants: [Merchant] = [],
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
package struct GatewayFilter: Sendable, Hashable {
    /// A partner's id; all merchants where there is none.
    package var merchant: String?
    /// The merchant's whole number for the order, or the gateway's for the trade.
    package var number: String?

    package init(merchant: String? = nil, number: String? = nil) {
        self.merchant = merchant
        self.number = number
    }

    package var isEmpty: Bool { merchant == nil && number == nil }
}
