import Foundation

/// `YYYYMMDDhhmmss` in UTC, as Visa's account data writes times.
enum CompactInstant {
    private static let style = Date.ISO8601FormatStyle(
        dateSeparator: .omitted, dateTimeSeparator: .standard, timeSeparator: .omitted, timeZone: .gmt)

    static func text(_ instant: Date) -> String {
        // The style writes 20260102T030405Z.
        String(decoding: instant.formatted(style).utf8.filter { (0x30...0x39).contains($0) }, as: UTF8.self)
    }

    static func date(_ text: String) -> Date? {
        guard text.utf8.count == 14, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return try? Date("\(text.prefix(8))T\(text.suffix(6))Z", strategy: style)
    }
}
