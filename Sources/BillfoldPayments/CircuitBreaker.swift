public import BillfoldStorage

/// Keeps a destination that fails from taking the workers' time: after several failures in a row it is left alone for a while,
/// then tried with a single message.
///
/// It is a courtesy of one process and holds nothing that matters: the rows stay in the store.
public struct CircuitBreaker: Sendable, Hashable {
    private let threshold: Int
    private let pause: Duration
    private var failures = 0
    private var openUntil: Timestamp?

    /// - Parameters:
    ///   - threshold: Failures in a row that open the breaker.
    ///   - pause: How long it stays open.
    public init(threshold: Int, pause: Duration) {
        self.threshold = threshold
        self.pause = pause
    }

    /// How many messages may be under way now, of at most `limit`.
    public func allowance(of limit: Int, at now: Timestamp) -> Int {
        guard let openUntil else { return limit }
        return now < openUntil ? 0 : min(1, limit)
    }

    /// Takes in how a delivery ended: a success closes the breaker, a failure counts and from the threshold on opens it anew.
    public mutating func record(success: Bool, at now: Timestamp) {
        if success {
            failures = 0
            openUntil = nil
        } else {
            failures += 1
            if failures >= threshold { openUntil = now.advanced(by: pause) }
        }
    }
}
