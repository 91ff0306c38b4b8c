/// Whoever began a payment and waits for its end: told once.
@MainActor
final class ReportListener {
    /// A report, or nil when the caller went away first.
    typealias News = Result<PaymentReport?, AlipayAppError>

    /// A suspended caller is always told; a documented block only where the URL brought no block of its own.
    let isSuspended: Bool
    var tell: ((News) -> Void)?

    init(isSuspended: Bool, tell: ((News) -> Void)? = nil) {
        self.isSuspended = isSuspended
        self.tell = tell
    }

    func callAsFunction(_ news: News) {
        let tell = tell
        self.tell = nil
        tell?(news)
    }

    /// Suspends the caller until the news is there; `begin` sets things going.
    func news(_ begin: () -> Void) async -> News {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                tell = { continuation.resume(returning: $0) }
                begin()
            }
        } onCancel: {
            Task { @MainActor in self(.success(nil)) }
        }
    }
}
