import ACGriverCore
import AriverKernel
import GRVAppContainer
import IAPConnect
import UIKit

/// A start that imports every name that the documents print, in one file.
final class SuperAppStart: NSObject, GRVAppEventDelegate {
    private(set) var open: [String] = []
    private(set) var count = 0

    func begin(done: @escaping (String?) -> Void) {
        let extensionDelegate = GRVExtensionDelegate()
        extensionDelegate.appEventDelegate = self
        let config = IAPConnectInitConfig()
        config.riverExtensionDelegate = extensionDelegate
        IAPConnectClient.sharedInstance()?.initWithContext(
            config,
            success: {
                done(nil)
            },
            failure: { error, message in
                done(message)
            })
    }

    func onAppStart(_ app: any GRVAppSessionInfo) {
        count += 1
        open.append(app.appId)
    }

    func onAppExit(_ app: any GRVAppSessionInfo) { open.removeAll { $0 == app.appId } }

    static func page(_ appId: String) -> UIViewController? {
        let startupParams = GRVStartupParams()
        startupParams.showTitleBar = true
        return try? GRVAppContainerLaunch.sharedInstance().openApp(withAppId: appId, startupParams: startupParams)
    }
}

/// `my.call('shareCoupon', { code })`, in the file of the start.
final class CouponHandler: RVKJsApiHandler {
    override func handler(_ data: [AnyHashable: Any], context: RVKContext, callback: @escaping RVKJsApiResponseCallbackBlock) {
        callback(["shared": data["code"] as? String ?? "none"])
    }
}
