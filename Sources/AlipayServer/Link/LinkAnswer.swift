import Alipay
import BillfoldMoney

/// What the wallet link answers, typed as it is stored under a request's id.
enum LinkAnswer: Sendable, Hashable, Codable {
    case order(Order)
    case trade(Opened)
    /// The result's text is signed anew at each answer.
    case paid(tradeNo: String)
    /// Final: asking again with the same id gives the same.
    case refused(status: Int, OrderRefusal)

    struct Money: Sendable, Hashable, Codable {
        var value: String
        var currency: String

        init(_ amount: Amount) {
            value = amount.text
            currency = amount.currency.alphabeticCode
        }
    }

    struct Order: Sendable, Hashable, Codable {
        struct Merchant: Sendable, Hashable, Codable {
            var name: String
            var id: String
        }

        var ref: String
        var generation: String
        var merchant: Merchant
        var subject: String
        var body: String?
        var price: Money
        var payable: Money
        var rate: String?
        var returnURL: String?
        /// `new`, `open`, `paid` or `closed`.
        var state: String
        /// Milliseconds since 1970.
        var expiresAt: Int64?
    }

    struct Opened: Sendable, Hashable, Codable {
        var tradeNo: String
        var state: String
        var expiresAt: Int64
        var payable: Money
    }
}

/// The text that the wallet hands to the merchant's app.
struct ResultText: Sendable, Hashable, Codable {
    var resultStatus: String
    var memo: String
    var result: String
}
