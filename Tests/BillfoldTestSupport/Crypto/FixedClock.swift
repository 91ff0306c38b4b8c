public import Foundation
import Synchronization

/// A clock that stands still until it is told to move. Copies of the reference share one instant.
public final class FixedClock: Sendable {
    private let instant: Mutex<Date>

    public init(_ start: Date) { instant = Mutex(start) }

    /// Starts at an ISO 8601 instant in UTC such as `2026-11-20T12:00:00Z`; nil when the text is not one.
    public convenience init?(iso8601 text: String) {
        guard let date = try? Date(text, strategy: .iso8601) else { return nil }
        self.init(date)
    }

    public var now: Date { instant.withLock { $0 } }

    public func set(_ date: Date) { instant.withLock { $0 = date } }

    public func advance(by seconds: TimeInterval) { instant.withLock { $0 += seconds } }
}
