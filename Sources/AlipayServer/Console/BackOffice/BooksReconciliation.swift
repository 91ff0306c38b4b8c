import BillfoldJSON
import BillfoldMoney

/// Compares a day's entries of the gateway with those of a wallet: values only.
struct BooksReconciliation {
    /// The gateway's entries of the day.
    var gateway: [WalletBooks.Entry]
    /// The wallet's.
    var wallet: [WalletBooks.Entry]
    /// What the gateway has, on other days, of the wallet's entries that it has not on this day.
    var elsewhereAtGateway: [WalletBooks.Entry] = []
    /// What the wallet has on other days.
    var elsewhereAtWallet: [WalletBooks.Entry] = []
    /// The gateway's requests of refunds whose wallet has not confirmed them.
    var underWay: Set<String> = []

    private struct Key: Hashable {
        var kind: String
        var requestID: String
        init(_ entry: WalletBooks.Entry) { (kind, requestID) = (entry.kind, entry.requestId) }
    }

    /// One line for each entry of either side, in the order of time. An entry that one side has twice is its own alone once.
    var lines: [OrderGatewayBooks.Line] {
        var theirs = Dictionary(grouping: wallet, by: Key.init)
        var later = Dictionary(grouping: elsewhereAtWallet, by: Key.init)
        var lines: [(at: Int64, line: OrderGatewayBooks.Line)] = []
        func add(ours: WalletBooks.Entry?, theirs: WalletBooks.Entry?, as verdict: OrderGatewayBooks.Verdict) {
            guard let named = ours ?? theirs else { return }
            let line = OrderGatewayBooks.Line(
                kind: named.kind, requestId: named.requestId, gateway: ours.map(Self.shown), wallet: theirs.map(Self.shown),
                verdict: verdict)
            lines.append((at: named.at, line: line))
        }
        for entry in gateway {
            let key = Key(entry)
            if let match = Self.take(&theirs, key) {
                add(ours: entry, theirs: match, as: Self.isSame(entry, match) ? .equal : .differs)
            } else if let match = Self.take(&later, key) {
                add(ours: entry, theirs: match, as: Self.isSame(entry, match) ? .otherDay : .differs)
            } else {
                add(ours: entry, theirs: nil, as: underWay.contains(entry.requestId) ? .underWay : .gatewayAlone)
            }
        }
        var earlier = Dictionary(grouping: elsewhereAtGateway, by: Key.init)
        for entry in theirs.values.flatMap({ $0 }) {
            if let match = Self.take(&earlier, Key(entry)) {
                add(ours: match, theirs: entry, as: Self.isSame(match, entry) ? .otherDay : .differs)
            } else {
                add(ours: nil, theirs: entry, as: .walletAlone)
            }
        }
        return lines.sorted { ($0.at, $0.line.requestId) < ($1.at, $1.line.requestId) }.map { $0.line }
    }

    /// What an entry of this day needs to be looked for elsewhere: the other side has none of it on the day.
    static func missing(_ entries: [WalletBooks.Entry], in others: [WalletBooks.Entry]) -> [WalletBooks.Entry] {
        let known = Set(others.map(Key.init))
        return entries.filter { !known.contains(Key($0)) }
    }

    static func total(_ party: String, _ entries: [WalletBooks.Entry]) throws -> OrderGatewayBooks.Total {
        func sum(_ kind: String) throws -> (count: Int, text: String) {
            let amounts = try entries.filter { $0.kind == kind }.map { entry in
                try Amount(entry.amount.value, currency: Currency(entry.amount.currency), fraction: .exact)
            }
            return (amounts.count, try Amount.sum(amounts, currency: .cny).description)
        }
        let (paid, back) = (try sum("payment"), try sum("refund"))
        return OrderGatewayBooks.Total(party: party, payments: paid.count, paid: paid.text, refunds: back.count, givenBack: back.text)
    }

    private static func take(_ pool: inout [Key: [WalletBooks.Entry]], _ key: Key) -> WalletBooks.Entry? {
        guard var entries = pool[key], !entries.isEmpty else { return nil }
        let first = entries.removeFirst()
        pool[key] = entries
        return first
    }

    /// Each side notes its own moment; all else has to be equal.
    private static func isSame(_ one: WalletBooks.Entry, _ other: WalletBooks.Entry) -> Bool {
        ExactText.equal(one.tradeNo, other.tradeNo) && one.amount == other.amount
    }

    private static func shown(_ entry: WalletBooks.Entry) -> OrderGatewayBooks.Entry {
        OrderGatewayBooks.Entry(tradeNo: entry.tradeNo, value: entry.amount.value, currency: entry.amount.currency, at: entry.at)
    }
}
