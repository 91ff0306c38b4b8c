import UIKit

/// Shows the bank, hands it the links that Wallet opens, and has it look at the wallet whenever the customer comes back.
final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
    var window: UIWindow?
    var settings = Settings()
    private(set) var bank: LeafBank?

    func scene(_ scene: UIScene, willConnectTo session: UISceneSession, options connectionOptions: UIScene.ConnectionOptions) {
        guard let windowScene = scene as? UIWindowScene else { return }
        let bank = LeafBank(settings)
        self.bank = bank
        let window = UIWindow(windowScene: windowScene)
        window.rootViewController = UINavigationController(rootViewController: LogInViewController(bank: bank))
        self.window = window
        window.makeKeyAndVisible()
        self.scene(scene, openURLContexts: connectionOptions.urlContexts)
    }

    /// Wallet asks for a proof: `examplebank://wallet?serialNumber=…&action=verify`.
    func scene(_ scene: UIScene, openURLContexts URLContexts: Set<UIOpenURLContext>) {
        guard let link = URLContexts.first?.url.absoluteString else { return }
        Task { await bank?.open(link) }
    }

    func sceneDidBecomeActive(_ scene: UIScene) {
        Task { await bank?.look() }
    }
}
