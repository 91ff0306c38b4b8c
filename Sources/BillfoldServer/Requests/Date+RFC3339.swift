package import BillfoldStorage
package import Foundation

extension Timestamp {
    /// To the second: `2026-11-21T08:00:00Z`.
    package var rfc3339: String { Date(timeIntervalSince1970: TimeInterval(microseconds) / 1_000_000).formatted(.iso8601) }
}

extension Date {
    /// Reads RFC 3339 to the second: a fraction is read over. `nil` for anything else, such as a day that its month does not have.
    package init?(rfc3339 text: String) {
        let form = #/([0-9]{4})-([0-9]{2})-([0-9]{2})[Tt]([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.[0-9]+)?(?:[Zz]|([+-])([0-9]{2}):([0-9]{2}))/#
        guard let match = try? form.wholeMatch(in: text)?.output else { return nil }
        func number(_ part: Substring?) -> Int { part.flatMap { Int($0) } ?? 0 }
        let parts = DateComponents(
            calendar: Calendar(identifier: .iso8601), timeZone: .gmt, year: number(match.1), month: number(match.2), day: number(match.3),
            hour: number(match.4), minute: number(match.5), second: min(number(match.6), 59))
        let (hours, minutes) = (number(match.8), number(match.9))
        guard parts.isValidDate, number(match.6) <= 60, hours < 24, minutes < 60, let date = parts.date else { return nil }
        let offset = TimeInterval(hours * 3_600 + minutes * 60)
        self = date - (match.7 == "-" ? -offset : offset)
    }
}
