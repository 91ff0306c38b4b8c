import Alipay
import BillfoldMoney
import BillfoldPayments
import BillfoldStorage

/// An order that a merchant signed and the gateway verified. It never changes, and it is no trade yet: that comes with the password
/// step (alipay.md#password-step) [D].
struct TradeOrder: Sendable, Hashable {
    var merchant: MerchantID
    var id: TimeOrderedID
    var detail: Detail
    /// What the merchant signed, byte for byte.
    var text: [UInt8]
    var createdAt: Timestamp

    /// What the wallet calls it.
    var reference: String { "\(merchant).\(id)" }

    /// Whether its values stand between quotation marks; those of Hong Kong's wallet do not.
    var isQuoted: Bool {
        guard let equals = text.firstIndex(of: UInt8(ascii: "=")) else { return false }
        return text[(equals + 1)...].first == UInt8(ascii: "\"")
    }

    /// When a trade of it, made at an instant, closes unpaid.
    ///
    /// - Parameters:
    ///   - now: When the trade is made.
    ///   - usual: The gateway's own timeout, for an order that names none.
    func end(ofTradeMadeAt now: Timestamp, unless usual: String) throws(AlipayError) -> Timestamp {
        if let end = detail.expiresAt { return end }
        let timeout = try PaymentTimeout(detail.timeout ?? usual)
        // `1c` counts from the order's day (alipay.md#payment-time) [D].
        let start = timeout == .endOfDay ? createdAt : now
        return Timestamp(timeout.end(of: start.alipayTime))
    }

    /// Takes a reference apart; `nil` where it is none of ours.
    static func parts(of reference: String) -> (MerchantID, TimeOrderedID)? {
        let parts = reference.split(separator: ".", maxSplits: 1)
        guard parts.count == 2, let merchant = try? MerchantID(String(parts[0])), let id = try? TimeOrderedID(text: parts[1]) else {
            return nil
        }
        return (merchant, id)
    }

    struct Detail: Sendable, Hashable, Codable {
        var generation: AlipayGeneration
        var product: TradeProduct
        /// The application whose key signed it; none for a partner's own order.
        var appID: String?
        var outTradeNo: String
        var subject: String
        var body: String?
        var price: Amount
        /// What the merchant is credited in.
        var settlementCurrency: Currency
        var sellerID: String
        var notifyURL: String?
        var returnURL: String?
        /// `utf-8` or `gbk`: of the order, and so of its notifications.
        var charset: String
        var signType: String
        /// `it_b_pay` or `timeout_express`: from the making of the trade.
        var timeout: String?
        /// `time_expire`: an instant that wins over `timeout`.
        var expiresAt: Timestamp?
        /// Comes back in notifications.
        var passback: String?
        /// Who gets a part of the payment (`split_fund_info`).
        var shares: [FundShare]?

        /// Whether a second order under the same number says the same of money and goods.
        func isSameContext(as other: Detail) -> Bool {
            price == other.price && subject == other.subject && settlementCurrency == other.settlementCurrency && product == other.product
                && (shares ?? []) == (other.shares ?? [])
        }
    }
}
