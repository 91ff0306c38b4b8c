import Alipay
import BillfoldJSON
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
        /// Why it cannot be paid, where its state is `paid` or `closed`.
        var over: OrderRefusal?
    }

    struct Opened: Sendable, Hashable, Codable {
        var tradeNo: String
        var state: String
        var expiresAt: Int64
        var payable: Money
    }
}

extension LinkAnswer {
    /// An answer that a request is given.
    struct Given: Sendable {
        var answer: LinkAnswer
        /// The JSON of the order or the trade, where it was written for this request.
        var body: [UInt8]?
    }

    /// Its JSON, as it is stored, and within it that of the order or the trade, which the wallet gets: written once for both.
    func text() throws -> (stored: [UInt8], body: [UInt8]?) {
        let (name, body): (String, [UInt8])
        switch self {
        case .order(let order): (name, body) = ("order", try JSONDocument.encode(order))
        case .trade(let trade): (name, body) = ("trade", try JSONDocument.encode(trade))
        case .paid, .refused: return (try JSONDocument.encode(self), nil)
        }
        // As the compiler's own coding has a case with one value.
        return (Array("{\"\(name)\":{\"_0\":".utf8) + body + Array("}}".utf8), body)
    }
}
