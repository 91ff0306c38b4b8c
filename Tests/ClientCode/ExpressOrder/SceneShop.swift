import AlipaySDK
import UIKit

/// An app with scenes: links come to the scene's delegate, and those that start the app come with the connection.
final class SceneShopDelegate: UIResponder, UIWindowSceneDelegate {
    var window: UIWindow?
    private(set) var status: String?
    private(set) var timesTold = 0

    func scene(_ scene: UIScene, willConnectTo session: UISceneSession, options connectionOptions: UIScene.ConnectionOptions) {
        guard let scene = scene as? UIWindowScene else { return }
        window = UIWindow(windowScene: scene)
        window?.rootViewController = UIViewController()
        window?.makeKeyAndVisible()
        if let url = connectionOptions.urlContexts.first?.url { handle(url) }
    }

    func scene(_ scene: UIScene, openURLContexts URLContexts: Set<UIOpenURLContext>) {
        URLContexts.forEach { handle($0.url) }
    }

    func buy(_ order: String) {
        AlipaySDK.defaultService()?.payOrder(
            order, fromScheme: "sceneshop",
            callback: { result in
                self.told(result)
            })
    }

    private func handle(_ url: URL) {
        if let host = url.host, host.contains("safepay") {
            AlipaySDK.defaultService()?.processOrder(withPaymentResult: url) { [weak self] result in
                self?.told(result!)
            }
        }
    }

    private func told(_ result: [AnyHashable: Any]?) {
        timesTold += 1
        status = result?["resultStatus"] as? String
    }
}

final class SceneShopAppDelegate: UIResponder, UIApplicationDelegate {}
