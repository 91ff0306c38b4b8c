import AlipaySDK
import UIKit

/// A shop that the wallet comes back to by a universal link, and whose window is its own.
class LinkShopAppDelegate: UIResponder, UIApplicationDelegate {
    var window: UIWindow?
    private(set) var status: String?
    private(set) var otherPages: [URL] = []

    func application(
        _ application: UIApplication, didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]? = nil
    ) -> Bool {
        let window = UIWindow(frame: UIScreen.main.bounds)
        window.rootViewController = UIViewController()
        window.makeKeyAndVisible()
        self.window = window
        AlipaySDK.defaultService().targetWindow = window
        return true
    }

    func application(
        _ application: UIApplication, continue userActivity: NSUserActivity,
        restorationHandler: @escaping ([UIUserActivityRestoring]?) -> Void
    ) -> Bool {
        guard userActivity.activityType == NSUserActivityTypeBrowsingWeb, let url = userActivity.webpageURL else { return false }
        AlipaySDK.defaultService().handleOpenUniversalLink(
            userActivity,
            standbyCallback: { [weak self] resultDic in
                self?.status = resultDic?["resultStatus"] as? String
            })
        if !url.path.hasPrefix("/pay") { otherPages.append(url) }
        return true
    }

    func buy(_ order: String) {
        AlipaySDK.defaultService().payOrder(order, fromScheme: "linkshop", fromUniversalLink: "https://shop.example/pay/") { [weak self] in
            self?.status = $0?["resultStatus"] as? String
        }
    }

    func isShowing() -> Bool {
        guard let shown = AlipaySDK.defaultService()?.targetWindow else { return false }
        return shown === window
    }
}
