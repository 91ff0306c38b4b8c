import BillfoldCalendar
public import Foundation

/// A moment as messages write it: `yyyy-MM-dd HH:mm:ss` in China's time (UTC+8, no daylight saving), whole seconds.
public struct AlipayTime: Sendable, Hashable, Comparable, Codable, CustomStringConvertible {
    /// Since 1970-01-01T00:00:00Z.
    public let secondsSince1970: Int64

    public init(secondsSince1970: Int64) { self.secondsSince1970 = secondsSince1970 }

    /// The instant's second; a fraction is dropped.
    public init(_ date: Date) { secondsSince1970 = Int64(date.timeIntervalSince1970.rounded(.down)) }

    /// Reads `yyyy-MM-dd HH:mm:ss`; `invalid-parameter` when it names no real moment.
    public init(_ text: String) throws(AlipayError) { self = try Self.read(text, pattern: "0000-00-00 00:00:00") }

    /// Reads `yyyyMMddHHmmss`, as files and most clients' `gmt_return` have it.
    public init(compact text: String) throws(AlipayError) { self = try Self.read(text, pattern: "00000000000000") }

    /// Reads `time_expire`: `yyyy-MM-dd HH:mm`, or with seconds.
    public init(expiry text: String) throws(AlipayError) { try self.init(text.utf8.count == 16 ? text + ":00" : text) }

    /// Reads `gmt_return`, which the page writes in one form and types in the other: both are taken [I].
    public init(refundTime text: String) throws(AlipayError) {
        if text.utf8.count == 14 { try self.init(compact: text) } else { try self.init(text) }
    }

    private static let offset = 8 * 3600

    private static func read(_ text: String, pattern: String) throws(AlipayError) -> AlipayTime {
        let refused = AlipayError(code: .invalidParameter, reason: "a time is not \(pattern.utf8.count) characters of a real moment")
        var digits: [Int] = []
        guard text.utf8.count == pattern.utf8.count else { throw refused }
        for (byte, expected) in zip(text.utf8, pattern.utf8) {
            guard expected == 0x30 else {
                guard byte == expected else { throw refused }
                continue
            }
            guard (0x30...0x39).contains(byte) else { throw refused }
            digits.append(Int(byte) - 0x30)
        }
        func number(_ range: Range<Int>) -> Int { digits[range].reduce(0) { $0 * 10 + $1 } }
        let (year, month, day) = (number(0..<4), number(4..<6), number(6..<8))
        let (hour, minute, second) = (number(8..<10), number(10..<12), number(12..<14))
        guard (1...12).contains(month), day >= 1, day <= CivilCalendar.days(in: month, of: year), hour < 24, minute < 60, second < 60 else {
            throw refused
        }
        let days = CivilCalendar.dayNumber(year: year, month: month, day: day)
        return AlipayTime(secondsSince1970: Int64(((days * 24 + hour) * 60 + minute) * 60 + second - offset))
    }

    public var date: Date { Date(timeIntervalSince1970: TimeInterval(secondsSince1970)) }

    /// A moment later by so many seconds; earlier where they are negative.
    public func adding(seconds: Int64) -> Self { Self(secondsSince1970: secondsSince1970 + seconds) }

    private var local: (day: Int, second: Int) {
        let seconds = Int(secondsSince1970) + Self.offset
        let second = ((seconds % 86_400) + 86_400) % 86_400
        return ((seconds - second) / 86_400, second)
    }

    /// The midnight in China that ends this moment's day.
    public var endOfDay: AlipayTime { adding(seconds: Int64(86_400 - local.second)) }

    /// The day in China, `yyyy-MM-dd`: the day of bills.
    public var day: String { String(description.prefix(10)) }

    private func write(date: String, between: String, clock: String) -> String {
        let (day, second) = local
        let civil = CivilCalendar.date(day)
        let days = [(civil.year, 4), (civil.month, 2), (civil.day, 2)].map { CivilCalendar.pad($0, $1) }.joined(separator: date)
        let times = [second / 3600, second / 60 % 60, second % 60].map { CivilCalendar.pad($0, 2) }.joined(separator: clock)
        return days + between + times
    }

    public var description: String { write(date: "-", between: " ", clock: ":") }

    /// `yyyyMMddHHmmss`.
    public var compact: String { write(date: "", between: "", clock: "") }

    public static func < (lhs: Self, rhs: Self) -> Bool { lhs.secondsSince1970 < rhs.secondsSince1970 }
}
