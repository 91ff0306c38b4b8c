import BillfoldConcurrency

/// What went wrong with the answers to the sheet's callbacks.
public struct AnswerFault: Sendable, Hashable {
    /// What the code or the system did wrong.
    public enum Kind: String, Sendable, Hashable {
        /// The answer was dropped without being given: on a device the sheet hangs, then fails.
        case unfulfilled
        /// An answer was given although one had been given before; the later one was held back.
        case fulfilledTwice
        /// The time limit answered in the code's place.
        case timedOut
        /// The code's own answer, which came after the time limit's; it was held back.
        case fulfilledLate
        /// The system made a last call a second time; the first one counted.
        case calledTwice
        /// The system made a last call after the flow was over for another reason; it changed nothing.
        case calledLate
    }

    public var callback: String
    public var kind: Kind
}

/// Collects the faults of one checkout.
public final class AnswerLog: Sendable {
    private let entries = Locked<[AnswerFault]>([])

    public init() {}

    public var faults: [AnswerFault] { entries.withLock { $0 } }

    func record(_ kind: AnswerFault.Kind, _ callback: String) {
        entries.withLock { $0.append(AnswerFault(callback: callback, kind: kind)) }
    }
}

/// Reports an answer that nobody gave, when the last reference to it goes.
final class AnswerTicket: Sendable {
    private let callback: String
    private let log: AnswerLog
    private let isUsed = Locked(false)

    init(callback: String, log: AnswerLog) {
        self.callback = callback
        self.log = log
    }

    /// True the first time.
    func use() -> Bool {
        isUsed.withLock { used in
            defer { used = true }
            return !used
        }
    }

    func report(_ kind: AnswerFault.Kind) { log.record(kind, callback) }

    deinit {
        if use() { report(.unfulfilled) }
    }
}
