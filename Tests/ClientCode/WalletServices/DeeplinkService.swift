import IAPWalletContext
import UIKit

final class DeeplinkService: IAPWalletDeeplinkServiceSignature {
    public static let SCENE_WEB_PAGE = "WEB_PAGE"
    public static let SCENE_QR_CODE = "QR_CODE"

    var shownPages: [String] = []

    override func open(scheme: URL, in context: IAPWalletAPIContext? = nil) -> Bool {
        guard UIApplication.shared.canOpenURL(scheme) else { return false }
        if #available(iOS 10.0, *) {
            UIApplication.shared.open(scheme, options: [:], completionHandler: nil)
            return true
        } else {
            return UIApplication.shared.openURL(scheme)
        }
    }

    override func open(
        bizSceneCode: String,
        with param: [String: String] = [:],
        in context: IAPWalletAPIContext? = nil,
        callback: @escaping (IAPWalletBaseServiceResult) -> Void
    ) {
        let result = IAPWalletBaseServiceResult()
        switch bizSceneCode {
        case IAPWalletDeeplinkServiceSignature.SCENE_WEB_PAGE:
            guard let text = param["url"], let url = URL(string: text) else {
                result.error = NSError(
                    domain: "DeeplinkService", code: DeeplinkService.ERROR_CODE_APP_SERVICE_ERROR,
                    userInfo: [NSLocalizedDescriptionKey: "url is missing"])
                callback(result)
                return
            }
            UIApplication.shared.open(
                url, options: [:],
                completionHandler: { success in
                    print("web page opened: \(success)")
                })
            callback(result)
        case DeeplinkService.SCENE_QR_CODE, SCENE_QR_PAY:
            shownPages.append("my code")
            callback(result)
        case IAPWalletDeeplinkServiceSignature.SCENE_SCAN:
            result.extendedInfo = ["code": "https://qr.alipayplus.com/281002"]
            callback(result)
        case IAPWalletDeeplinkServiceSignature.SCENE_BIND_CARD, IAPWalletDeeplinkServiceSignature.SCENE_TOP_UP:
            shownPages.append(bizSceneCode)
            callback(result)
        case IAPWalletDeeplinkServiceSignature.SCENE_DEEPLINK_SCHEME:
            if let text = param["url"], let url = URL(string: text), UIApplication.shared.openURL(url) {
                callback(result)
            } else {
                result.error.code = "1002"
                result.error.localizedDescription = "nothing takes the link"
                callback(result)
            }
        default:
            break
        }
    }
}
