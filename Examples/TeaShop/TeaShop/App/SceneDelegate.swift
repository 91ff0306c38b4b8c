import UIKit

/// Shows the shop, and has it ask for open payments whenever the customer comes back.
final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
    var window: UIWindow?
    var settings = Settings()
    private(set) var shop: TeaShop?

    func scene(_ scene: UIScene, willConnectTo session: UISceneSession, options connectionOptions: UIScene.ConnectionOptions) {
        guard let scene = scene as? UIWindowScene else { return }
        let shop = TeaShop(settings)
        self.shop = shop
        let window = UIWindow(windowScene: scene)
        window.rootViewController = UINavigationController(rootViewController: ShopViewController(shop: shop))
        self.window = window
        window.makeKeyAndVisible()
    }

    /// Also called at the start: an app that was killed while it paid learns here what became of it.
    func sceneDidBecomeActive(_ scene: UIScene) {
        Task { await shop?.comeBack() }
    }
}
