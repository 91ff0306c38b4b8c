import GriverSDK
import UIKit

/// As apps write it whose SDK goes by its other name.
class OrderHistoryController: UIViewController {
    private(set) var code = 0

    func reorder(_ appId: String) -> UIViewController? {
        let params = GRVStartupParams()
        params.query = "from=history"
        do {
            return try GRVAppContainerLaunch.sharedInstance().openApp(withAppId: appId, startupParams: params)
        } catch {
            code = (error as NSError).code
            return nil
        }
    }
}
