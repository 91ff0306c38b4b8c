import UIKit

class SceneDelegate: UIResponder, UIWindowSceneDelegate {
    var window: UIWindow?
    var received: [URL] = []
    var activations = 0
    var isInBackground = false

    func scene(_ scene: UIScene, willConnectTo session: UISceneSession, options connectionOptions: UIScene.ConnectionOptions) {
        guard let windowScene = (scene as? UIWindowScene) else { return }
        let window = UIWindow(windowScene: windowScene)
        window.rootViewController = UINavigationController(rootViewController: CartViewController())
        self.window = window
        window.makeKeyAndVisible()
        // A link that starts the app comes only here.
        self.scene(scene, openURLContexts: connectionOptions.urlContexts)
        if let activity = connectionOptions.userActivities.first {
            self.scene(scene, continue: activity)
        }
    }

    func scene(_ scene: UIScene, openURLContexts URLContexts: Set<UIOpenURLContext>) {
        guard let context = URLContexts.first else { return }
        if context.options.sourceApplication != "com.example.stranger" {
            received.append(context.url)
        }
    }

    func scene(_ scene: UIScene, continue userActivity: NSUserActivity) {
        if let url = userActivity.webpageURL {
            received.append(url)
        }
    }

    func sceneDidBecomeActive(_ scene: UIScene) {
        activations += 1
    }

    func sceneWillResignActive(_ scene: UIScene) {}

    func sceneDidEnterBackground(_ scene: UIScene) {
        isInBackground = true
    }

    func sceneWillEnterForeground(_ scene: UIScene) {
        isInBackground = false
    }
}

/// The window of whichever app this is compiled into.
enum Windows {
    @MainActor static var key: UIWindow? {
        if #available(iOS 13.0, *) {
            let scene = UIApplication.shared.connectedScenes
                .filter { $0.activationState == .foregroundActive }
                .compactMap { $0 as? UIWindowScene }
                .first
            return scene?.windows.first(where: { $0.isKeyWindow }) ?? UIApplication.shared.windows.first { $0.isKeyWindow }
        } else {
            return UIApplication.shared.keyWindow
        }
    }

    @MainActor static var ofDelegate: UIViewController? {
        UIApplication.shared.delegate?.window??.rootViewController
    }

    @MainActor static func topViewController(_ base: UIViewController? = UIApplication.shared.keyWindow?.rootViewController) -> UIViewController? {
        if let navigation = base as? UINavigationController {
            return topViewController(navigation.visibleViewController)
        }
        if let presented = base?.presentedViewController {
            return topViewController(presented)
        }
        return base
    }
}
