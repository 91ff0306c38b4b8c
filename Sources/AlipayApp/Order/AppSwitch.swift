import Alipay
import Foundation

/// The way to the wallet.
enum AppSwitch {
    /// The URL that hands an order to the wallet (alipay.md#to-the-wallet [O]).
    static func url(for order: String, returnTo address: ReturnAddress, scheme: String) throws(AlipayAppError) -> URL {
        let text = AppSwitchURL(order: order, returnScheme: address.scheme).description
        guard let colon = text.firstIndex(of: ":"), let url = URL(string: scheme + text[colon...]) else {
            throw AlipayAppError(code: .orderMalformed, reason: "the order fits no URL")
        }
        return url
    }

    /// The order that such a URL hands over, whoever made it.
    static func order(in url: String) -> String? { (try? AppSwitchURL(url))?.order }
}
