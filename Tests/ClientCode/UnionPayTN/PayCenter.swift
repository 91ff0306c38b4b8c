import Foundation
import UIKit

/// What the shop's own server says.
protocol OrderServer: Sendable {
    func transactionNumber(of order: String) async throws -> String?
    func isPaid(_ order: String) async throws -> Bool
    func verify(_ signed: String) async
}

enum PayMode: String {
    case release = "00"
    case develop = "01"
}

/// Everything about UnionPay in one place, as apps have it.
@MainActor
final class PayCenter {
    static let shared = PayCenter()

    var server: (any OrderServer)?
    var scheme = "teashop"
    var mode = PayMode.develop
    private(set) var log: [String] = []
    private var waiting: String?
    var onFinish: ((String) -> Void)?

    var canSwitchToApp: Bool { UPPaymentControl.default()?.isPaymentAppInstalled() ?? false }

    func pay(order: String, over controller: UIViewController) async {
        do {
            guard let tn = try await server?.transactionNumber(of: order), tn.count > 0 else {
                finish("no number")
                return
            }
            waiting = order
            let started = UPPaymentControl.default().startPay(
                tn.trimmingCharacters(in: .whitespacesAndNewlines), fromScheme: scheme, mode: mode.rawValue, viewController: controller)
            if !started { finish("not started") }
        } catch {
            finish("no network")
        }
    }

    /// From every delegate method that gets a URL.
    @discardableResult
    func handle(_ url: URL) -> Bool {
        guard url.host == "uppayresult" else { return false }
        let told: UPPaymentResultBlock = { code, data in
            switch code {
            case "success":
                self.log.append("success")
                if let data = data, let json = try? JSONSerialization.data(withJSONObject: data, options: [.sortedKeys]) {
                    let text = String(decoding: json, as: UTF8.self)
                    self.log.append("signed \(data["sign"] != nil && data["data"] != nil)")
                    Task { await self.server?.verify(text) }
                }
            case "fail": self.log.append("fail")
            case "cancel": self.log.append("cancel")
            default: self.log.append("other")
            }
        }
        UPPaymentControl.default().handlePaymentResult(url, complete: told)
        Task { await ask() }
        return true
    }

    /// Also whenever the app comes to the front: the word may never have come.
    func ask() async {
        guard let order = waiting, let server else { return }
        let isPaid = (try? await server.isPaid(order)) ?? false
        if isPaid { waiting = nil }
        finish(isPaid ? "receipt" : "being confirmed")
    }

    func restore(_ order: String?) { waiting = order }

    private func finish(_ text: String) {
        log.append(text)
        onFinish?(text)
    }

    func forget() { (log, waiting) = ([], nil) }
}
