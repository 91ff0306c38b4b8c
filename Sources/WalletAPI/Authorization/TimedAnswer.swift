/// The first of an answer and a limit. What comes after the limit is dropped; the work that makes it is not torn down.
enum TimedAnswer {
    static func first<Answer: Sendable>(
        of ask: @escaping @Sendable () async -> Answer, or late: Answer, after limit: Duration, on clock: any Clock<Duration>
    ) async -> Answer {
        await withCheckedContinuation { continuation in
            let once = AnswerOnce(continuation, lost: late)
            let timer = Task {
                // Cancelled when the answer came first.
                guard (try? await clock.sleep(for: limit)) != nil else { return }
                once.answer(late)
            }
            // No task group: it would wait for a service that never answers.
            Task {
                once.answer(await ask())
                timer.cancel()
            }
        }
    }
}
