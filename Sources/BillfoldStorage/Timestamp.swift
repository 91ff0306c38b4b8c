/// An instant, in microseconds since 1970-01-01T00:00:00Z, as every table stores it.
public struct Timestamp: Sendable, Hashable, Comparable, Codable {
    public var microseconds: Int64

    public init(microseconds: Int64) { self.microseconds = microseconds }
    public init(secondsSince1970 seconds: Int64) { microseconds = seconds * 1_000_000 }

    public static func < (lhs: Self, rhs: Self) -> Bool { lhs.microseconds < rhs.microseconds }

    /// A later moment, or an earlier one. What is less than a microsecond is left off.
    public func advanced(by duration: Duration) -> Self {
        let (seconds, attoseconds) = duration.components
        return Self(microseconds: microseconds + seconds * 1_000_000 + attoseconds / 1_000_000_000_000)
    }
}

/// Tells the time of day. Injected: in test mode it can be moved, and all processes on one store share it.
public protocol WallClock: Sendable {
    /// The time now; in test mode, as it was moved.
    func now() -> Timestamp
}
