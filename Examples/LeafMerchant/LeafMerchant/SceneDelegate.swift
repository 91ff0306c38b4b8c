import UIKit

/// The app's only scene. Every method that gets a link hands it on; one that comes twice counts once.
final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
    var window: UIWindow?
    private var shop: Shop? { (UIApplication.shared.delegate as? AppDelegate)?.shop }

    func scene(_ scene: UIScene, willConnectTo session: UISceneSession, options connectionOptions: UIScene.ConnectionOptions) {
        guard let scene = scene as? UIWindowScene, let shop else { return }
        let window = UIWindow(windowScene: scene)
        window.rootViewController = UINavigationController(rootViewController: ShopViewController(shop: shop))
        window.makeKeyAndVisible()
        self.window = window
        // A link that starts the app comes only here: the app was killed while the wallet was in front.
        self.scene(scene, openURLContexts: connectionOptions.urlContexts)
        for activity in connectionOptions.userActivities { self.scene(scene, continue: activity) }
        Task { await shop.recover() }
    }

    func scene(_ scene: UIScene, openURLContexts contexts: Set<UIOpenURLContext>) {
        for context in contexts { shop?.opened(by: context.url) }
    }

    func scene(_ scene: UIScene, continue userActivity: NSUserActivity) {
        if let link = userActivity.webpageURL { shop?.opened(by: link) }
    }

    func sceneDidBecomeActive(_ scene: UIScene) { shop?.cameToFront() }
}
