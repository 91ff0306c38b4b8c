import Alipay
import BillfoldDiagnosis
import BillfoldJSON
import BillfoldMoney
import Foundation
import PaymentCrypto
import PaymentCryptoOpenSSL

/// What the order gateway's process is told: its merchants, all made for one run.
struct ExpressOrderSetup: Codable {
    /// A merchant with one application on the open platform.
    struct Merchant: Codable {
        var partner: String
        var appID: String
        /// PKCS#8 of the key that signs its orders.
        var key: Data
    }

    static let wallet = "ALIPAY_CN"
    /// What the wallet shows the gateway.
    static let bearer = "al_test_0123456789abcdef0123456789"
    static let price = "33.00"

    var merchants: [Merchant]
    /// Where all their servers listen.
    var merchantPort: Int

    init(merchants count: Int, merchantPort: Int) throws {
        merchants = try (0..<count).map { number in
            Merchant(
                partner: "208812345678\(1_000 + number)", appID: "202611220000\(1_000 + number)",
                key: Data(try LegacyRSAPrivateKey(bits: 2048).pkcs8))
        }
        self.merchantPort = merchantPort
    }

    var merchantOrigin: String { "http://127.0.0.1:\(merchantPort)" }

    /// What the merchants register with, one JSON object each.
    func registrations() throws -> [[UInt8]] {
        try merchants.map { merchant in
            let key = StrictBase64.encode(try LegacyRSAPrivateKey(der: Array(merchant.key)).publicKey.subjectPublicKeyInfo)
            return Array(
                """
                {"partner":"\(merchant.partner)","name":"Shop \(merchant.partner)","notifyOrigins":["\(merchantOrigin)"],\
                "applications":[{"appID":"\(merchant.appID)","rsa2":"\(key)"}]}
                """.utf8)
        }
    }

    /// Order strings as the merchants' servers sign them, each with a number of its own.
    func orders(_ numbers: Range<Int>, at now: Date) async throws -> [(number: String, text: String)] {
        let signers = try merchants.map { AlipayRSASigner.rsa2(try OpenSSLLegacyRSAKey(der: Array($0.key))) }
        let timestamp = AlipayTime(secondsSince1970: Int64(now.timeIntervalSince1970)).description
        var orders: [(number: String, text: String)] = []
        for number in numbers {
            let index = number % merchants.count
            let name = "B\(number)"
            let content = TradeAppPay(
                outTradeNo: name, totalAmount: try Amount(alipay: Self.price, currency: .cny, reading: .strict), subject: "一首歌 Song")
            let order = try await ModernOrder.signed(
                [
                    ("app_id", merchants[index].appID), ("method", TradeAppPay.method), ("format", "JSON"), ("charset", "utf-8"),
                    ("timestamp", timestamp), ("version", "1.0"), ("notify_url", "\(merchantOrigin)/notify"),
                    ("biz_content", content.json.text),
                ], by: signers[index])
            orders.append((name, order.text))
        }
        return orders
    }
}
