import ACGriverCore
import UIKit

/// The super app's home: tiles that open mini programs, and links that other apps and pages hand over.
final class HomeViewController: UIViewController {
    struct Tile {
        let title: String
        let appId: String
        var query: String?
        var isFullScreen = false
    }

    private(set) var message: String?

    func open(_ tile: Tile) {
        let startupParams = GRVStartupParams()
        startupParams.showTitleBar = !tile.isFullScreen
        startupParams.query = tile.query
        startupParams.titleBarColor = 0xFF_1677_FF
        startupParams.screenOrientation = tile.isFullScreen ? "auto" : "portrait"
        do {
            let viewController = try GRVAppContainerLaunch.sharedInstance().openApp(withAppId: tile.appId, startupParams: startupParams)
            show(viewController)
        } catch {
            tell(error as NSError)
        }
    }

    func open(link: String) {
        do {
            show(try GRVAppContainerLaunch.sharedInstance().openApp(withUrl: link, startupParams: nil))
        } catch let error as NSError {
            tell(error)
        }
    }

    private func show(_ viewController: UIViewController?) {
        guard let viewController = viewController else { return }
        let navigationController =
            self.navigationController ?? UIApplication.shared.windows.first?.rootViewController as? UINavigationController
        navigationController?.pushViewController(viewController, animated: true)
    }

    private func tell(_ error: NSError) {
        switch error.code {
        case 90002: message = "this page does not exist"
        case 90003: message = "try again in a moment"
        case 10000: message = "something went wrong"
        default: message = error.localizedDescription
        }
    }
}
