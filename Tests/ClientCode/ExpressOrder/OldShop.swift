import AlipaySDK
import Foundation

/// Code of the years when the class was called `Alipay` and the status began with a capital letter.
@MainActor
class OldShop: NSObject {
    var status = ""
    var lines: [String] = []

    func start() {
        let block: APLogBlock = { logStr in
            if let logStr = logStr {
                self.lines.append(logStr)
            }
        }
        AlipaySDK.startLog(block)
        Alipay.defaultService().fetchSdkConfig { _ in }
    }

    func pay(_ order: String) {
        Alipay.defaultService().payOrder(
            order, fromScheme: "oldshop",
            callback: { [weak self] resultDic in
                if let strongSelf = self {
                    strongSelf.status = resultDic?["ResultStatus"] as? String ?? "nothing"
                }
            })
    }

    func opened(_ url: URL) {
        let block: CompletionBlock = { value in
            let result = value!
            self.status = result["ResultStatus"] as? String ?? "nothing"
        }
        Alipay.defaultService().processOrder(withPaymentResult: url, standbyCallback: block)
    }

    func about() -> String {
        let version: String = AlipaySDK.defaultService().currentVersion()
        let token = AlipaySDK.defaultService().fetchTradeToken() ?? "none"
        let wasHere = AlipaySDK.defaultService().isLogined()
        return "\(version) \(token) \(wasHere)"
    }

    func stop() { AlipaySDK.stopLog() }
}
