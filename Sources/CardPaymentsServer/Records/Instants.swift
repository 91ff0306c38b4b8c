import BillfoldPayments
import BillfoldStorage
import Foundation
import UnionPay

extension Timestamp {
    var date: Date { Date(timeIntervalSince1970: TimeInterval(microseconds) / 1_000_000) }

    var beijing: BeijingTime { BeijingTime(secondsSince1970: microseconds.quotientRoundedDown(by: 1_000_000)) }

    /// `2026-11-21T08:00:00Z`.
    var text: String { date.formatted(.iso8601) }
}

extension Date {
    /// Reads RFC 3339 to the second: a fraction is read over. `nil` for anything else, such as a day that its month does not have.
    init?(rfc3339 text: String) {
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

extension Int64 {
    fileprivate func quotientRoundedDown(by divisor: Int64) -> Int64 { (self - ((self % divisor) + divisor) % divisor) / divisor }
}

extension TransactionKey {
    /// Reads what ``description`` wrote, which is how payments are found again (`merId/orderId/txnTime`).
    init(externalKey: String) throws(UnionPayError) {
        let parts = externalKey.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map { String(Substring($0)) }
        guard parts.count >= 3 else { throw UnionPayError(code: .invalidField, reason: "a stored acquirer key is malformed") }
        self.init(merchant: try AcquirerMerchantID(parts[0]), order: try OrderID(parts[1]), time: try BeijingTime(parts[2]))
    }
}

extension SettlementDate {
    /// The day on which a stored transaction settles: the one nearest to its own time.
    init(_ day: SettlementDay, of externalKey: String) throws(UnionPayError) {
        self.init(day, nearest: try TransactionKey(externalKey: externalKey).time)
    }
}
