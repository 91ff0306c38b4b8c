import Alipay
import BillfoldJSON
import BillfoldMoney
import Foundation
import PaymentCrypto

/// Signs orders on the merchant's server: no key of the merchant is ever in its app.
struct ExpressOrderMaker: Sendable {
    let keys: ExpressKeys
    let notifyURL: String

    /// How long the customer has once the wallet made the trade.
    private static let timeout = PaymentTimeout.minutes(30)

    /// The order string of an order. `generation-unknown` for a contract without an application.
    func text(of number: String, for offer: ExpressOffer, in generation: AlipayGeneration, at now: AlipayTime) async throws -> String {
        switch generation {
        case .legacy: try await legacy(number, offer)
        case .modern: try await modern(number, offer, at: now)
        }
    }

    private func legacy(_ number: String, _ offer: ExpressOffer) async throws -> String {
        let account = offer.account
        var pairs = [
            ("service", "mobile.securitypay.pay"), ("partner", account.partner), ("_input_charset", "utf-8"), ("notify_url", notifyURL),
            ("out_trade_no", number), ("subject", offer.name), ("body", offer.summary), ("payment_type", "1"),
            ("seller_id", account.partner), ("it_b_pay", Self.timeout.description),
        ]
        switch account {
        case .domestic: pairs.append(("total_fee", offer.price.text))
        case .crossBorder:
            pairs += [
                (offer.price.currency == .cny ? "rmb_fee" : "total_fee", offer.price.text),
                ("currency", account.currency.alphabeticCode), ("forex_biz", "FP"), ("product_code", "NEW_WAP_OVERSEAS_SELLER"),
            ]
        }
        let order = try await LegacyOrder.signed(pairs, by: AlipayRSASigner.rsa(try keys.partner(account)))
        return String(decoding: order.bytes, as: UTF8.self)
    }

    private func modern(_ number: String, _ offer: ExpressOffer, at now: AlipayTime) async throws -> String {
        guard let appID = offer.account.appID else {
            throw SandboxRefusal(
                code: "generation-unknown", reason: "the cross-border contract has no application on the open platform", status: 400)
        }
        var content = TradeAppPay(outTradeNo: number, totalAmount: offer.price, subject: offer.name)
        content.body = offer.summary
        content.timeout = Self.timeout
        return try await ModernRequest.signed(
            [
                ("app_id", appID), ("method", TradeAppPay.method), ("format", "JSON"), ("timestamp", now.description), ("version", "1.0"),
                ("notify_url", notifyURL), ("biz_content", content.json.text),
            ], by: AlipayRSASigner.rsa2(try keys.application(offer.account))
        ).text
    }

    /// The same order with one letter of its signature changed.
    static func corrupted(_ text: String) -> String {
        // Of both generations: what stands in `sign` begins with base64, which percent-encoding leaves alone for letters.
        guard let sign = text.range(of: text.contains("&sign=\"") ? "&sign=\"" : "&sign=") else { return text }
        var letters = Array(text.unicodeScalars)
        let start = text.unicodeScalars.distance(from: text.unicodeScalars.startIndex, to: sign.upperBound)
        guard let index = letters[start...].firstIndex(where: { $0.properties.isAlphabetic && $0.isASCII }) else { return text }
        letters[index] = letters[index] == "A" ? "B" : "A"
        var changed = ""
        changed.unicodeScalars.append(contentsOf: letters)
        return changed
    }
}
