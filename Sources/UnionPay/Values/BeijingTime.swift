import BillfoldCalendar
public import Foundation

/// A moment as UnionPay writes it: `YYYYMMDDhhmmss` in Beijing time (UTC+8, no daylight saving since 1991).
public struct BeijingTime: Sendable, Hashable, Comparable, Codable, CustomStringConvertible {
    /// Whole seconds since 1970-01-01T00:00:00Z.
    public let secondsSince1970: Int64

    /// The instant's second; a fraction is dropped.
    public init(_ date: Date) { secondsSince1970 = Int64(date.timeIntervalSince1970.rounded(.down)) }

    public init(secondsSince1970: Int64) { self.secondsSince1970 = secondsSince1970 }

    /// Reads `YYYYMMDDhhmmss`; `invalid-field` when it is not a real moment.
    public init(_ text: String) throws(UnionPayError) {
        let digits = Array(text.utf8)
        guard digits.count == 14, digits.allSatisfy({ (48...57).contains($0) }) else {
            throw UnionPayError(code: .invalidField, reason: "a time is not fourteen digits")
        }
        func number(_ range: Range<Int>) -> Int { digits[range].reduce(0) { $0 * 10 + Int($1 - 48) } }
        let (year, month, day) = (number(0..<4), number(4..<6), number(6..<8))
        let (hour, minute, second) = (number(8..<10), number(10..<12), number(12..<14))
        let value = CivilDay(year: year, month: month, day: day).number * 86_400 + hour * 3600 + minute * 60 + second - Self.offset
        secondsSince1970 = Int64(value)
        guard hour < 24, minute < 60, second < 60, (1...12).contains(month), description == text else {
            throw UnionPayError(code: .invalidField, reason: "a time names no real moment")
        }
    }

    private static let offset = 8 * 3600

    public var date: Date { Date(timeIntervalSince1970: TimeInterval(secondsSince1970)) }

    /// A moment later by so many seconds; earlier where they are negative.
    public func adding(seconds: Int64) -> Self { Self(secondsSince1970: secondsSince1970 + seconds) }

    private var local: (day: CivilDay, second: Int) {
        let seconds = Int(secondsSince1970) + Self.offset
        let second = ((seconds % 86_400) + 86_400) % 86_400
        return (CivilDay(number: (seconds - second) / 86_400), second)
    }

    /// `YYYYMMDDhhmmss`.
    public var description: String {
        let (day, second) = local
        return [(day.year, 4), (day.month, 2), (day.day, 2), (second / 3600, 2), (second / 60 % 60, 2), (second % 60, 2)]
            .map { CivilCalendar.pad($0, $1) }.joined()
    }

    /// `MMDDhhmmss`, as `traceTime` and the reconciliation file write it.
    public var withoutYear: String { String(description.dropFirst(4)) }

    /// The day on which a transaction of this moment settles: UnionPay's day ends at 23:00, so the last hour belongs to
    /// the next one (apple-pay.md#settlement-day).
    public var settlementDay: SettlementDay { settlementDate.day }

    /// ``settlementDay`` with its year.
    public var settlementDate: SettlementDate {
        let (day, second) = local
        return SettlementDate(CivilDay(number: day.number + (second >= 23 * 3600 ? 1 : 0)))
    }

    public static func < (lhs: Self, rhs: Self) -> Bool { lhs.secondsSince1970 < rhs.secondsSince1970 }
}

/// A settlement day with its year. UnionPay never states the year, so it is derived from a moment close to the day.
public struct SettlementDate: Sendable, Hashable, Codable, CustomStringConvertible {
    /// `yyyyMMdd`.
    public let description: String
    /// What UnionPay calls it.
    public let day: SettlementDay

    init(_ civil: CivilDay) {
        description = CivilCalendar.pad(civil.year, 4) + CivilCalendar.pad(civil.month, 2) + CivilCalendar.pad(civil.day, 2)
        day = SettlementDay(civil)
    }

    /// The day of this name that lies nearest to a transaction's time.
    public init(_ day: SettlementDay, nearest time: BeijingTime) {
        let base = time.settlementDate.civil
        // One of three years has it. The leap day alone may be missing from them, and from up to seven years in a row.
        let close = (base.year - 1...base.year + 1).compactMap { day.civil(in: $0) }
        let candidates = close.isEmpty ? (base.year - 8...base.year + 8).compactMap { day.civil(in: $0) } : close
        self.init(candidates.min { abs($0.number - base.number) < abs($1.number - base.number) } ?? base)
    }

    /// The latest day of this name that is at most a week ahead of `time`: what a caller means who leaves the year out.
    public init(_ day: SettlementDay, latestAt time: BeijingTime) {
        let base = time.settlementDate.civil
        let candidates = (base.year - 8...base.year + 1).compactMap { day.civil(in: $0) }
        self.init(candidates.last { $0.number <= base.number + 7 } ?? base)
    }

    /// Reads `yyyyMMdd`; `invalid-field` when there is no such day.
    public init(_ text: String) throws(UnionPayError) {
        let time = try BeijingTime(text + "000000")
        self = time.settlementDate
    }

    private var civil: CivilDay {
        let digits = description.utf8.map { Int($0) - 48 }
        func number(_ range: Range<Int>) -> Int { digits[range].reduce(0) { $0 * 10 + $1 } }
        return CivilDay(year: number(0..<4), month: number(4..<6), day: number(6..<8))
    }
}

/// A settlement day as `settleDate` names it, `MMDD`: without its year; see ``SettlementDate``.
public struct SettlementDay: Sendable, Hashable, Codable, CustomStringConvertible {
    /// `MMDD`.
    public let description: String

    init(_ day: CivilDay) { description = CivilCalendar.pad(day.month, 2) + CivilCalendar.pad(day.day, 2) }

    /// Reads `MMDD`; `invalid-field` when there is no such day in any year.
    public init(_ text: String) throws(UnionPayError) {
        let digits = Array(text.utf8)
        guard digits.count == 4, digits.allSatisfy({ (48...57).contains($0) }) else {
            throw UnionPayError(code: .invalidField, reason: "a settlement date is not four digits")
        }
        let month = Int(digits[0] - 48) * 10 + Int(digits[1] - 48)
        let day = Int(digits[2] - 48) * 10 + Int(digits[3] - 48)
        // 2024 is a leap year, so 0229 is accepted.
        let civil = CivilDay(number: CivilDay(year: 2024, month: max(month, 1), day: day).number)
        guard (1...12).contains(month), civil.month == month, civil.day == day else {
            throw UnionPayError(code: .invalidField, reason: "a settlement date names no real day")
        }
        description = text
    }

    /// The day of this name in a year, where that year has one.
    func civil(in year: Int) -> CivilDay? {
        let digits = description.utf8.map { Int($0) - 48 }
        let civil = CivilDay(year: year, month: digits[0] * 10 + digits[1], day: digits[2] * 10 + digits[3])
        return CivilDay(number: civil.number) == civil ? civil : nil
    }
}

/// A day of the proleptic Gregorian calendar.
struct CivilDay: Sendable, Hashable {
    var year: Int
    var month: Int
    var day: Int

    init(year: Int, month: Int, day: Int) {
        self.year = year
        self.month = month
        self.day = day
    }

    init(number: Int) { (year, month, day) = CivilCalendar.date(number) }

    /// Days since 1970-01-01.
    var number: Int { CivilCalendar.dayNumber(year: year, month: month, day: day) }
}
