import UIKit

@main
final class AppDelegate: UIResponder, UIApplicationDelegate {
    var phone = Phone.itself
    /// Made when the app has launched; nil where there is no phone to make it for.
    private(set) var shop: Shop?

    func application(_ application: UIApplication, didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?)
        -> Bool
    {
        shop = phone.map { Shop(settings: Settings(), phone: $0) }
        return shop != nil
    }
}
