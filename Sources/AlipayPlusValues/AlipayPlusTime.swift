import BillfoldCalendar
public import Foundation

/// A moment as messages write it: ISO 8601 with a zone. Two are equal when the moment is, whatever their zones.
public struct AlipayPlusTime: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// Since 1970-01-01T00:00:00Z.
    public let millisecondsSince1970: Int64

    public init(millisecondsSince1970: Int64) { self.millisecondsSince1970 = millisecondsSince1970 }

    /// The instant's millisecond; what is finer is dropped.
    public init(_ date: Date) { millisecondsSince1970 = Int64((date.timeIntervalSince1970 * 1000).rounded(.down)) }

    /// Reads `2026-03-01T10:15:30+08:00`, with up to nine digits of a second's fraction and `Z`, `+08:00` or `+0800` as zone.
    /// `malformed-field` when it names no real moment or no zone.
    public init(_ text: String) throws(AlipayPlusError) {
        guard let time = Self.read(Array(text.utf8)) else {
            throw AlipayPlusError(code: .malformedField, reason: "a time is not ISO 8601 with a zone")
        }
        self = time
    }

    /// Reads the header `Request-Time`: ISO 8601, or epoch milliseconds as a Java client sends them [O]. `malformed-time`.
    public init(header text: String) throws(AlipayPlusError) {
        if text.utf8.count == 13, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let milliseconds = Int64(text) {
            self.init(millisecondsSince1970: milliseconds)
        } else if let time = Self.read(Array(text.utf8)) {
            self = time
        } else {
            throw AlipayPlusError(code: .malformedTime, reason: "the time is neither ISO 8601 with a zone nor epoch milliseconds")
        }
    }

    private static func read(_ bytes: [UInt8]) -> AlipayPlusTime? {
        let pattern = Array("0000-00-00T00:00:00".utf8)
        guard bytes.count > pattern.count else { return nil }
        for (byte, expected) in zip(bytes, pattern) {
            guard expected == 0x30 ? isDigit(byte) : byte == expected else { return nil }
        }
        func number(_ at: Int, _ count: Int) -> Int { bytes[at..<(at + count)].reduce(0) { $0 * 10 + Int($1 - 0x30) } }
        let (year, month, day) = (number(0, 4), number(5, 2), number(8, 2))
        let (hour, minute, second) = (number(11, 2), number(14, 2), number(17, 2))
        guard (1...12).contains(month), day >= 1, day <= CivilCalendar.days(in: month, of: year), hour < 24, minute < 60, second < 60 else {
            return nil
        }
        var rest = bytes[pattern.count...]
        var milliseconds = 0
        if rest.first == UInt8(ascii: ".") {
            let digits = rest.dropFirst().prefix(while: isDigit)
            guard (1...9).contains(digits.count) else { return nil }
            milliseconds = (Array(digits.prefix(3)) + [0x30, 0x30]).prefix(3).reduce(0) { $0 * 10 + Int($1 - 0x30) }
            rest = rest.dropFirst(1 + digits.count)
        }
        guard let zone = zone(Array(rest)) else { return nil }
        let days = CivilCalendar.dayNumber(year: year, month: month, day: day)
        let seconds = ((days * 24 + hour) * 60 + minute) * 60 + second - zone * 60
        return AlipayPlusTime(millisecondsSince1970: Int64(seconds * 1000 + milliseconds))
    }

    /// Minutes east of Greenwich.
    private static func zone(_ bytes: [UInt8]) -> Int? {
        if bytes == [UInt8(ascii: "Z")] { return 0 }
        guard let sign = bytes.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") else { return nil }
        var digits = Array(bytes.dropFirst())
        if digits.count == 5, digits[2] == UInt8(ascii: ":") { digits.remove(at: 2) }
        guard digits.count == 4, digits.allSatisfy(isDigit) else { return nil }
        let values = digits.map { Int($0 - 0x30) }
        let (hours, minutes) = (values[0] * 10 + values[1], values[2] * 10 + values[3])
        guard hours <= 18, minutes < 60 else { return nil }
        return (sign == UInt8(ascii: "-") ? -1 : 1) * (hours * 60 + minutes)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    public var date: Date { Date(timeIntervalSince1970: TimeInterval(millisecondsSince1970) / 1000) }

    /// A moment later by so many seconds; earlier where they are negative.
    public func adding(seconds: Int64) -> Self { Self(millisecondsSince1970: millisecondsSince1970 + seconds * 1000) }

    // MARK: UTC+8, in which days are counted

    private static let zoneOffset: Int64 = 8 * 3600 * 1000
    private static let dayLength: Int64 = 86_400_000

    private var local: (day: Int, milliseconds: Int) {
        let shifted = millisecondsSince1970 + Self.zoneOffset
        let day = shifted >= 0 ? shifted / Self.dayLength : (shifted - Self.dayLength + 1) / Self.dayLength
        return (Int(day), Int(shifted - day * Self.dayLength))
    }

    /// The day in UTC+8 as `yyyyMMdd`: that of clearing cycles and folders.
    public var day: String { Self.text(of: local.day, separator: "") }

    /// The midnight in UTC+8 that begins this moment's day.
    public var startOfDay: AlipayPlusTime {
        AlipayPlusTime(millisecondsSince1970: millisecondsSince1970 - Int64(local.milliseconds))
    }

    /// The first moment of a day `yyyyMMdd` in UTC+8; nil when there is no such day.
    public init?(day: String) {
        let bytes = Array(day.utf8)
        guard bytes.count == 8, bytes.allSatisfy(Self.isDigit) else { return nil }
        let text = "\(day.prefix(4))-\(day.dropFirst(4).prefix(2))-\(day.suffix(2))T00:00:00+08:00"
        guard let time = Self.read(Array(text.utf8)) else { return nil }
        self = time
    }

    private static func text(of day: Int, separator: String) -> String {
        let civil = CivilCalendar.date(day)
        return [(civil.year, 4), (civil.month, 2), (civil.day, 2)].map { CivilCalendar.pad($0, $1) }.joined(separator: separator)
    }

    /// In UTC+8, whole seconds: `2026-03-01T10:15:30+08:00`.
    public var description: String {
        let (day, milliseconds) = local
        let second = milliseconds / 1000
        let clock = [second / 3600, second / 60 % 60, second % 60].map { CivilCalendar.pad($0, 2) }.joined(separator: ":")
        return "\(Self.text(of: day, separator: "-"))T\(clock)+08:00"
    }

    public static func < (lhs: Self, rhs: Self) -> Bool { lhs.millisecondsSince1970 < rhs.millisecondsSince1970 }
}
