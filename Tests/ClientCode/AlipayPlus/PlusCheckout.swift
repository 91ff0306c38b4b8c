import AlipayPlusClient
import UIKit

/// A checkout after the document: set up, ask for the row, show the sheet, and look at each event.
final class PlusCheckoutViewController: UIViewController {
    let row = UILabel()
    let state = UILabel()
    var paymentData = ""
    private(set) var closings = 0
    private(set) var logos: [String] = []
    private var observer: NSObjectProtocol?

    override func viewDidLoad() {
        super.viewDidLoad()
        view.addSubview(row)
        view.addSubview(state)
        view.addSubview(UIButton(type: .system, primaryAction: UIAction(title: "Alipay+") { [weak self] _ in self?.pay() }))
        let configuration = IAPConfiguration()
        configuration.envType = kIAPEnvSANDBOX
        configuration.acquirerId = "1022188000000000001"
        configuration.merchantId = "M-1"
        configuration.language = "zh_CN"
        configuration.fromScheme = "plusshop"
        AlipayPlusClient.shared().setConfiguration(configuration)
        observer = NotificationCenter.default.addObserver(
            forName: NSNotification.Name(IAPPosterDidCloseSheetViewNotification), object: nil, queue: nil
        ) { [weak self] _ in
            MainActor.assumeIsolated { self?.closings += 1 }
        }
    }

    func askForTheRow(_ currency: String) {
        let params = IAPInquirePaymentOptionParams()
        params.paymentCurrency = currency
        params.logoPattern = "P1-APP-01"
        AlipayPlusClient.shared().inquirePaymentOption(params) { [weak self] paymentOption, error in
            if let error = error {
                self?.row.text = self?.words(for: error as NSError)
                return
            }
            guard let option = paymentOption else { return }
            if option.enabled, option.paymentMethodType == "CONNECT_WALLET" {
                self?.row.text = [option.brandName ?? "", option.promoNames?.first ?? ""].joined(separator: " ")
                self?.logos = (option.logos ?? []).map { logo in
                    let size = logo.logoWidth + "x" + logo.logoHeight
                    return [logo.logoName, size, logo.logoUrl, logo.logoPattern].joined(separator: " ")
                }
            } else {
                self?.row.text = option.disableReason
            }
        }
    }

    func pay() {
        AlipayPlusClient.shared.showPaymentSheet(paymentData) { [weak self] sheetEvent in
            if sheetEvent.name == IAPPaymentSheetEventDidShow {
                self?.state.text = "shown"
            } else if sheetEvent.name == IAPPaymentSheetEventDidSelectWalletAndPay {
                self?.state.text = "left for \(sheetEvent.message ?? "a wallet")"
            } else if sheetEvent.name == IAPPaymentSheetEventUserDidCancel {
                self?.state.text = "closed"
            } else if sheetEvent.name == IAPPaymentSheetEventThrowException {
                self?.state.text = sheetEvent.message
            }
        }
    }

    private func words(for error: NSError) -> String {
        guard error.domain == IAPErrorDomain else { return "other" }
        switch error.code {
        case IAPErrorParamIllegal: return "parameters"
        case IAPErrorInvalidNetwork: return "network"
        case IAPErrorSystemError: return "system"
        default: return "\(error.code)"
        }
    }
}
