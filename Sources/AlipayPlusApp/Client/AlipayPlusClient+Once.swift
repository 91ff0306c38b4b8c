/// For callers that want to be told once: the callback of the documented call is called several times, and a choice may still be
/// followed by an exception.
extension AlipayPlusClient {
    /// Shows the sheet and returns when it is over: once, whatever the number of events. Cancelling the task changes nothing: a sheet
    /// ends by the person, or by a failure.
    public func showPaymentSheet(_ paymentData: String) async -> PaymentSheetOutcome {
        await withCheckedContinuation { continuation in
            showPaymentSheet(paymentData, outcome: { continuation.resume(returning: $0) })
        }
    }

    /// Shows the sheet and calls back when it is over: once, whatever the number of events.
    public func showPaymentSheet(_ paymentData: String, outcome: @escaping @MainActor (PaymentSheetOutcome) -> Void) {
        show(paymentData) { if case .ended(let end) = $0 { outcome(end) } }
    }

    /// Shows the sheet and gives its events one by one; ends behind the last.
    public func paymentSheetEvents(_ paymentData: String) -> AsyncStream<IAPPaymentSheetEvent> {
        let (events, continuation) = AsyncStream.makeStream(of: IAPPaymentSheetEvent.self)
        show(paymentData) { step in
            switch step {
            case .event(let event): continuation.yield(event)
            case .ended: continuation.finish()
            }
        }
        return events
    }
}
