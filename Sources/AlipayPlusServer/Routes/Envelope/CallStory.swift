import AlipayPlus
import BillfoldJSON

/// What a message is about, by its own words, for the trace.
enum CallStory {
    /// The numbers that a message names.
    struct Names: Sendable {
        var paymentRequest, payment, refundRequest: String?

        init(_ object: JSONObject?) {
            paymentRequest = object?["paymentRequestId"]?.string
            payment = object?["paymentId"]?.string
            refundRequest = object?["refundRequestId"]?.string
        }

        init(_ answer: some AlipayPlusAnswer) {
            // The answer that is given most, and that has the most to be read back.
            if let answer = answer as? PayAnswer {
                payment = answer.paymentId
            } else {
                self = Self(answer.json.object)
            }
        }
    }

    static func about(_ names: Names, isWallet: Bool) -> [String: String] {
        var about: [String: String] = [:]
        func add(_ name: String, _ value: String?) {
            if let value, !value.isEmpty, value.utf8.count <= 64 { about[name] = value }
        }
        add(isWallet ? "alipay-plus.wallet-request" : "alipay-plus.request", names.paymentRequest)
        add(isWallet ? "alipay-plus.wallet-payment" : "alipay-plus.payment", names.payment)
        add("alipay-plus.refund", names.refundRequest)
        return about
    }
}
