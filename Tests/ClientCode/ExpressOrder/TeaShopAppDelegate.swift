import AlipaySDK
import UIKit

/// A shop whose delegate takes the links, by the method of today and by that of iOS 4 to 9.
class TeaShopAppDelegate: UIResponder, UIApplicationDelegate {
    var window: UIWindow?
    let checkout = TeaCheckoutViewController()

    func application(
        _ application: UIApplication, didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        window = UIWindow(frame: .zero)
        window?.rootViewController = checkout
        window?.makeKeyAndVisible()
        return true
    }

    func application(_ application: UIApplication, open url: URL, sourceApplication: String?, annotation: Any) -> Bool {
        takeAlipayURL(url)
    }

    func application(_ app: UIApplication, open url: URL, options: [UIApplication.OpenURLOptionsKey: Any] = [:]) -> Bool {
        takeAlipayURL(url)
    }

    private func takeAlipayURL(_ url: URL) -> Bool {
        guard url.host == "safepay" else { return false }
        AlipaySDK.defaultService().processOrder(
            withPaymentResult: url,
            standbyCallback: { resultDic in
                self.checkout.show(resultDic)
            })
        // The same URL may be an authorisation's.
        AlipaySDK.defaultService().processAuth_V2Result(
            url,
            standbyCallback: { resultDic in
                self.checkout.authorized(resultDic)
            })
        return true
    }
}

class TeaCheckoutViewController: UIViewController {
    /// What the shop's server answered.
    var orderString: String?
    let label = UILabel()
    private(set) var memo: String?
    private(set) var authorizations = 0

    override func viewDidLoad() {
        super.viewDidLoad()
        let button = UIButton(type: .system, primaryAction: UIAction(title: "Pay with Alipay") { [weak self] _ in self?.pay() })
        view.addSubview(button)
        view.addSubview(label)
    }

    func pay() {
        label.text = "paying"
        // An order that is still nil is passed as it is: the header does not forbid it.
        AlipaySDK.defaultService().payOrder(orderString, fromScheme: "teashop") { [weak self] resultDic in
            self?.show(resultDic)
        }
    }

    func show(_ resultDic: [AnyHashable: Any]?) {
        memo = resultDic?["memo"] as? String
        let result = resultDic?["result"] as? String ?? ""
        switch resultDic?["resultStatus"] as? String {
        case "9000": label.text = result.isEmpty ? "paid" : "paid, with a result"
        case "8000", "6004", "5000": label.text = "being confirmed"
        case "6001": label.text = "cancelled"
        case "6002": label.text = "no network, being confirmed"
        case "4000": label.text = "not paid"
        default: label.text = "ask us"
        }
    }

    func authorized(_ resultDic: [AnyHashable: Any]?) { authorizations += 1 }
}
