import BillfoldStorage
import Foundation

/// A day of the books, in China's time (GMT+8), as both sides of the link count days.
struct BookDay: Sendable, Hashable, CustomStringConvertible {
    let description: String
    let start: Timestamp
    var end: Timestamp { start.advanced(by: .seconds(86_400)) }

    private static let offset: Int64 = 8 * 3600

    private static let calendar: Calendar = {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        return calendar
    }()

    /// Reads `yyyy-MM-dd` strictly; `nil` for anything else, and for a day that no month has.
    init?(_ text: String) {
        guard let parts = text.wholeMatch(of: /([0-9]{4})-([0-9]{2})-([0-9]{2})/)?.output,
            let year = Int(parts.1), let month = Int(parts.2), let day = Int(parts.3)
        else { return nil }
        let components = DateComponents(calendar: Self.calendar, timeZone: .gmt, year: year, month: month, day: day)
        guard components.isValidDate(in: Self.calendar), let date = Self.calendar.date(from: components) else { return nil }
        description = text
        start = Timestamp(secondsSince1970: Int64(date.timeIntervalSince1970) - Self.offset)
    }

    /// The day and the minute of an instant, for people: `2026-11-21 22:05`.
    static func minute(of instant: Timestamp) -> String {
        let seconds = instant.microseconds / 1_000_000 + offset
        let parts = calendar.dateComponents(
            [.year, .month, .day, .hour, .minute], from: Date(timeIntervalSince1970: TimeInterval(seconds)))
        func pad(_ value: Int?, _ width: Int = 2) -> String {
            let text = String(value ?? 0)
            return String(repeating: "0", count: max(0, width - text.count)) + text
        }
        return "\(pad(parts.year, 4))-\(pad(parts.month))-\(pad(parts.day)) \(pad(parts.hour)):\(pad(parts.minute))"
    }
}
