import BillfoldPayments
import Synchronization

/// Wakes those of this process who wait for an owner's events. Nothing rests on it: what other processes store is looked for.
final class EventNews: Sendable {
    private struct State {
        var next: UInt64 = 0
        var listeners: [MerchantID: [UInt64: AsyncStream<Void>.Continuation]] = [:]
    }

    private let state = Mutex(State())

    /// A stream that gives a value when there is something to look at; several while nobody looks come to one. `nil` where the owner has
    /// `most` already. It is over when the value that is returned with it is let go.
    func listen(to owner: MerchantID, most: Int) -> Listener? {
        let (signals, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let number: UInt64? = state.withLock { state in
            guard state.listeners[owner, default: [:]].count < most else { return nil }
            state.next += 1
            state.listeners[owner, default: [:]][state.next] = continuation
            return state.next
        }
        return number.map { Listener(signals: signals, continuation: continuation, owner: owner, number: $0, news: self) }
    }

    func tell(_ owner: MerchantID) {
        for listener in state.withLock({ Array(($0.listeners[owner] ?? [:]).values) }) { listener.yield() }
    }

    fileprivate func leave(_ owner: MerchantID, _ number: UInt64) {
        state.withLock { state in
            state.listeners[owner]?[number] = nil
            if state.listeners[owner]?.isEmpty == true { state.listeners[owner] = nil }
        }
    }

    /// One who waits. Its place is free again when nobody holds it.
    final class Listener: Sendable {
        let signals: AsyncStream<Void>
        private let continuation: AsyncStream<Void>.Continuation
        private let owner: MerchantID
        private let number: UInt64
        private let news: EventNews

        fileprivate init(
            signals: AsyncStream<Void>, continuation: AsyncStream<Void>.Continuation, owner: MerchantID, number: UInt64, news: EventNews
        ) {
            (self.signals, self.continuation, self.owner, self.number, self.news) = (signals, continuation, owner, number, news)
        }

        deinit { news.leave(owner, number) }

        /// Has the listener look, as news would.
        func look() { continuation.yield() }
        /// Ends the stream.
        func end() { continuation.finish() }
    }
}
