import AlipayPlus
import AlipayPlusValues
import BillfoldMoney
import BillfoldStorage
import Synchronization

/// All rates, read once per generation of theirs.
struct RateTable: Sendable {
    private struct Published {
        var rate: ExactDecimal
        var since: Timestamp
    }

    /// By currency, the latest first. A handful: looking through them is quicker than hashing.
    private var published: [(currency: Currency, rates: [Published])]
    private let crossRates = CrossRates()

    init(reading tx: any Transaction) throws {
        // A dollar costs a dollar.
        published = [(.usd, [Published(rate: try ExactDecimal("1"), since: Timestamp(microseconds: 0))])]
        for row in try DollarRateRecords.all(in: tx) {
            if published.last?.currency != row.currency { published.append((row.currency, [])) }
            published[published.count - 1].rates.append(Published(rate: row.rate, since: row.since))
        }
    }

    private func current(_ currency: Currency, at now: Timestamp) -> Published? {
        published.first { $0.currency == currency }?.rates.first { $0.since <= now }
    }

    /// What turns one currency into another, and since when; nil where they are one. `CURRENCY_NOT_SUPPORT` where a rate is missing.
    func rate(_ base: Currency, _ target: Currency, at now: Timestamp) throws -> (rate: ExchangeRate, since: Timestamp)? {
        guard base != target else { return nil }
        guard let from = current(base, at: now), let to = current(target, at: now) else {
            throw ResultRefusal(.currencyNotSupport, "there is no rate from \(base) to \(target)")
        }
        let since = max(from.since, to.since)
        let rate = try crossRates.rate(.init(base: base, target: target, baseSince: from.since, targetSince: to.since)) {
            try ExchangeRate(
                base: base, quote: target, rate: try Quotes.price(from.rate, to.rate),
                source: "\(base)\(target)\(since.microseconds / 1_000_000)")
        }
        return (rate, since)
    }

    /// The quote that turns one currency into another; nil where they are one. `CURRENCY_NOT_SUPPORT` where a rate is missing.
    func quote(_ base: Currency, _ target: Currency, at now: Timestamp) throws -> WireQuote? {
        guard let (rate, since) = try rate(base, target, at: now) else { return nil }
        return WireQuote(
            rate, quoteId: rate.source, from: since.alipayPlusTime, until: now.alipayPlusTime.adding(seconds: Quotes.validity))
    }
}

/// What two published rates make of each other, worked out once.
private final class CrossRates: Sendable {
    struct Pair: Hashable {
        var base, target: Currency
        var baseSince, targetSince: Timestamp
    }

    private let known = Mutex<[Pair: ExchangeRate]>([:])

    func rate(_ pair: Pair, make: () throws -> ExchangeRate) throws -> ExchangeRate {
        if let known = known.withLock({ $0[pair] }) { return known }
        let made = try make()
        known.withLock { $0[pair] = made }
        return made
    }
}

/// Holds the table of the last generation that was seen.
final class RateRegister: Sendable {
    private let held = Mutex<(generation: Int64, table: RateTable)?>(nil)

    /// The rates as the store has them now.
    func table(in tx: any Transaction) throws -> RateTable { try table(of: Generations(reading: tx), in: tx) }

    /// The rates as they are in a transaction that has read the generations first.
    func table(of generations: Generations, in tx: any Transaction) throws -> RateTable {
        if let held = held.withLock({ $0 }), held.generation == generations.rates { return held.table }
        let table = try RateTable(reading: tx)
        held.withLock { $0 = (generations.rates, table) }
        return table
    }
}
