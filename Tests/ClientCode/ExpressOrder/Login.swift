import AlipaySDK
import UIKit

/// Logs a customer in by Alipay, in both forms of the authorisation.
@MainActor
final class AlipayLogin {
    private(set) var answers: [String] = []

    func logIn(_ infoStr: String) {
        AlipaySDK.defaultService().auth_V2(withInfo: infoStr, fromScheme: "teashop") { [weak self] result in
            self?.deliver(result)
        }
    }

    func logInAsBefore() {
        let info = APayAuthInfo(appID: "2016000000000000", pid: "2088000000000000", redirectUri: "teashop://auth")
        guard info.appID != nil, info.pid != nil, info.redirectUri.hasPrefix("teashop:") else { return }
        AlipaySDK.defaultService()?.auth(with: info, callback: { self.deliver($0) })
    }

    func opened(_ url: URL) {
        AlipaySDK.defaultService()?.processAuthResult(url, standbyCallback: { self.deliver($0) })
    }

    private func deliver(_ result: [AnyHashable: Any]?) {
        guard let status = result?["resultStatus"] as? String, let memo = result?["memo"] as? String else { return }
        answers.append(status == "9000" ? result?["result"] as? String ?? "" : "\(status) \(memo)")
    }
}
