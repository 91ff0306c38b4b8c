import AlipaySDK
import Foundation

/// A shop in a web view: its pages' payments are taken out of the page.
@MainActor
final class WebShop {
    private(set) var resultCode: String?
    private(set) var loaded: [String] = []

    /// What the web view asks before it loads an address.
    func shouldLoad(_ address: String) -> Bool {
        let isPayment = AlipaySDK.defaultService().payInterceptor(withUrl: address, fromScheme: "webshop") { [weak self] result in
            self?.resultCode = result?["resultCode"] as? String
            if let next = result?["returnUrl"] as? String, !next.isEmpty { self?.loaded.append(next) }
        }
        if !isPayment { loaded.append(address) }
        return !isPayment
    }

    /// The older way, in two steps.
    func payInTwoSteps(_ address: String) {
        guard let order = AlipaySDK.defaultService()?.fetchOrderInfo(fromH5PayUrl: address), !order.isEmpty else { return }
        AlipaySDK.defaultService()?.payUrlOrder(
            order, fromScheme: "webshop",
            callback: { result in
                self.resultCode = result?["resultCode"] as? String
            })
    }

    /// The newer calls of the header.
    func payByLink(_ order: String) {
        AlipaySDK.defaultService().payOrder(
            order, fromScheme: "webshop", fromUniversalLink: "https://shop.example/app/",
            callback: { self.resultCode = $0?["resultStatus"] as? String })
    }

    func payAsConfigured(_ order: String) {
        AlipaySDK.defaultService().payOrder(
            order, dynamicLaunch: true, fromScheme: "webshop",
            callback: { result in
                self.resultCode = result?["resultStatus"] as? String
            })
    }

    func device() -> String {
        let factors: [AlipayTidFactor] = [
            ALIPAY_TIDFACTOR_IMEI, ALIPAY_TIDFACTOR_IMSI, ALIPAY_TIDFACTOR_TID, ALIPAY_TIDFACTOR_CLIENTKEY, ALIPAY_TIDFACTOR_VIMEI,
            ALIPAY_TIDFACTOR_VIMSI, ALIPAY_TIDFACTOR_CLIENTID, ALIPAY_TIDFACTOR_APDID,
        ]
        guard !factors.contains(ALIPAY_TIDFACTOR_MAX) else { return "all" }
        return factors.compactMap { AlipaySDK.defaultService().queryTidFactor($0) }.first ?? "unknown"
    }

    func useTheTestGateway() { AlipaySDK.defaultService().setUrl("https://mobilegw.alipaydev.com/mgw.htm") }
}
