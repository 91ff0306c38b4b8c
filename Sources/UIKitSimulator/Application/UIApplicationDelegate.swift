public import Foundation

/// Hears what happens to the app. Every method may be left out.
@MainActor
@preconcurrency
public protocol UIApplicationDelegate: NSObjectProtocol {
    /// Called first.
    func application(
        _ application: UIApplication, willFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool
    /// Called when the app is about to run. A link that started it is in the options, and is opened afterwards unless this answers no.
    func application(
        _ application: UIApplication, didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool
    /// Called when the app takes the customer's taps.
    func applicationDidBecomeActive(_ application: UIApplication)
    /// Called before the app takes no taps any more.
    func applicationWillResignActive(_ application: UIApplication)
    /// Called when the app is seen no more.
    func applicationDidEnterBackground(_ application: UIApplication)
    /// Called before the app is seen again.
    func applicationWillEnterForeground(_ application: UIApplication)
    /// Called before the app ends.
    func applicationWillTerminate(_ application: UIApplication)
    /// Called for a link, unless the app has scenes. Answers whether the link was the app's.
    func application(_ app: UIApplication, open url: URL, options: [UIApplication.OpenURLOptionsKey: Any]) -> Bool
    /// The form of iOS 4 to 9: called where the newer one is left out.
    func application(_ application: UIApplication, open url: URL, sourceApplication: String?, annotation: Any) -> Bool
    /// Called for a link of the web that the app claims, unless the app has scenes.
    ///
    /// - Parameters:
    ///   - application: The app.
    ///   - userActivity: Its type is that of browsing, and it has the link.
    ///   - restorationHandler: Nothing is restored here.
    /// - Returns: Whether the link was the app's.
    func application(
        _ application: UIApplication, continue userActivity: NSUserActivity,
        restorationHandler: @escaping ([any UIUserActivityRestoring]?) -> Void
    ) -> Bool
    /// Called before the app's scene is added. The answer is the session's configuration.
    func application(
        _ application: UIApplication, configurationForConnecting connectingSceneSession: UISceneSession,
        options: UIScene.ConnectionOptions
    ) -> UISceneConfiguration
    /// The oldest form: called where both newer ones are left out.
    func application(_ application: UIApplication, handleOpen url: URL) -> Bool
}

extension UIApplicationDelegate {
    public func application(
        _ application: UIApplication, willFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool { true }

    public func application(
        _ application: UIApplication, didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool { true }

    public func applicationDidBecomeActive(_ application: UIApplication) {}
    public func applicationWillResignActive(_ application: UIApplication) {}
    public func applicationDidEnterBackground(_ application: UIApplication) {}
    public func applicationWillEnterForeground(_ application: UIApplication) {}
    public func applicationWillTerminate(_ application: UIApplication) {}

    public func application(_ app: UIApplication, open url: URL, options: [UIApplication.OpenURLOptionsKey: Any]) -> Bool {
        application(app, open: url, sourceApplication: options[.sourceApplication] as? String, annotation: options[.annotation] ?? NSNull())
    }

    public func application(_ application: UIApplication, open url: URL, sourceApplication: String?, annotation: Any) -> Bool {
        self.application(application, handleOpen: url)
    }

    public func application(_ application: UIApplication, handleOpen url: URL) -> Bool { false }

    public func application(
        _ application: UIApplication, configurationForConnecting connectingSceneSession: UISceneSession,
        options: UIScene.ConnectionOptions
    ) -> UISceneConfiguration { connectingSceneSession.configuration }

    public func application(
        _ application: UIApplication, continue userActivity: NSUserActivity,
        restorationHandler: @escaping ([any UIUserActivityRestoring]?) -> Void
    ) -> Bool { false }

    /// Makes `@main` compile and ends at once: a test makes the delegate and starts the app, by ``SimulatedScreen/launch(_:scene:by:from:)``.
    public static func main() {}

    /// UIKit's property is optional, of an optional: `delegate?.window??.rootViewController`. A delegate's own property is the one to set.
    public var window: UIWindow?? { .some(UIApplication.shared.window(of: self)) }
}
