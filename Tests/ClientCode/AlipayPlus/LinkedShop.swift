import AlipayPlusClient
import UIKit

/// An app that links the Alipay SDK too: its delegate hands URLs on, and its caller is completed once although several events come.
class LinkedShopAppDelegate: UIResponder, UIApplicationDelegate {
    var window: UIWindow?
    private let alipay = AlipayLink()
    let log = SheetLog()
    private(set) var answers: [String] = []

    func application(
        _ application: UIApplication, didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        let client = AlipayPlusClient.shared()
        client.logService = log
        client.alipaySDKSService = alipay
        return client.logService != nil && client.alipaySDKSService === alipay
    }

    func application(_ app: UIApplication, open url: URL, options: [UIApplication.OpenURLOptionsKey: Any] = [:]) -> Bool {
        let client = AlipayPlusClient.shared()
        if client.canProcessOrder(withPaymentResult: url) {
            client.processOrder(withPaymentResult: url)
            return true
        }
        return false
    }

    func pay(_ info: String) {
        let configuration = IAPConfiguration()
        configuration.envType = "SANDBOX"
        configuration.acquirerId = "1022188000000000001"
        configuration.merchantId = "M-1"
        configuration.language = "zh_CN"
        configuration.fromScheme = "plusshop"
        AlipayPlusClient.shared().configuration = configuration
        var isCompleted = false
        func complete(_ answer: String) {
            guard !isCompleted else { return }
            isCompleted = true
            answers.append(answer)
        }
        AlipayPlusClient.shared().showPaymentSheet(withData: info) { event in
            switch event.name {
            case IAPPaymentSheetEventPaymentSuccess: complete("paid")
            case IAPPaymentSheetEventPaymentFailed: complete("failed")
            case IAPPaymentSheetEventPaymentCanceled, IAPPaymentSheetEventUserDidCancel: complete("cancelled")
            case IAPPaymentSheetEventPaymentException, IAPPaymentSheetEventPaymentProcessing: complete("being confirmed")
            case IAPPaymentSheetEventThrowException: complete(event.message ?? "exception")
            default: break
            }
        }
    }
}
