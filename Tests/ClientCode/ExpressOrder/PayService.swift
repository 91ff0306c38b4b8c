import AlipaySDK
import Foundation

/// What came of a payment, for a screen that waits for it.
enum PayOutcome: Equatable, Sendable {
    case paid(memo: String)
    case cancelled
    case unknown(code: String)
    case failed(code: String)
}

/// A wrapper for callers that wait. It belongs to no actor.
struct PayService: Sendable {
    let scheme: String

    func pay(_ order: String) async -> PayOutcome {
        await withCheckedContinuation { continuation in
            guard let alipay = AlipaySDK.defaultService() else {
                continuation.resume(returning: .failed(code: "4000"))
                return
            }
            alipay.payOrder(order, fromScheme: scheme) { result in
                continuation.resume(returning: PayService.outcome(result))
            }
        }
    }

    @discardableResult
    func handleOpen(_ url: URL) -> Bool {
        guard url.scheme == scheme, url.host == "safepay" else { return false }
        AlipaySDK.defaultService().processOrder(withPaymentResult: url, standbyCallback: nil)
        return true
    }

    private static func outcome(_ result: [AnyHashable: Any]?) -> PayOutcome {
        let code = result?["resultStatus"] as? String ?? ""
        let value = Int(code) ?? 0
        if value == 9000 { return .paid(memo: result?["memo"] as? String ?? "") }
        if value == 6001 { return .cancelled }
        return value == 4000 ? .failed(code: code) : .unknown(code: code)
    }
}
