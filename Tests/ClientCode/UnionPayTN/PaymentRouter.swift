import UIKit

enum PaidBy { case cloud, applePay, plugin2014 }

/// All ways of paying behind one singleton, which is no controller and is called from wherever somebody pays.
final class PaymentHub: NSObject, UPAPayPluginDelegate, @unchecked Sendable {
    static let shared = PaymentHub()
    var completion: ((_ paid: Bool?, _ text: String?) -> Void)?

    func start(_ way: PaidBy, tn: String, from controller: UIViewController, completion: @escaping (Bool?, String?) -> Void) -> Bool {
        self.completion = completion
        switch way {
        case .cloud:
            return UPPaymentControl.default().startPay(tn, fromScheme: "teashop", mode: "01", viewController: controller)
        case .applePay:
            return UPAPayPlugin.startPay(
                tn, mode: "01", viewController: controller, delegate: self, andAPMechantID: "merchant.example.tea")
        case .plugin2014:
            return UPPayPlugin.startPay(tn, mode: "01", viewController: controller, delegate: self)
        }
    }

    func upaPayPluginResult(_ payResult: UPPayResult!) {
        let status = payResult.paymentResultStatus
        if status == UPPaymentResultStatus.success {
            completion?(true, payResult.otherInfo)
        } else if status == UPPaymentResultStatus.failure {
            completion?(false, payResult.errorDescription)
        } else {
            completion?(nil, status == .cancel ? "left" : "ask the server")
        }
        completion = nil
    }
}

extension PaymentHub: UPPayPluginDelegate {
    func upPayPluginResult(_ result: String!) {
        completion?(result == "success" ? true : result == "fail" ? false : nil, result)
        completion = nil
    }
}

/// What a page of the shop calls, on no actor.
struct PaymentRouter {
    func pay(_ tn: String, by way: PaidBy, from controller: UIViewController, then: @escaping (String) -> Void) -> Bool {
        PaymentHub.shared.start(way, tn: tn, from: controller) { paid, text in
            switch paid {
            case .some(let paid): then("\(paid) \(text ?? "-")")
            case .none: then(text ?? "nothing")
            }
        }
    }
}
