import Alipay
import BillfoldArchive
import BillfoldMoney
import BillfoldPayments
import BillfoldStorage
import PaymentCrypto

/// Bills: a zip of GBK CSV files under an address that is good for half a minute (alipay.md#bills) [D].
///
/// The address carries what it stands for and a code under a key of the gateway's: nothing of it is stored.
struct Bills: Sendable {
    let context: AlipayServerContext

    static let path = "/bill"
    private static let purpose = "alipay-bill"

    private static func refusal(_ code: String, _ reason: String) -> ModernRefusal { .business(code, reason) }

    /// Refuses with the documented codes what has no bill.
    func address(type: String, date: String, of merchant: MerchantID) async throws -> String {
        guard type == "trade" || type == "signcustomer" else {
            throw Self.refusal("INVAILID_ARGUMENTS", "bill_type is trade or signcustomer")
        }
        let now = context.clock.now()
        guard let period = Self.period(date) else {
            throw Self.refusal("INVAILID_ARGUMENTS", "bill_date is yyyy-MM-dd or yyyy-MM")
        }
        // A day's bill is there the next day from 10:00, a month's on the third (alipay.md#bills) [D].
        let isMonth = date.utf8.count == 7
        let ready = period.upperBound.advanced(by: .seconds(isMonth ? 2 * 86_400 : 10 * 3_600))
        guard ready <= now, period.lowerBound > now.advanced(by: .seconds(-30 * 31 * 86_400)) else {
            throw Self.refusal("BILL_NOT_EXIST", "there is no bill of this time yet, or no more")
        }
        let isEmpty = try await context.database.read { tx in
            try TradeRecords.paid(merchant, in: period, limit: 1, in: tx).isEmpty
                && RefundRecords.booked(merchant, in: period, limit: 1, in: tx).isEmpty
                && (type == "trade" || PayoutRecords.made(merchant, in: period, limit: 1, in: tx).isEmpty)
        }
        guard !isEmpty else { throw Self.refusal("NO_BILL_DATA", "nothing is in a bill of this time") }
        let end = now.advanced(by: context.configuration.billLifetime)
        let claim = "\(merchant)_\(type)_\(date)_\(end.microseconds)"
        return "\(context.configuration.origin)\(Self.path)/\(claim)_\(code(claim))"
    }

    private static func period(_ date: String) -> Range<Timestamp>? {
        switch date.utf8.count {
        case 10: ChinaTime.range(ofDay: date)
        case 7: ChinaTime.range(ofMonth: date)
        default: nil
        }
    }

    private func code(_ claim: String) -> String {
        Hexadecimal.encode(KeyedHash(of: claim.utf8, purpose: Self.purpose, key: context.configuration.keys.hashing).bytes)
    }

    /// The zip that an address stands for; `nil` where it was never given out, or its time is over. `bill-too-large`.
    func file(_ token: String) async throws -> (name: String, bytes: [UInt8])? {
        let parts = token.split(separator: "_", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 5, let code = try? Hexadecimal.decode(parts[4]) else { return nil }
        let claim = parts.prefix(4).joined(separator: "_")
        let expected = KeyedHash(of: claim.utf8, purpose: Self.purpose, key: context.configuration.keys.hashing)
        guard expected.matches(KeyedHash(stored: code)), let end = Int64(parts[3]), context.clock.now().microseconds < end,
            let merchant = try? MerchantID(parts[0]), let period = Self.period(parts[2])
        else { return nil }
        var bill = BillText(
            merchant: merchant, period: parts[2], isAccount: parts[1] != "trade", limit: context.configuration.mostFileBytes)
        let pages = BookPages(context)
        try await pages.payments(of: merchant, in: period) { trade, order in try bill.add(trade, order) }
        try await pages.refunds(of: merchant, in: period) { refund, trade in try bill.add(refund, trade) }
        if bill.isAccount { try await pages.payouts(of: merchant, in: period) { payout in try bill.add(payout) } }
        let stem = "\(merchant)_\(parts[2].filter { $0 != "-" })"
        let archive = ZipArchive(entries: [
            .init(name: "\(stem)_details.csv", bytes: bill.file),
            .init(name: "\(stem)_summary.csv", bytes: bill.summary),
        ])
        return ("\(stem).csv.zip", try archive.packed())
    }
}
