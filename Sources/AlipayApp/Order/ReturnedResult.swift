import Alipay
import BillfoldJSON

/// What came back to the app, and the order that it names: read, and not believed.
struct ReturnedResult: Sendable {
    let reply: PaymentResult
    /// Nil where the result is empty, as it is unless something was paid.
    let orderNumber: String?

    /// Reads `<scheme>://safepay/?<JSON>`, or a universal link that carries the same JSON [I].
    init(url: String) throws(AlipayError) {
        if SafepayURL.isSafepay(url) {
            self.init(try SafepayURL(url).result)
        } else {
            self.init(try SafepayURL("link://safepay/?" + (url.split(separator: "?", maxSplits: 1).dropFirst().first ?? "")).result)
        }
    }

    init(_ reply: PaymentResult) {
        self.reply = reply
        orderNumber = Self.orderNumber(in: reply)
    }

    private static func orderNumber(in reply: PaymentResult) -> String? {
        let bytes = Array(reply.result.utf8)
        switch reply.generation {
        case .legacy?:
            // Its names and its number are ASCII in every charset.
            let order = try? LegacyOrder(bytes, reading: .asObserved)
            return order?.pairs.first { $0.name == "out_trade_no" }.map { String(decoding: $0.value, as: UTF8.self) }
        case .modern?: return (try? AlipayJSON.read(bytes))?["alipay_trade_app_pay_response"]?["out_trade_no"]?.scalar
        case nil: return nil
        }
    }
}
