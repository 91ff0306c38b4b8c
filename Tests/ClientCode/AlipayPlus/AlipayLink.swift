import AlipayPlusClient
import AlipaySDK
import Foundation

/// The small class that an app with both SDKs writes between them. It belongs to no actor.
final class AlipayLink: NSObject, AlipaySDKServiceProtocol {
    func payOrder(
        _ orderStr: String, fromScheme schemeStr: String, callback completionBlock: @escaping ([AnyHashable: Any]) -> Void
    ) {
        guard let alipayService = AlipaySDK.defaultService() else {
            completionBlock(["resultStatus": "4000", "memo": "no Alipay SDK"])
            return
        }
        alipayService.payOrder(orderStr, fromScheme: schemeStr) { result in
            completionBlock(result ?? [:])
        }
    }

    func processOrder(withPaymentResult resultUrl: URL, standbyCallback completionBlock: @escaping ([AnyHashable: Any]) -> Void) {
        AlipaySDK.defaultService()?.processOrder(withPaymentResult: resultUrl) { result in
            completionBlock(result ?? [:])
        }
    }
}

/// Hears what the SDK does.
final class SheetLog: NSObject, IAPLogServiceProtocol {
    private(set) var names: [String] = []
    private(set) var facts: [[AnyHashable: Any]] = []

    func log(withName name: String, parameter: [AnyHashable: Any]?) {
        names.append(name)
        facts.append(parameter ?? [:])
    }
}
