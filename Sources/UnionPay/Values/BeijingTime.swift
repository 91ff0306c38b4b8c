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
        return pad(day.year, 4) + pad(day.month, 2) + pad(day.day, 2) + pad(second / 3600, 2) + pad(second / 60 % 60, 2)
            + pad(second % 60, 2)
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
        description = pad(civil.year, 4) + pad(civil.month, 2) + pad(civil.day, 2)
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

    init(_ day: CivilDay) { description = pad(day.month, 2) + pad(day.day, 2) }

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

/// A day of the proleptic Gregorian calendar, counted from 1970-01-01.
struct CivilDay: Sendable, Hashable {
    var year: Int
    var month: Int
    var day: Int

    init(year: Int, month: Int, day: Int) {
        self.year = year
        self.month = month
        self.day = day
    }

    /// Counts in years that begin in March, so that the leap day is the last of its year.
    init(number: Int) {
        let shifted = number + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
        month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    var number: Int {
        let marchYear = month <= 2 ? year - 1 : year
        let era = (marchYear >= 0 ? marchYear : marchYear - 399) / 400
        let yearOfEra = marchYear - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }
}

func pad(_ number: Int, _ width: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, width - text.utf8.count)) + text
}
