import UIKit

/// The phone's browser.
@MainActor
enum Browser {
    static func open(_ page: URL) async { _ = await UIApplication.shared.open(page) }
}
