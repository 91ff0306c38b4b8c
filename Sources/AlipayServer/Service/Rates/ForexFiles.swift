import Alipay
import BillfoldMoney
import BillfoldPayments
import BillfoldStorage
import Logging

/// The cross-border partner's files as text: rates, transactions, settlements (alipay.md#daily-files) [D].
struct ForexFiles: Sendable {
    let context: AlipayServerContext

    func rates(_ merchant: AlipayMerchant) async throws -> String {
        guard merchant.currency != nil else { throw LegacyRefusal(.hasNoPrivilege) }
        let (now, limit) = (context.clock.now(), context.configuration.rateFileCallsPerDay)
        let lifetime = context.configuration.rateLifetime
        let isAdmitted = try await context.database.writeRepeatably { tx in
            try DailyCallRecords.admit("forex_rate_file", of: merchant.partner, day: ChinaTime.dayText(now), limit: limit, in: tx)
        }
        // No code for it is documented; this is the one for a gateway that cannot answer now [I].
        guard isAdmitted else { throw LegacyRefusal(.systemError) }
        return RateFile(quotes: try await context.database.read { try RateRecords.all(at: now, within: lifetime, in: $0) }).text
    }

    /// What was paid and refunded in some days, `yyyyMMdd` in China, as the call names them.
    func transactions(of merchant: AlipayMerchant, from start: String?, to end: String?) async throws -> String {
        try await lines(of: merchant, from: start, to: end) {
            $0
        } keeping: { at, period, _ in
            period.contains(at)
        }
    }

    /// What was settled in some days.
    func settlements(of merchant: AlipayMerchant, from start: String?, to end: String?) async throws -> String {
        // A weekend's trades settle on Monday, so that they lie up to three days before (alipay.md#daily-files) [D].
        try await lines(of: merchant, from: start, to: end) {
            $0.lowerBound.advanced(by: .seconds(-4 * 86_400))..<$0.upperBound
        } keeping: { _, period, settled in
            period.contains(settled)
        }
    }

    private struct TooLong: Error {}

    private func lines(
        of seller: AlipayMerchant, from start: String?, to end: String?, looking: (Range<Timestamp>) -> Range<Timestamp>,
        keeping: (Timestamp, Range<Timestamp>, Timestamp) -> Bool
    ) async throws -> String {
        guard seller.currency != nil else { throw LegacyRefusal(.hasNoPrivilege) }
        guard let start, let end, start.utf8.count == 8, end.utf8.count == 8,
            let from = ChinaTime.range(ofDay: start), let to = ChinaTime.range(ofDay: end)
        else { return "Date format incorrect YYYYMMDD" }
        let now = context.clock.now()
        guard from.lowerBound <= to.lowerBound else { return "Finish date ahead of begin date" }
        guard to.upperBound <= now, ChinaTime.compactDay(now) != end else { return "Finish date not ahead of today" }
        let period = from.lowerBound..<to.upperBound
        guard period.upperBound <= period.lowerBound.advanced(by: .seconds(10 * 86_400)) else { return "Over 10 days to Date period" }
        let wide = looking(period)
        let merchant = seller.partner
        let pages = BookPages(context)
        var lines: [(at: Timestamp, text: String)] = []
        var room = context.configuration.mostFileBytes
        func keep(_ at: Timestamp, _ text: String) throws {
            room -= text.utf8.count + 1
            guard room >= 0 else { throw TooLong() }
            lines.append((at, text))
        }
        do {
            try await pages.payments(of: merchant, in: wide) { trade, _ in
                guard let at = trade.paidAt, keeping(at, period, Self.settlement(of: at)) else { return }
                try keep(
                    at,
                    Self.line(
                        trade.outTradeNo, amount: trade.money.settlement, at: at, type: "P", fee: trade.money.fee, remarks: "", now: now))
            }
            try await pages.refunds(of: merchant, in: wide) { refund, trade in
                guard let at = refund.bookedAt, keeping(at, period, Self.settlement(of: at)) else { return }
                let amount = Amount(minorUnits: refund.part.settlement, currency: trade.money.settlement.currency)
                let fee = Amount(minorUnits: refund.part.fee, currency: trade.money.fee.currency)
                try keep(at, Self.line(refund.requestNo, amount: amount, at: at, type: "R", fee: fee, remarks: trade.outTradeNo, now: now))
            }
        } catch is TooLong {
            context.logger.notice("a cross-border file was too long", metadata: ["partner": "\(merchant)"])
            // The documented word for what the gateway cannot do; fewer days may do (alipay.md#daily-files) [D, its use here is I].
            return "System exception"
        }
        guard !lines.isEmpty else { return "No balance account data in the period" }
        return lines.sorted { $0.at < $1.at }.map { $0.text + "\n" }.joined()
    }

    private static func line(
        _ number: String, amount: Amount, at: Timestamp, type: String, fee: Amount, remarks: String, now: Timestamp
    ) -> String {
        let settled = settlement(of: at)
        return [
            number, amount.text, amount.currency.alphabeticCode, ChinaTime.compact(at), ChinaTime.compact(settled), type, fee.text,
            settled <= now ? "L" : "P", remarks,
        ].map(column).joined(separator: "|")
    }

    /// A merchant's number with `?` for what would end its column or its line: nothing is escaped in these files.
    private static func column(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "|")) || PairText.offence(in: text) != nil else { return text }
        return String(String.UnicodeScalarView(text.unicodeScalars.map { $0 == "|" || $0.value < 0x20 ? "?" : $0 }))
    }

    /// The next day; Friday's to Sunday's is Monday (alipay.md#daily-files) [D].
    static func settlement(of at: Timestamp) -> Timestamp {
        guard let day = ChinaTime.range(ofDay: ChinaTime.dayText(at)) else { return at }
        // 1970-01-01 was a Thursday: 0 is Monday.
        let weekday = ((day.lowerBound.microseconds / 1_000_000 + 8 * 3_600) / 86_400 + 3) % 7
        return day.lowerBound.advanced(by: .seconds((weekday < 4 ? 1 : 7 - weekday) * 86_400))
    }
}
