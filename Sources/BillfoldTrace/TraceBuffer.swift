import Synchronization

/// A bounded sink between a party that reports and a forwarder that sends.
///
/// `record` never waits: it tries each of a few stripes once, and an entry that finds them all busy or full is dropped and
/// counted in ``dropped``. Reporting therefore costs a payment about a microsecond, whatever the console does.
public final class TraceBuffer: TraceSink {
    private struct Ticketed: Sendable {
        var ticket: UInt64
        var entry: PackedEntry
    }

    private final class Stripe: Sendable {
        let entries = Mutex<[Ticketed]>([])
    }

    private let limits: TraceLimits
    private let stripes: [Stripe]
    private let capacityPerStripe: Int
    private let tickets = Atomic<UInt64>(0)
    private let droppedCount = Atomic<UInt64>(0)

    /// - Parameters:
    ///   - capacity: The most entries held; rounded up to a multiple of the number of stripes.
    ///   - stripes: Parts with a lock each: more of them let more threads record at once. Less than 1 counts as 1.
    ///   - limits: How much of one entry is kept.
    public init(capacity: Int = 8_192, stripes: Int = 8, limits: TraceLimits = TraceLimits()) {
        self.limits = limits
        let count = max(1, stripes)
        self.stripes = (0..<count).map { _ in Stripe() }
        capacityPerStripe = max(1, (capacity + count - 1) / count)
    }

    /// How many entries were refused since the start because the buffer was full or busy.
    public var dropped: UInt64 { droppedCount.load(ordering: .relaxed) }

    public func record(_ entry: TraceEntry) {
        // Packed while its texts are in the caches, and given back with the request that made them.
        let entry = PackedEntry(limits.bounded(entry))
        let ticket = tickets.wrappingAdd(1, ordering: .relaxed).oldValue
        let start = Int(ticket % UInt64(stripes.count))
        for offset in 0..<stripes.count {
            let stripe = stripes[(start + offset) % stripes.count]
            let stored = stripe.entries.withLockIfAvailable { entries in
                guard entries.count < capacityPerStripe else { return false }
                entries.append(Ticketed(ticket: ticket, entry: entry))
                return true
            }
            if stored == true { return }
        }
        droppedCount.wrappingAdd(1, ordering: .relaxed)
    }

    /// Takes everything held, in the order it was recorded.
    public func drain() -> [TraceEntry] { drainPacked().map(\.entry) }

    func drainPacked() -> [PackedEntry] {
        var taken: [Ticketed] = []
        for stripe in stripes {
            taken += stripe.entries.withLock { entries in
                defer { entries = [] }
                return entries
            }
        }
        return taken.sorted { $0.ticket < $1.ticket }.map(\.entry)
    }
}
