import IAPWalletContext
import UIKit

// An app of the old kind: everything hangs on the delegate, and pages are found by climbing up from the key window.

extension UIApplication {
    class func topViewController(
        base: UIViewController? = UIApplication.shared.keyWindow?.rootViewController
    ) -> UIViewController? {
        if let navigation = base as? UINavigationController { return topViewController(base: navigation.topViewController) }
        if let presented = base?.presentedViewController { return topViewController(base: presented) }
        return base
    }
}

class WalletAppDelegate: UIResponder, UIApplicationDelegate {
    var window: UIWindow?
    var opened: [URL] = []
    let oauth = LegacyOAuthService()
    let payment = LegacyPaymentService()

    func application(
        _ application: UIApplication, didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        window = UIWindow(frame: CGRect(x: 0, y: 0, width: 375, height: 812))
        window?.rootViewController = UINavigationController(rootViewController: UIViewController(nibName: nil, bundle: nil))
        window?.makeKeyAndVisible()
        return true
    }

    func application(_ app: UIApplication, open url: URL, options: [UIApplication.OpenURLOptionsKey: Any] = [:]) -> Bool {
        guard url.scheme == "oldwallet" else { return false }
        opened.append(url)
        return true
    }
}

class LegacyOAuthService: IAPWalletOAuthServiceSignature {
    var granted: [String: Set<String>] = [:]

    override func getAuthCode(
        clientId: String, scopes: Set<String>, type: IAPWalletOAuthCodeFlowType = .standard, extendedInfo: [String: String] = [:],
        in context: IAPWalletAPIContext? = nil, callback: @escaping (IAPWalletOAuthResult) -> Void
    ) {
        let result = IAPWalletOAuthResult()
        let missing = scopes.subtracting(granted[clientId] ?? [])
        if type == .alipayConnect && !missing.isEmpty {
            // Programs of other workspaces get what was granted, and reasons for the rest.
            result.authErrorScopes = Dictionary(uniqueKeysWithValues: missing.map { ($0, "only for local programs") })
            result.authSuccessScopes = scopes.subtracting(missing).sorted()
            result.authCode = result.authSuccessScopes.isEmpty ? nil : "old-connect"
            if result.authSuccessScopes.isEmpty { result.error.code = "1002" }
        } else if missing.isEmpty {
            result.authCode = "old-1"
            result.authSuccessScopes = scopes.sorted()
        } else {
            result.error = NSError(domain: "", code: LegacyOAuthService.ERROR_CODE_AUTH_PENDING_AGREEMENT, userInfo: [:])
        }
        callback(result)
    }

    override func showAuthPage(
        clientId: String, name: String, logo: String, scopes: Set<String>, extendedInfo: [String: String]? = [:],
        in context: IAPWalletAPIContext? = nil, callback: @escaping (IAPWalletAuthPageConfirmResult) -> Void
    ) {
        let sheet = UIAlertController(
            title: name, message: ConsentScopeTexts.page(for: scopes).joined(separator: "\n"), preferredStyle: .actionSheet)
        let agree = UIAlertAction(title: "OK", style: .default) { [weak self] _ in
            self?.granted[clientId, default: []].formUnion(scopes)
            callback(IAPWalletAuthPageConfirmResult("old-agreement"))
        }
        let refuse = UIAlertAction(title: "Not now", style: .cancel) { _ in
            let result = IAPWalletAuthPageConfirmResult()
            result.error.code = "1001"
            result.error.localizedDescription = "not now"
            callback(result)
        }
        sheet.addAction(agree)
        sheet.addAction(refuse)
        UIApplication.topViewController()?.present(sheet, animated: true, completion: nil)
    }
}

class LegacyPaymentService: IAPWalletPaymentServiceSignature {
    /// What the cashier's page answers with: `oldwallet://paid?state=…`.
    var states = ["paid": "9000", "open": "8000", "failed": "4000", "left": "6001"]
    private var waiting: ((IAPWalletPaymentResult) -> Void)?

    override func pay(
        with request: IAPWalletPaymentRequest, in context: IAPWalletAPIContext? = nil,
        callback: @escaping (IAPWalletPaymentResult) -> Void
    ) {
        guard let text = request.paymentUrl, let url = URL(string: text), UIApplication.shared.canOpenURL(url) else {
            let result = IAPWalletPaymentResult()
            result.error.code = "1002"
            return callback(result)
        }
        waiting = callback
        UIApplication.shared.openURL(url)
    }

    func finish(with url: URL) {
        let state = URLComponents(url: url, resolvingAgainstBaseURL: false)?.queryItems?.first { $0.name == "state" }?.value ?? ""
        // A word that nobody knows is no failure: the server is asked.
        let result = IAPWalletPaymentResult(resultCode: states[state] ?? "6004", resultMessage: state)
        waiting?(result)
        waiting = nil
    }
}
