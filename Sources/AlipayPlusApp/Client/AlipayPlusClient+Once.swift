/// For callers that want to be told once: the callback of the documented call is called several times, and a choice may still be
/// followed by an exception.
extension AlipayPlusClient {
    /// Shows the sheet and returns when it is over: once, whatever the number of events. Cancelling the task changes nothing: a sheet
    /// ends by the person, or by a failure.
    @MainActor public func showPaymentSheet(_ paymentData: String) async -> PaymentSheetOutcome {
        await withCheckedContinuation { continuation in
            show(paymentData) { if case .ended(let end) = $0 { continuation.resume(returning: end) } }
        }
    }

    /// Shows the sheet and gives its events one by one; ends behind the last.
    @MainActor public func paymentSheetEvents(_ paymentData: String) -> AsyncStream<IAPPaymentSheetEvent> {
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
