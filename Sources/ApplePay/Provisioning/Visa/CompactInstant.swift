import BillfoldCalendar
import Foundation

/// `YYYYMMDDhhmmss` in UTC, as Visa's account data writes times.
enum CompactInstant {
    private static let style = Date.ISO8601FormatStyle(
        dateSeparator: .omitted, dateTimeSeparator: .standard, timeSeparator: .omitted, timeZone: .gmt)

    /// The whole second that has begun, of a year with at most four digits.
    static func text(_ instant: Date) -> String {
        let second = Int(instant.timeIntervalSince1970.rounded(.down))
        let day = Int((Double(second) / 86_400).rounded(.down))
        let (date, clock) = (CivilCalendar.date(day), second - day * 86_400)
        let parts = [date.month, date.day, clock / 3_600, clock / 60 % 60, clock % 60]
        return CivilCalendar.pad(parts.reduce(date.year) { $0 * 100 + $1 }, 14)
    }

    static func date(_ text: String) -> Date? {
        guard text.utf8.count == 14, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return try? Date("\(text.prefix(8))T\(text.suffix(6))Z", strategy: style)
    }
}
