import UIKit

@main
class AppDelegate: UIResponder, UIApplicationDelegate {
    var window: UIWindow?
    var received: [(url: URL, source: String?)] = []
    var life: [String] = []

    func application(_ application: UIApplication, didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?) -> Bool {
        let window = UIWindow(frame: CGRect(x: 0, y: 0, width: 390, height: 844))
        window.rootViewController = UINavigationController(rootViewController: CartViewController())
        window.backgroundColor = .systemBackground
        window.makeKeyAndVisible()
        self.window = window
        if let url = launchOptions?[.url] as? URL {
            life.append("launched by \(url.scheme ?? "")")
        } else {
            life.append("launched")
        }
        return true
    }

    // iOS 9 and later
    func application(_ app: UIApplication, open url: URL, options: [UIApplication.OpenURLOptionsKey: Any] = [:]) -> Bool {
        guard url.scheme == "teashop" else { return false }
        received.append((url, options[.sourceApplication] as? String))
        return true
    }

    func application(
        _ application: UIApplication, continue userActivity: NSUserActivity, restorationHandler: @escaping ([UIUserActivityRestoring]?) -> Void
    ) -> Bool {
        guard userActivity.activityType == NSUserActivityTypeBrowsingWeb, let url = userActivity.webpageURL else { return false }
        received.append((url, nil))
        return true
    }

    func applicationDidBecomeActive(_ application: UIApplication) {
        life.append("active")
    }

    func applicationWillResignActive(_ application: UIApplication) {
        life.append("resigned")
    }

    func applicationDidEnterBackground(_ application: UIApplication) {
        life.append("background")
    }

    func applicationWillEnterForeground(_ application: UIApplication) {
        life.append("foreground")
    }

    func applicationWillTerminate(_ application: UIApplication) {}
}

/// An app that was never updated for iOS 9.
class OldAppDelegate: UIResponder, UIApplicationDelegate {
    var received: [(url: URL, source: String?)] = []

    func application(_ application: UIApplication, open url: URL, sourceApplication: String?, annotation: Any) -> Bool {
        received.append((url, sourceApplication))
        return true
    }
}

/// An app that was never updated for iOS 4.2.
class OldestAppDelegate: UIResponder, UIApplicationDelegate {
    var received: [URL] = []

    func application(_ application: UIApplication, handleOpen url: URL) -> Bool {
        received.append(url)
        return true
    }
}

/// An app whose windows belong to scenes.
class PlainAppDelegate: NSObject, UIApplicationDelegate {
    var received = 0

    func application(_ app: UIApplication, open url: URL, options: [UIApplication.OpenURLOptionsKey: Any] = [:]) -> Bool {
        received += 1
        return true
    }
}
