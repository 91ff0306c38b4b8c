// Written as a shop's app for a phone is written, after the documented integration: an app delegate, `payOrder`, and
// `processOrder` in every method that brings a URL.
import AlipayApp
import Foundation

/// The shop's own back end, which makes the order string and signs it.
protocol ShopBackend: Sendable {
    func orderString(for goods: String) async throws -> String
}

/// What the shop's screen shows.
enum ShopScreen: Equatable {
    case goods
    case paying
    case paid, beingConfirmed, cancelled, failed
}

@MainActor
final class ShopAppDelegate {
    static let scheme = "shopapp"

    private(set) var screen = ShopScreen.goods
    private let backend: any ShopBackend

    init(backend: any ShopBackend) { self.backend = backend }

    // MARK: The button

    func buy(_ goods: String) async {
        guard let orderString = try? await backend.orderString(for: goods) else {
            screen = .failed
            return
        }
        screen = .paying
        AlipaySDK.defaultService().payOrder(orderString, fromScheme: Self.scheme) { resultDic in
            self.show(resultDic)
        }
    }

    // MARK: The app delegate

    func application(open url: URL, sourceApplication: String?, annotation: Any) -> Bool {
        handle(url)
    }

    func application(open url: URL, options: [String: Any] = [:]) -> Bool {
        handle(url)
    }

    private func handle(_ url: URL) -> Bool {
        guard url.host == "safepay" else { return false }
        AlipaySDK.defaultService().processOrder(withPaymentResult: url) { resultDic in
            self.show(resultDic)
        }
        return true
    }

    private func show(_ resultDic: [AnyHashable: Any]?) {
        switch resultDic?["resultStatus"] as? String {
        case "9000": screen = .paid
        case "6001": screen = .cancelled
        case "4000": screen = .failed
        default: screen = .beingConfirmed
        }
    }
}
