import BillfoldConcurrency

/// Brings an app's request to the main actor: PassKit takes it on any queue, such as the one on which the bank's answer arrived.
struct AddPassAnswer: Sendable {
    private let handler: HandedOver<(PKAddPaymentPassRequest?) -> Void>

    init(_ handler: @escaping (PKAddPaymentPassRequest?) -> Void) { self.handler = HandedOver(handler) }

    /// On the main actor at once, elsewhere in a moment. The app that gives a request is done with it.
    func give(_ request: PKAddPaymentPassRequest) {
        let request = HandedOver(request)
        MainThread.soon { [handler] in handler.value(request.value) }
    }
}
