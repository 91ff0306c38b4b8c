/// The part of a test installation that an owner has to itself, and how far its time is ahead of everybody's.
package struct SpaceNote: Sendable, Hashable {
    package let name: String
    /// The time there, by which its orders expire and its messages come due.
    package let now: InstantText
    package let everybodys: InstantText
    /// For example `31 min`; `nil` where its time is everybody's.
    package let ahead: String?

    /// - Parameters:
    ///   - now: The time there, microseconds since 1970.
    ///   - everybodys: Likewise.
    package init(name: String, now: Int64, everybodys: Int64) {
        self.name = name
        self.now = InstantText(now)
        self.everybodys = InstantText(everybodys)
        let (gap, overflow) = now.subtractingReportingOverflow(everybodys)
        ahead = overflow || gap < 1_000_000 ? nil : Self.words(gap / 1_000_000)
    }

    /// The two largest units, such as `2 d 3 h`.
    private static func words(_ seconds: Int64) -> String {
        let parts = [
            (seconds / 86_400, "d"), (seconds / 3_600 % 24, "h"), (seconds / 60 % 60, "min"), (seconds % 60, "s"),
        ]
        return parts.drop { $0.0 == 0 }.prefix(2).filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: " ")
    }
}
