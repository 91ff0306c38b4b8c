import BillfoldCalendar

/// Instants as people read them, from microseconds since 1970-01-01T00:00:00Z.
package struct InstantText: Sendable, Hashable {
    /// For example `2026-01-05 08:30:12 UTC`.
    package let text: String
    /// The same for `<time datetime>`: `2026-01-05T08:30:12Z`.
    package let machine: String

    package init(_ microseconds: Int64) {
        text = Self.utc(microseconds)
        machine = Self.machine(microseconds)
    }

    /// For example `2026-01-05 08:30:12 UTC`.
    package static func utc(_ microseconds: Int64) -> String {
        let seconds = floorDivided(Int(microseconds), by: 1_000_000).quotient
        let (days, second) = floorDivided(seconds, by: 86_400)
        let (year, month, day) = CivilCalendar.date(days)
        return
            "\(pad(year, 4))-\(pad(month, 2))-\(pad(day, 2)) \(pad(second / 3600, 2)):\(pad(second / 60 % 60, 2)):\(pad(second % 60, 2)) UTC"
    }

    /// The same for `<time datetime>`: `2026-01-05T08:30:12Z`.
    package static func machine(_ microseconds: Int64) -> String {
        let text = utc(microseconds)
        return text.prefix(10) + "T" + text.dropFirst(11).prefix(8) + "Z"
    }

    /// How long after another instant, in seconds to the millisecond: `+0.120`.
    static func offset(_ microseconds: Int64, after start: Int64) -> String {
        let gap = microseconds.subtractingReportingOverflow(start).partialValue
        let milliseconds = gap.magnitude / 1000
        return "\(gap < 0 ? "−" : "+")\(milliseconds / 1000).\(pad(Int(milliseconds % 1000), 3))"
    }

    private static func pad(_ value: Int, _ width: Int) -> String { CivilCalendar.pad(value, width) }

    private static func floorDivided(_ value: Int, by divisor: Int) -> (quotient: Int, remainder: Int) {
        let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
