extension OutboxWorker {
    /// How much one worker takes on, and how long it waits.
    public struct Configuration: Sendable {
        /// Most messages under way at once in this process.
        public var batch = 100
        /// How long a claimed row is left to its worker. Must exceed the sender's own time limit.
        public var lease: Duration = .seconds(60)
        /// How long an idle worker waits before it looks again.
        public var poll: Duration = .milliseconds(200)
        /// Most messages to one destination under way at once in this process, and one more from the store where others are handed over all the
        /// time.
        public var perDestination = 8
        /// Most messages to one destination that wait in this process for a place there, handed over by those who stored them, for half a
        /// lease at most. Others wait in the store.
        public var waitingPerDestination = 32
        /// The same of all destinations together.
        public var waiting = 1_000
        /// Failures in a row that open a destination's circuit breaker, and for how long.
        public var breakerThreshold = 5
        public var breakerPause: Duration = .seconds(30)
        /// How old a message may be whose delivery was not begun without that counting as an attempt. Afterwards it counts, so that a receiver
        /// whose name servers never come back is given up at last.
        public var patience: Duration = .seconds(86_400)
        /// Which messages it delivers; another worker beside it has the others.
        package var kinds = OutboxKinds.all
        /// Retry schedules by name.
        public var schedules: [String: RetrySchedule] = [:]
        /// For rows whose schedule has no entry.
        public var defaultSchedule = RetrySchedule.exponential(base: .seconds(1), cap: .seconds(300), attempts: 12)

        public init() {}
    }
}
