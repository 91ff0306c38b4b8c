import BillfoldConcurrency

/// Turns a callback into one answer: the first counts, and a callback that is let go unanswered is an answer too.
final class AnswerOnce<Answer: Sendable>: Sendable {
    private let waiting: Locked<CheckedContinuation<Answer, Never>?>
    private let lost: Answer

    init(_ continuation: CheckedContinuation<Answer, Never>, lost: Answer) {
        waiting = Locked(continuation)
        self.lost = lost
    }

    deinit { answer(lost) }

    func answer(_ answer: Answer) {
        let continuation = waiting.withLock { waiting in
            defer { waiting = nil }
            return waiting
        }
        continuation?.resume(returning: answer)
    }
}

/// Calls a method with a callback on the main actor, and waits for its answer; `lost` is that of one that lets its callback go.
@MainActor
func answer<Answer: IAPWalletBaseServiceResult>(
    lost: Answer, _ call: @MainActor @Sendable (@escaping @Sendable (Answer) -> Void) -> Void
) async -> Answer {
    await withCheckedContinuation { continuation in
        let once = AnswerOnce(continuation, lost: lost)
        call { once.answer($0) }
    }
}
