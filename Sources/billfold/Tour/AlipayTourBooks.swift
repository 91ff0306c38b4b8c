import BillfoldServer
import Foundation

/// The three parties' books of express orders, read as a stranger would, and their comparison.
enum AlipayBooks {
    struct Money: Sendable, Hashable, Decodable {
        var value: String
        var currency: String
    }

    /// One line of what gateway and wallet believe of each other.
    struct Entry: Sendable, Hashable, Decodable, CustomStringConvertible {
        var tradeNo: String
        var requestId: String
        var kind: String
        var amount: Money
        var at: Int64

        var description: String { "\(kind) of \(amount.value) \(amount.currency) under \(tradeNo)" }

        /// Each side notes its own moment.
        var plain: Entry {
            var entry = self
            entry.at = 0
            return entry
        }
    }

    /// A page of the books that gateway and wallet keep of each other.
    struct Link: Decodable {
        var entries: [Entry]
        var next: String?
    }

    struct Merchant: Decodable {
        struct Entry: Decodable {
            var order: String
            var tradeNo: String
            var kind: String
            var amount: Money
            var at: Int64
        }
        var entries: [Entry]
    }

    /// A member whose value does not matter.
    struct Anything: Decodable { init(from decoder: any Decoder) throws {} }

    /// Every page of what gateway and wallet believe of each other. Refuses with `key-missing`.
    ///
    /// - Parameters:
    ///   - url: With the day.
    ///   - folder: Where the parties' keys are.
    ///   - key: The file of the one that opens these books.
    static func read(_ url: String, in folder: DataFolder, key: String) async throws -> [Entry] {
        guard let bytes = folder.bytes(key) else { throw CommandFailure(.refused, code: "key-missing", reason: "\(key) was not made") }
        let bearer = String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        var books = try await TourClient.get(url, key: bearer).read(Link.self)
        while let next = books.next {
            let page = try await TourClient.get("\(url)&cursor=\(next)", key: bearer).read(Link.self)
            books.entries += page.entries
            books.next = page.next
        }
        return books.entries
    }

    /// The days in China on which something was booked: a tour may run over midnight.
    static func days(of books: Merchant) -> [String] {
        let format = Date.ISO8601FormatStyle(timeZone: TimeZone(secondsFromGMT: 8 * 3600) ?? .gmt).year().month().day()
        return Set(
            books.entries.flatMap { entry in
                // The parties' clocks were moved between the payment and its refunds.
                [entry.at, entry.at + 60_000].map { Date(timeIntervalSince1970: TimeInterval($0) / 1_000).formatted(format) }
            }
        ).sorted()
    }

    static func differences(gateway: [Entry], wallet: [Entry]) -> [String] {
        let (ours, theirs) = (Set(gateway.map(\.plain)), Set(wallet.map(\.plain)))
        return ours.subtracting(theirs).map { "the gateway alone has \($0)" }.sorted()
            + theirs.subtracting(ours).map { "the wallet alone has \($0)" }.sorted()
    }

    /// The merchant counts in the price's currency, the wallet's link in what the payer paid: amounts are compared where both are CNY.
    static func differences(merchant: [Merchant.Entry], gateway: [Entry]) -> [String] {
        func lines(_ entries: some Sequence<(trade: String, kind: String, money: Money)>, foreign: Set<String>) -> [String: Int] {
            Dictionary(
                entries.map { ("\($0.kind) of \(foreign.contains($0.trade) ? "" : $0.money.value) under \($0.trade)", 1) },
                uniquingKeysWith: +)
        }
        let foreign = Set(merchant.filter { $0.amount.currency != "CNY" }.map(\.tradeNo))
        let ours = lines(merchant.map { ($0.tradeNo, $0.kind, $0.amount) }, foreign: foreign)
        let theirs = lines(gateway.map { ($0.tradeNo, $0.kind, $0.amount) }, foreign: foreign)
        return Set(ours.keys).union(theirs.keys).sorted().filter { ours[$0] != theirs[$0] }.map {
            "\($0): booked \(ours[$0] ?? 0) times by the merchant, \(theirs[$0] ?? 0) times by the gateway"
        }
    }
}
