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
        about["alipay-plus.\(isWallet ? "wallet-request" : "request")"] = names.paymentRequest
        about["alipay-plus.\(isWallet ? "wallet-payment" : "payment")"] = names.payment
        about["alipay-plus.refund"] = names.refundRequest
        return about.filter { !$0.value.isEmpty && $0.value.utf8.count <= 64 }
    }
}
