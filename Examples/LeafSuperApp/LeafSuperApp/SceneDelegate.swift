import UIKit

/// The app's only scene.
final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
    var window: UIWindow?
    private var superApp: SuperApp? { (UIApplication.shared.delegate as? AppDelegate)?.superApp }

    func scene(_ scene: UIScene, willConnectTo session: UISceneSession, options connectionOptions: UIScene.ConnectionOptions) {
        guard let scene = scene as? UIWindowScene, let superApp else { return }
        let window = UIWindow(windowScene: scene)
        window.rootViewController = UINavigationController(rootViewController: HomeViewController(superApp: superApp))
        window.makeKeyAndVisible()
        self.window = window
    }

    /// The cashier's way back. It proves nothing, and so it is not read: whoever is back is asked for.
    func scene(_ scene: UIScene, openURLContexts contexts: Set<UIOpenURLContext>) { superApp?.returns.cameToFront() }

    func sceneDidBecomeActive(_ scene: UIScene) { superApp?.returns.cameToFront() }
}
