/// Tells observers of every state of a screen, from the current one to the last.
@MainActor
final class StateFeed<State: Sendable> {
    private var observers: [Int: AsyncStream<State>.Continuation] = [:]
    private var count = 0

    /// Begins with `state`, and ends at once if it is the last one.
    func stream(from state: State, isLast: Bool) -> AsyncStream<State> {
        let (stream, continuation) = AsyncStream.makeStream(of: State.self)
        continuation.yield(state)
        guard !isLast else {
            continuation.finish()
            return stream
        }
        count += 1
        let id = count
        observers[id] = continuation
        continuation.onTermination = { _ in Task { @MainActor [weak self] in self?.observers[id] = nil } }
        return stream
    }

    func publish(_ state: State, isLast: Bool) {
        for observer in observers.values {
            observer.yield(state)
            if isLast { observer.finish() }
        }
    }
}
