import BillfoldJSON

/// What a message is about, by its own words, for the trace.
enum CallStory {
    static func about(_ object: JSONObject?, isWallet: Bool) -> [String: String] {
        guard let object else { return [:] }
        var about: [String: String] = [:]
        about["alipay-plus.\(isWallet ? "wallet-request" : "request")"] = object["paymentRequestId"]?.string
        about["alipay-plus.\(isWallet ? "wallet-payment" : "payment")"] = object["paymentId"]?.string
        about["alipay-plus.refund"] = object["refundRequestId"]?.string
        return about.filter { !$0.value.isEmpty && $0.value.utf8.count <= 64 }
    }
}
