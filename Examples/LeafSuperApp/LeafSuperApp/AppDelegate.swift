import UIKit

@main
final class AppDelegate: UIResponder, UIApplicationDelegate {
    /// Where the app keeps what must outlive it.
    var folder = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask)[0]
    private(set) lazy var superApp = SuperApp(settings: Settings(), folder: folder)
}
