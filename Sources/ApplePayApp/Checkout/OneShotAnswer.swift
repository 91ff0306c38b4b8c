/// The answer to one callback of the sheet: given exactly once, by the app or by the time limit.
@MainActor
public final class OneShotAnswer<Value> {
    private let ticket: AnswerTicket
    private let handler: (Value) -> Void
    private var timer: Task<Void, Never>?

    public init(callback: String, log: AnswerLog, handler: @escaping (Value) -> Void) {
        ticket = AnswerTicket(callback: callback, log: log)
        self.handler = handler
    }

    /// Hands the answer to the sheet. A second one is held back and reported; returns whether this one was given.
    @discardableResult
    public func fulfil(_ value: Value) -> Bool {
        guard ticket.use() else {
            ticket.report(.fulfilledTwice)
            return false
        }
        timer?.cancel()
        handler(value)
        return true
    }

    /// Gives `fallback` when the limit passes first. What comes later is held back: `isExpired` tells.
    func limit(to duration: Duration, wait: @escaping CheckoutConfiguration.Wait, fallback: @escaping @MainActor () -> Value?) {
        timer = Task { [weak self] in
            do { try await wait(duration) } catch { return }
            guard let self, !Task.isCancelled, ticket.use() else { return }
            isExpired = true
            ticket.report(.timedOut)
            if let value = fallback() { handler(value) }
        }
    }

    /// Set when the time limit answered.
    private(set) var isExpired = false

    /// Gives the answer unless the time limit already did, which is reported; returns whether this one was given.
    @discardableResult
    func fulfilUnlessExpired(_ value: Value) -> Bool {
        guard !isExpired else {
            ticket.report(.fulfilledLate)
            return false
        }
        return fulfil(value)
    }

    /// Gives no answer, on purpose: the sheet is gone or is being taken away.
    func withdraw() {
        timer?.cancel()
        _ = ticket.use()
    }
}
