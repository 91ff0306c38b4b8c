import BillfoldConcurrency

/// What other threads have for a program. Put from anywhere, taken on the program's own thread.
final class ProgramInbox: Sendable {
    enum Message: Sendable {
        case reply(Int, JSAPIAnswer)
        case painted(page: Int, batch: Int)
    }

    private struct State {
        var messages: [Message] = []
        /// The thread is at work and will look here again before it waits.
        var isWatched = false
    }

    private let state = Locked(State())
    private let wake: @Sendable () -> Void

    /// - Parameter wake: Makes the program's thread take what is here.
    init(wake: @escaping @Sendable () -> Void) { self.wake = wake }

    func put(_ message: Message) {
        let mustWake = state.withLock { state in
            state.messages.append(message)
            return !state.isWatched
        }
        if mustWake { wake() }
    }

    func take() -> [Message] {
        state.withLock { state in
            defer { state.messages = [] }
            return state.messages
        }
    }

    /// Takes on watching, or gives it up; that fails while messages are here.
    func watch(_ isWatched: Bool) -> Bool {
        state.withLock { state in
            guard isWatched || state.messages.isEmpty else { return false }
            state.isWatched = isWatched
            return true
        }
    }
}
