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
