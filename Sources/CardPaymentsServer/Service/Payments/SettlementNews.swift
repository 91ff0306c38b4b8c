import BillfoldPayments
import BillfoldStorage
import Synchronization

/// The requests of this process that wait for a payment's outcome.
///
/// Whoever stores the outcome here finishes the waiting requests' keys in the same transaction, and hands them the answer when
/// it is committed. All of it is a shortcut: an outcome that another process stores is found by looking at the store.
final class SettlementNews: Sendable {
    enum News: Sendable {
        /// Stored under the waiting request's own key.
        case answered(PaymentAnswer)
        /// Something about the payment was settled: look at the store.
        case changed
        /// Nothing was heard in time.
        case nothing
    }

    /// A request that waits. Its place is given up when ``SettlementNews/watching(_:key:_:)`` returns.
    struct Watch: Sendable {
        let payment: TimeOrderedID
        let key: IdempotencyKey
        fileprivate let token: UInt64
        fileprivate let owner: SettlementNews

        /// What was announced since the last call, or is until `instant`, give or take ``SettlementNews/beat``.
        func news(until instant: ContinuousClock.Instant) async -> News {
            await withTaskCancellationHandler {
                await withCheckedContinuation { owner.wait(token, until: instant, $0) }
            } onCancel: {
                owner.end(token)
            }
        }
    }

    private struct Waiting {
        var payment: TimeOrderedID
        var key: IdempotencyKey
        var news: News?
        var isCancelled = false
        var continuation: CheckedContinuation<News, Never>?
        var until: ContinuousClock.Instant?
    }

    private struct State {
        var next: UInt64 = 0
        var waiting: [UInt64: Waiting] = [:]
        var ofPayment: [TimeOrderedID: [UInt64]] = [:]
        var isBeating = false
    }

    /// How often it is seen who has waited long enough: one timer for all, since almost nobody does.
    static let beat = Duration.milliseconds(20)

    private let state = Mutex(State())

    /// Lets `body` wait for news of a payment. What is announced from here on is not missed.
    func watching<Value>(_ payment: TimeOrderedID, key: IdempotencyKey, _ body: (Watch) async throws -> Value) async rethrows -> Value {
        let token = state.withLock { state in
            state.next += 1
            state.waiting[state.next] = Waiting(payment: payment, key: key)
            state.ofPayment[payment, default: []].append(state.next)
            return state.next
        }
        defer {
            state.withLock { state in
                state.waiting[token] = nil
                state.ofPayment[payment]?.removeAll { $0 == token }
                if state.ofPayment[payment]?.isEmpty == true { state.ofPayment[payment] = nil }
            }
        }
        return try await body(Watch(payment: payment, key: key, token: token, owner: self))
    }

    /// The keys of the requests that wait for the payment now.
    func keys(waitingFor payment: TimeOrderedID) -> Set<IdempotencyKey> {
        state.withLock { state in Set((state.ofPayment[payment] ?? []).compactMap { state.waiting[$0]?.key }) }
    }

    /// Wakes who waits for the payment: with the answer where it is stored under their key.
    func announce(_ payment: TimeOrderedID, answer: PaymentAnswer? = nil, storedUnder keys: Set<IdempotencyKey> = []) {
        let woken = state.withLock { state in
            var woken: [(CheckedContinuation<News, Never>, News)] = []
            for token in state.ofPayment[payment] ?? [] {
                guard var waiting = state.waiting[token] else { continue }
                let news: News =
                    if let answer, keys.contains(waiting.key) { .answered(answer) } else { .changed }
                if let continuation = waiting.continuation {
                    woken.append((continuation, news))
                    (waiting.continuation, waiting.until) = (nil, nil)
                } else {
                    waiting.news = news
                }
                state.waiting[token] = waiting
            }
            return woken
        }
        for (continuation, news) in woken { continuation.resume(returning: news) }
    }

    private func wait(_ token: UInt64, until instant: ContinuousClock.Instant, _ continuation: CheckedContinuation<News, Never>) {
        let (news, begins): (News?, Bool) = state.withLock { state in
            guard var waiting = state.waiting[token], !waiting.isCancelled else { return (.nothing, false) }
            if let news = waiting.news {
                waiting.news = nil
                state.waiting[token] = waiting
                return (news, false)
            }
            (waiting.continuation, waiting.until) = (continuation, instant)
            state.waiting[token] = waiting
            defer { state.isBeating = true }
            return (nil, !state.isBeating)
        }
        if let news { continuation.resume(returning: news) }
        if begins { Task { await endOverdue() } }
    }

    /// Runs for as long as anybody waits.
    private func endOverdue() async {
        var beats = true
        while beats {
            // Nobody cancels this task.
            try? await Task.sleep(for: Self.beat)
            let now = ContinuousClock.now
            let (overdue, goesOn) = state.withLock { state in
                let overdue = state.waiting.filter { $0.value.until.map { $0 <= now } == true }.map(\.key)
                state.isBeating = state.waiting.contains { $0.value.until.map { $0 > now } == true }
                return (overdue, state.isBeating)
            }
            for token in overdue { resume(token) }
            beats = goesOn
        }
    }

    private func end(_ token: UInt64) {
        state.withLock { $0.waiting[token]?.isCancelled = true }
        resume(token)
    }

    private func resume(_ token: UInt64) {
        let continuation = state.withLock { state in
            defer {
                state.waiting[token]?.continuation = nil
                state.waiting[token]?.until = nil
            }
            return state.waiting[token]?.continuation
        }
        continuation?.resume(returning: .nothing)
    }
}
