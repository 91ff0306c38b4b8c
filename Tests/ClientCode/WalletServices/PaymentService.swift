import IAPWalletContext
import UIKit

final class PaymentService: IAPWalletPaymentServiceSignature, UIAlertViewDelegate {
    override func pay(
        with request: IAPWalletPaymentRequest,
        in context: IAPWalletAPIContext? = nil,
        callback: @escaping (IAPWalletPaymentResult) -> Void
    ) {
        let result = IAPWalletPaymentResult()
        guard let order = request.tradeNO ?? request.orderStr ?? request.paymentUrl else {
            result.error = NSError(
                domain: "PaymentService", code: IAPWalletPaymentServiceSignature.ERROR_CODE_APP_SERVICE_ERROR,
                userInfo: [NSLocalizedDescriptionKey: "nothing to pay"])
            callback(result)
            return
        }
        let alert = UIAlertController(title: "Pay", message: order, preferredStyle: .alert)
        alert.addAction(
            UIAlertAction(title: "Confirm", style: .default) { _ in
                result.resultCode = "9000"
                result.resultMessage = "paid"
                callback(result)
            })
        alert.addAction(
            UIAlertAction(title: "Cancel", style: .cancel) { _ in
                result.resultCode = "6001"
                callback(result)
            })
        alert.addAction(
            UIAlertAction(title: "Lose the network", style: .destructive) { _ in
                result.error.code = PaymentService.ERROR_CODE_TIMEOUT
                result.error.localizedDescription = "no answer of the server"
                callback(result)
            })
        UIApplication.shared.keyWindow?.rootViewController?.present(alert, animated: true, completion: nil)
    }
}
