import AlipayPlusClient
import Foundation

/// Code that belongs to no actor, as the header lets it be: from wherever it is called.
struct FreeShop: Sendable {
    func begin(_ paymentData: String) async -> String? {
        await withCheckedContinuation { continuation in
            var first: CheckedContinuation<String?, Never>? = continuation
            AlipayPlusClient.shared().showPaymentSheet(paymentData) { event in
                first?.resume(returning: event.message)
                first = nil
            }
        }
    }

    func prepare() -> String {
        let configuration = IAPConfiguration()
        configuration.merchantId = "M-1"
        configuration.acquirerId = "1022188000000000001"
        configuration.envType = kIAPEnvSANDBOX
        AlipayPlusClient.shared().configuration = configuration
        return AlipayPlusClient.shared().configuration.acquirerId
    }

    /// The events that end a sheet.
    static let endings: Set<IAPPaymentSheetEventName> = [IAPPaymentSheetEventUserDidCancel, IAPPaymentSheetEventThrowException]

    func ignore(_ paymentData: String) { AlipayPlusClient.shared().showPaymentSheet(paymentData) { _ in } }
}
