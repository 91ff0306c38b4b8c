import Alipay
import BillfoldMoney
import Foundation

/// The bodies of the merchant's own interface, `/alipay-merchant/v1`. Unknown members are refused.
enum ExpressWire {
    struct Placing: Codable, StrictBody {
        static let members = ["offer", "generation", "faults"]
        var offer: String
        var generation: AlipayGeneration
        var faults: [ExpressFault]?
    }

    struct Creating: Codable, StrictBody {
        static let members = ["offer", "buyer"]
        var offer: String
        /// The payer's id at the wallet.
        var buyer: String
    }

    /// What came back to the phone: `resultStatus`, `result`, `memo`.
    struct Reply: Codable, StrictBody {
        static let members = ["resultStatus", "result", "memo"]
        var resultStatus: String?
        var result: String?
        var memo: String?
    }

    struct Refunding: Codable, StrictBody {
        static let members = ["amount", "number"]
        var amount: String
        var number: String?
    }

    /// An order as the merchant shows it. `order` is the order string, for the app that is to pay it.
    struct Order: Codable, Sendable {
        var number: String
        var account: ExpressAccount
        var generation: AlipayGeneration
        var subject: String
        var price: ExpressMoney
        var state: ExpressOrderRecord.State
        var tradeNo: String?
        var refunds: [ExpressOrderRecord.Refund]
        var notifications: Int
        var faults: [ExpressFault]
        var order: String?

        init(_ record: ExpressOrderRecord, withText: Bool = false) {
            number = record.id
            account = record.account
            generation = record.generation
            subject = record.subject
            price = record.price
            state = record.state
            tradeNo = record.tradeNo
            refunds = record.refunds
            notifications = record.notifications
            faults = record.faults
            order = withText ? record.text : nil
        }
    }

    struct Books: Codable, Sendable {
        var entries: [ExpressMerchantService.Entry]
    }

    /// What the app is built with: the gateway's keys, for results.
    struct AppKeys: Codable, Sendable {
        var partners: [String: OrderGatewayKeySet.Texts]
    }

    /// The merchant's view beside the gateway's.
    struct Comparison: Codable, Sendable {
        struct Trade: Codable, Sendable {
            var tradeNo: String
            var status: String
            var total: String
        }
        var merchant: Order
        var gateway: Trade?
    }
}
