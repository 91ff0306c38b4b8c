import UIKit

class TeaAppDelegate: UIResponder, UIApplicationDelegate {
    var window: UIWindow?

    func application(
        _ application: UIApplication, didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        let window = UIWindow()
        window.rootViewController = CheckoutController()
        window.makeKeyAndVisible()
        self.window = window
        return true
    }

    func application(_ app: UIApplication, open url: URL, options: [UIApplication.OpenURLOptionsKey: Any] = [:]) -> Bool {
        UPPaymentControl.default().handlePaymentResult(url) { code, data in
            print("result \(code ?? "none") \(data?.count ?? 0)")
        }
        return PayCenter.shared.handle(url)
    }

    func applicationDidBecomeActive(_ application: UIApplication) {
        Task { await PayCenter.shared.ask() }
    }
}
