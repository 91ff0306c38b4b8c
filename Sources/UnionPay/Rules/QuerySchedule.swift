/// When to ask what became of a transaction (apple-pay.md#query-schedule [O]).
public struct QuerySchedule: Sendable, Hashable {
    /// The waits before the first, second, third … query.
    public var waits: [Duration]

    public init(waits: [Duration]) { self.waits = waits }

    /// The owner's rule for back-end money transactions: up to six queries while the answer is 03, 04 or 05.
    public static let backEnd = Self(waits: [1, 2, 4, 8, 16, 32].map { .seconds($0) })

    /// The owner's rule for front-end flows; it also serves once a sheet has been answered with "pending".
    public static let frontEnd = Self(waits: [5, 10, 30, 60, 120].map { .seconds($0 * 60) })

    /// What to wait after `payTimeout` before anything but 00 or A6 is a final failure.
    public static let settlingMargin = Duration.seconds(15 * 60)

    /// The wait before query number `attempt`, counted from zero, or `nil` when the schedule has ended.
    public func wait(before attempt: Int) -> Duration? {
        waits.indices.contains(attempt) ? waits[attempt] : nil
    }
}

/// How UnionPay repeats a notification that was not answered with 200 or 302 within ten seconds: five sends at most.
///
/// Two of its SDKs document different gaps, so a receiver relies on neither [O].
public struct NotificationSchedule: Sendable, Hashable {
    /// The waits before each send, the first one included.
    public var waits: [Duration]

    public init(waits: [Duration]) { self.waits = waits }

    public static let early = Self(waits: [0, 0, 1, 2, 4].map { .seconds($0 * 60) })
    public static let late = Self(waits: [0, 1, 2, 4, 5].map { .seconds($0 * 60) })

    public static let answerWithin = Duration.seconds(10)

    /// Whether an HTTP status ends the repetition.
    public static func isAcknowledged(status: Int) -> Bool { status == 200 || status == 302 }
}
