import ACGriverCore
import UIKit

/// As the quick start's page has it, with the wallet's own menu.
class AppStart: NSObject, GRVNavigationBarEventDelegate, GRVMPMoreMenuDelegate {
    private(set) var lines: [String] = []

    func begin(done: @escaping () -> Void) {
        let extensionDelegate = GRVExtensionDelegate()
        extensionDelegate.uiProvider.errorPageURL = Bundle.main.path(forResource: "error", ofType: "html")
        extensionDelegate.uiProvider.statusPageURL = Bundle.main.path(forResource: "status_error", ofType: "html")
        extensionDelegate.uiProvider.moreMenuDelegate = self
        extensionDelegate.navigationBarEventDelegate = self
        let config = IAPConnectInitConfig()
        config.riverExtensionDelegate = extensionDelegate
        IAPConnectClient.sharedInstance()?.initWithContext(config, success: {
            self.lines.append("ready")
            done()
        }, failure: { (error, errorMessage) in
            self.lines.append("failed \((error as NSError?)?.code ?? 0)")
            done()
        })
    }

    func navigationBarItemDidClicked(with type: GRVNavigationBarItemClickedType) {
        lines.append(type == .optionMenu ? "menu" : "other")
    }

    func getMenuList(_ appId: String) -> [GRVMPMoreMenuItem] {
        let item = GRVMPMoreMenuItem()
        item.row = 2
        item.title = "Attention"
        item.identifier = "attention"
        item.icon = UIImage(named: "attention")
        item.clickMenuItemAction = { context in
            self.lines.append("attention \(appId)")
        }
        return [item]
    }
}
