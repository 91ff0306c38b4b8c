import Alipay
import AlipayApp
import AlipayPlusApp
import Foundation
import FoundationNetworking
import UIKitSimulator

/// The phone as `AlipayApp` meets it: other apps are those of the screen, and the cashier's page is in the test's hands.
@MainActor
final class ScreenSurroundings: PaymentSurroundings {
    private var end: CheckedContinuation<PaymentResult?, Never>?

    func canOpen(_ url: URL) -> Bool { UIApplication.shared.canOpenURL(url) }
    func open(_ url: URL) async -> Bool { await UIApplication.shared.open(url) }

    func showCashier(_ request: CashierRequest) async -> PaymentResult? {
        say("cashier", request.order)
        return await withCheckedContinuation { end = $0 }
    }

    func ends(_ text: String) -> String {
        guard let end else { return "no cashier" }
        self.end = nil
        end.resume(returning: try? PaymentResult(text: text))
        return "closed"
    }
}

/// The phone as `AlipayPlusApp` meets it: the sheet's page is in the test's hands.
@MainActor
final class SheetGlass: SheetSurroundings {
    private(set) var departures = 0
    private var hear: ((SheetNews) -> Void)?
    private var observer: (any NSObjectProtocol)?

    init() {
        observer = NotificationCenter.default.addObserver(forName: UIApplication.willResignActiveNotification, object: nil, queue: nil) {
            [weak self] _ in MainActor.assumeIsolated { self?.departures += 1 }
        }
    }

    var now: Int64 { Int64(Date().timeIntervalSince1970 * 1_000) }

    func canOpen(_ url: URL) -> Bool { UIApplication.shared.canOpenURL(url) }

    func open(_ url: URL, onlyInApp: Bool) async -> Bool {
        await UIApplication.shared.open(url, options: onlyInApp ? [.universalLinksOnly: true] : [:])
    }

    func showSheet(_ request: SheetRequest, hear: @escaping @MainActor (SheetNews) -> Void) {
        self.hear = hear
        say("sheet", request.address.absoluteString)
    }

    func closeSheet() { hear = nil }

    func hears(_ message: String) -> String {
        guard let hear else { return "no sheet" }
        hear(.message(message))
        return "heard"
    }
}

/// Fetches the payment options as `URLSession` does on a phone.
struct FoundationOptions: OptionTransport {
    func get(_ address: URL) async throws -> OptionAnswer {
        let (body, response) = try await URLSession.shared.data(from: address)
        return OptionAnswer(status: (response as? HTTPURLResponse)?.statusCode ?? 0, body: Array(body))
    }
}
