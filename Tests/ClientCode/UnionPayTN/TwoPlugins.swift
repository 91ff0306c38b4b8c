import UIKit
import UPAPayPlugin
import UPPaymentControl

/// Both plug-ins in one file, each by the name of its framework.
final class TwoPlugins: NSObject, UPAPayPluginDelegate {
    private(set) var heard: [String] = []

    func pay(_ tn: String, byApplePay isApplePay: Bool, from controller: UIViewController) -> Bool {
        if isApplePay {
            return UPAPayPlugin.startPay(tn, mode: "01", viewController: controller, delegate: self, andAPMechantID: "merchant.example.tea")
        }
        return UPPaymentControl.default().startPay(tn, fromScheme: "teashop", mode: "01", viewController: controller)
    }

    func opened(by url: URL) {
        UPPaymentControl.default().handlePaymentResult(url) { [weak self] code, _ in self?.heard.append(code ?? "none") }
    }

    func upaPayPluginResult(_ payResult: UPPayResult!) { heard.append("sheet \(payResult.paymentResultStatus.rawValue)") }
}
