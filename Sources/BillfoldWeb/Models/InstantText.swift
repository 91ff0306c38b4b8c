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
        let seconds = floorDivided(microseconds, by: 1_000_000).quotient
        let (days, second) = floorDivided(seconds, by: 86_400)
        let (year, month, day) = civil(days)
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
        return "\(gap < 0 ? "−" : "+")\(milliseconds / 1000).\(pad(Int64(milliseconds % 1000), 3))"
    }

    private static func pad(_ value: Int64, _ width: Int) -> String {
        let text = String(value)
        return text.count >= width ? text : String(repeating: "0", count: width - text.count) + text
    }

    private static func floorDivided(_ value: Int64, by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }

    /// Day number to proleptic Gregorian date. Eras of 400 years begin on 1 March, so that the leap day comes last.
    private static func civil(_ days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let (era, dayOfEra) = floorDivided(days + 719_468, by: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
    }
}
