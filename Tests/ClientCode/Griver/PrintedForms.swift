import ACGriverCore
import UIKit

/// What a launch gives is pushed and presented as it came.
class TileController: UIViewController {
    private(set) var code = 0

    func pushProgram(_ id: String) {
        let params = GRVStartupParams()
        params.showTitleBar = true
        do {
            let viewController = try GRVAppContainerLaunch.sharedInstance().openApp(withAppId: id, startupParams: params)
            let stack = self.navigationController ?? UIApplication.shared.windows.first?.rootViewController as? UINavigationController
            stack?.pushViewController(viewController, animated: true)
        } catch {
            code = (error as NSError).code
        }
    }

    func presentProgram(_ url: String) {
        do {
            let viewController = try GRVAppContainerLaunch.sharedInstance().openApp(withUrl: url, startupParams: nil)
            present(viewController, animated: true, completion: nil)
        } catch let error as NSError {
            code = error.code
        }
    }
}

/// As Xcode writes an override of a header without nullability.
class ScreenHandler: RVKJsApiHandler {
    static let codes = [e_invalid_api, e_inavlid_params, e_unknown_error, e_permission_denied, e_user_cancel]

    override func handler(_ data: [AnyHashable: Any]!, context: RVKContext!, callback: RVKJsApiResponseCallbackBlock!) {
        guard let card = data["card"] as? String, let index = Int(card), ScreenHandler.codes.indices.contains(index) else {
            let result = NSMutableDictionary()
            result["count"] = 1
            result["isShown"] = context.currentViewController() != nil
            callback(result)
            return
        }
        RVKErrorCallback(callback, ScreenHandler.codes[index])
    }
}
