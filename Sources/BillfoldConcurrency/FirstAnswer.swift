/// A place for one answer. Whichever is given first counts, and the others are dropped, whoever gives them and however late.
package final class FirstAnswer<Answer: Sendable>: Sendable {
    private enum State {
        case open(waiting: [CheckedContinuation<Answer, Never>])
        case given(Answer)
    }

    private let state = Locked(State.open(waiting: []))

    package init() {}

    /// - Returns: Whether it is the first, and so the one that counts.
    @discardableResult
    package func give(_ answer: Answer) -> Bool {
        let waiting = state.withLock { state -> [CheckedContinuation<Answer, Never>]? in
            guard case .open(let waiting) = state else { return nil }
            state = .given(answer)
            return waiting
        }
        guard let waiting else { return false }
        for continuation in waiting { continuation.resume(returning: answer) }
        return true
    }

    /// The answer, once there is one. Nothing else ends the wait: whoever may be cancelled has their cancellation give an answer.
    package var value: Answer {
        get async {
            await withCheckedContinuation { continuation in
                let given = state.withLock { state -> Answer? in
                    switch state {
                    case .given(let answer): return answer
                    case .open(let waiting):
                        state = .open(waiting: waiting + [continuation])
                        return nil
                    }
                }
                if let given { continuation.resume(returning: given) }
            }
        }
    }
}

/// Why there is no answer.
package enum NoAnswer: Error {
    /// The time was over first.
    case late
    /// Whoever waited was cancelled first.
    case left
}

/// Asks, and waits for the answer for a time at most. The first of three decides: the answer, the end of the time, the caller's
/// cancellation.
///
/// The others are cancelled, and nobody waits for them: work that heeds no cancellation goes on alone. Work that heeds it may be run by
/// ``within(_:_:)``, which leaves nothing behind. What must not be cancelled runs in a task of its own, whose value is asked for.
///
/// - Parameters:
///   - limit: How long an answer is waited for.
///   - wait: Returns when a time is over; where it throws, nothing is late.
///   - ask: Is begun in any case.
package func firstAnswer<Answer: Sendable>(
    within limit: Duration, by wait: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
    of ask: @escaping @Sendable () async -> Answer
) async throws(NoAnswer) -> Answer {
    let first = FirstAnswer<Result<Answer, NoAnswer>>()
    let asking = Task { _ = first.give(.success(await ask())) }
    let clock = Task {
        do { try await wait(limit) } catch { return }
        first.give(.failure(.late))
    }
    let outcome = await withTaskCancellationHandler {
        await first.value
    } onCancel: {
        first.give(.failure(.left))
    }
    asking.cancel()
    clock.cancel()
    return try outcome.get()
}
