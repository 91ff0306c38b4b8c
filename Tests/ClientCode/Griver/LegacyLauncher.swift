import ACGriverCore
import UIKit

/// From the first generation of the SDK, with the letters that its documents have.
class LegacyLauncher: NSObject {
    weak var window: UIWindow?
    var lastCode = 0

    init(window: UIWindow?) {
        self.window = window
        super.init()
    }

    @discardableResult
    func launch(appId: String, extraParams: [String: Any]? = ["query": "a=b&c=d"]) -> UIViewController? {
        do {
            return try GRVAppContainerLaunch.sharedInstance().openApp(withApppId: appId, extraParams: extraParams, error: ())
        } catch {
            lastCode = (error as NSError).code
            return nil
        }
    }

    func launch(url: String) -> UIViewController? {
        let extraParams: [String: Any] = ["showTitleBar": false, "showLoading": true, "titleColor": 0, "titleAlignment": "auto"]
        do {
            return try GRVAppContainerLaunch.sharedInstance().openApp(withUrl: url, extraParams: extraParams, error: ())
        } catch {
            lastCode = (error as NSError).code
        }
        return nil
    }
}
