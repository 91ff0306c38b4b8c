/// Tells everybody who listens each value of something that changes, beginning with the present one.
@MainActor
package final class Feed<Value: Sendable> {
    private var listeners: [Int: AsyncStream<Value>.Continuation] = [:]
    private var count = 0
    private let buffering: AsyncStream<Value>.Continuation.BufferingPolicy

    /// - Parameter backlog: How many values wait for a slow listener, which then loses the oldest; `nil` for all.
    package init(backlog: Int? = nil) { buffering = backlog.map { .bufferingNewest($0) } ?? .unbounded }

    package var hasListeners: Bool { !listeners.isEmpty }

    /// Every value from now on, until the last one.
    package func values(from present: Value, isLast: Bool = false) -> AsyncStream<Value> {
        let (stream, continuation) = AsyncStream.makeStream(of: Value.self, bufferingPolicy: buffering)
        continuation.yield(present)
        guard !isLast else {
            continuation.finish()
            return stream
        }
        count += 1
        let number = count
        listeners[number] = continuation
        continuation.onTermination = { [weak self] _ in Task { @MainActor [weak self] in self?.listeners[number] = nil } }
        return stream
    }

    package func tell(_ value: Value, isLast: Bool = false) {
        for listener in listeners.values { listener.yield(value) }
        if isLast { finish() }
    }

    /// Ends every stream of values.
    package func finish() {
        for listener in listeners.values { listener.finish() }
        listeners = [:]
    }
}
