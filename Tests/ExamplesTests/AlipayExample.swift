import Alipay
import BillfoldJSON
import BillfoldMoney
import Foundation
import Testing

struct AlipayExample {
    // Example
    /// On the merchant's server: the order string with which its app opens the wallet. The key is PEM, or the base64 of a console.
    func orderString(appID: String, number: String, price: Amount, key: String, at now: Date) async throws -> String {
        let content = TradeAppPay(outTradeNo: number, totalAmount: price, subject: "Tea")
        let order = try await ModernOrder.signed(
            [
                ("app_id", appID), ("method", TradeAppPay.method), ("timestamp", AlipayTime(now).description), ("version", "1.0"),
                ("notify_url", "https://shop.example/alipay/notify"), ("biz_content", content.json.text),
            ], by: AlipayRSASigner.rsa2(AlipayKeyText.privateKey(key)))
        return order.text
    }

    /// What Alipay posts to the merchant's server. The answer is `success`, once it is stored.
    func isPaid(_ post: [UInt8], number: String, price: Amount, alipayKey: String) throws -> Bool {
        let keys = AlipayVerificationKeys(rsa2: try AlipayKeyText.publicKey(alipayKey))
        let notification = try AlipayNotification(form: post).verified(by: keys)
        return notification.event == .paid && notification.outTradeNo == number && notification.total == price.text
    }
    // End

    @Test func example() async throws {
        let (merchant, alipay) = (try AlipayParty(), try AlipayParty())
        let price = try Amount("33.00", currency: .cny)
        let order = try await orderString(
            appID: "2026000000000001", number: "T1", price: price, key: merchant.privateKey, at: Date(timeIntervalSince1970: 1_795_204_800))
        let registered = AlipayVerificationKeys(rsa2: try AlipayKeyText.publicKey(merchant.publicKey))
        let pay = try TradeAppPay(ModernOrder(Array(order.utf8)).verified(by: registered))
        #expect(pay.outTradeNo == "T1" && pay.totalAmount == price)

        let signer = AlipayRSASigner.rsa2(try AlipayKeyText.privateKey(alipay.privateKey))
        let told = try await AlipayNotification.signed(
            [
                ("notify_id", "n1"), ("notify_type", "trade_status_sync"), ("app_id", "2026000000000001"), ("charset", "utf-8"),
                ("out_trade_no", "T1"), ("trade_no", "2026"), ("trade_status", "TRADE_SUCCESS"), ("total_amount", "33.00"),
                ("gmt_payment", "2026-11-21 04:00:05"),
            ], by: signer)
        let post = Array(told.form.utf8)
        #expect(try isPaid(post, number: "T1", price: price, alipayKey: alipay.publicKey))
        #expect(try !isPaid(post, number: "T2", price: price, alipayKey: alipay.publicKey))
        #expect(throws: AlipayError(code: .signatureMismatch, reason: "")) {
            try isPaid(post, number: "T1", price: price, alipayKey: merchant.publicKey)
        }
    }
}
