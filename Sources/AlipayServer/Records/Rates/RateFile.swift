package import BillfoldMoney
package import BillfoldStorage

/// The day's rates as `forex_rate_file` gives them: lines `yyyyMMdd|HHmmss|CUR|rate`, CNY for one major unit (alipay.md#rate-file) [D].
package struct RateFile: Sendable, Hashable {
    package struct Quote: Sendable, Hashable {
        package var currency: Currency
        /// Greater than zero, in the digits it was quoted with.
        package var rate: ExactDecimal
        package var publishedAt: Timestamp

        package init(currency: Currency, rate: ExactDecimal, publishedAt: Timestamp) {
            self.currency = currency
            self.rate = rate
            self.publishedAt = publishedAt
        }
    }

    package var quotes: [Quote]

    package init(quotes: [Quote]) { self.quotes = quotes }

    /// Reads the lines. Refuses with `rate-file`, naming the line, a currency that comes twice, CNY itself, and a rate of nothing.
    package init(_ text: String) throws(AlipayServerError) {
        quotes = []
        for (index, line) in text.split(whereSeparator: \.isNewline).enumerated() {
            let invalid = AlipayServerError(code: .rateFile, reason: "line \(index + 1) is not yyyyMMdd|HHmmss|CUR|rate")
            let parts = line.split(separator: "|", omittingEmptySubsequences: false)
            guard parts.count == 4, let day = ChinaTime.range(ofDay: parts[0]), parts[1].utf8.count == 6,
                let time = Int64(parts[1]), time >= 0, time / 10_000 < 24, time / 100 % 100 < 60, time % 100 < 60,
                let currency = try? Currency(String(parts[2])), currency.alphabeticCode != "CNY",
                let rate = try? ExactDecimal(String(parts[3])), rate.significand > 0, !quotes.contains(where: { $0.currency == currency })
            else { throw invalid }
            let seconds = time / 10_000 * 3_600 + time / 100 % 100 * 60 + time % 100
            quotes.append(Quote(currency: currency, rate: rate, publishedAt: day.lowerBound.advanced(by: .seconds(seconds))))
        }
        guard !quotes.isEmpty else { throw AlipayServerError(code: .rateFile, reason: "the file holds no rate") }
    }

    package var text: String {
        quotes.map { quote in
            let time = ChinaTime.compact(quote.publishedAt)
            return "\(time.prefix(8))|\(time.suffix(6))|\(quote.currency)|\(quote.rate)\n"
        }.joined()
    }
}
