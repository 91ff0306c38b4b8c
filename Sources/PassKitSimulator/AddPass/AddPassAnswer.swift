import Dispatch
import Foundation

/// Brings an app's request to the main actor: PassKit takes it on any queue, such as the one on which the bank's answer arrived.
// Unchecked: the handler is only called on the main actor, and the app that gives a request is done with it.
struct AddPassAnswer: @unchecked Sendable {
    private let handler: (PKAddPaymentPassRequest?) -> Void

    init(_ handler: @escaping (PKAddPaymentPassRequest?) -> Void) { self.handler = handler }

    /// On the main actor at once, elsewhere in a moment.
    func give(_ request: PKAddPaymentPassRequest) {
        guard !Self.isOnMainActor else { return handler(request) }
        let handed = Handed(request: request)
        Task { @MainActor in handler(handed.request) }
    }

    // Unchecked: see above.
    private struct Handed: @unchecked Sendable {
        var request: PKAddPaymentPassRequest
    }

    /// Off Apple's systems the main queue is not worked off by the main thread alone.
    private static var isOnMainActor: Bool { Thread.isMainThread || DispatchQueue.getSpecific(key: ofMainQueue) != nil }

    private static let ofMainQueue = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()
}
