package import BillfoldWeb

/// `/gateway/books`: a day's books of gateway and wallet, and where they differ.
package struct OrderGatewayBooksPage: Sendable {
    package var frame: PageFrame
    package var books: OrderGatewayBooks

    /// More lines are not drawn; the API has them all.
    private static let mostLines = 500

    package init(frame: PageFrame = PageFrame(), books: OrderGatewayBooks) {
        self.frame = frame
        self.books = books
    }

    package func html() throws(WebError) -> String {
        try frame.render(
            "console/gateway-books", of: .orderGateway, title: "Books of \(books.day)", path: "/gateway", styles: ["console/ledger.css"],
            Values(books))
    }

    private struct Values {
        struct Wallet {
            var id: String
            var isChosen: Bool
        }

        var day: String
        var walletID: String
        var wallets: [Wallet]
        var hasWallets: Bool
        var problem: String?
        var totals: [OrderGatewayBooks.Total]
        var differences: [Line]
        /// Of the differences.
        var count: String
        var others: [Line]
        var rest: String?
        var path: String

        init(_ books: OrderGatewayBooks) {
            (day, walletID, problem, totals) = (books.day, books.wallet, books.problem, books.totals)
            wallets = books.wallets.map { Wallet(id: $0, isChosen: $0 == books.wallet) }
            hasWallets = wallets.count > 1
            let differing = books.lines.filter(\.verdict.isDifference)
            differences = differing.prefix(OrderGatewayBooksPage.mostLines).map(Line.init)
            count = differing.count == 1 ? "1 difference" : "\(differing.count) differences"
            others = books.lines.filter { !$0.verdict.isDifference }.prefix(OrderGatewayBooksPage.mostLines).map(Line.init)
            rest = books.lines.count > OrderGatewayBooksPage.mostLines * 2 ? "Not every line is drawn." : nil
            path = "/api/gateway/books?day=\(PathSegment.encoded(books.day))&wallet=\(PathSegment.encoded(books.wallet))"
        }
    }

    private struct Line {
        struct Entry {
            var amount: String
            var at: InstantText

            init(_ entry: OrderGatewayBooks.Entry) { (amount, at) = (entry.amount, InstantText(entry.at * 1_000)) }
        }

        var kind: String
        var requestId: String
        var word: String
        var mark: String
        var tells: String
        var gateway: Entry?
        var wallet: Entry?
        var tradeNo: String?
        var tradePath: String?

        init(_ line: OrderGatewayBooks.Line) {
            (kind, requestId, tells) = (line.kind, line.requestId, line.tells)
            (word, mark) = (line.verdict.word, line.verdict.mark)
            (gateway, wallet) = (line.gateway.map(Entry.init), line.wallet.map(Entry.init))
            tradeNo = line.gateway?.tradeNo ?? line.wallet?.tradeNo
            tradePath = tradeNo.map(OrderGatewayOverview.path)
        }
    }
}

extension OrderGatewayBooks.Line {
    /// In words for people, with what to do about it.
    fileprivate var tells: String {
        switch verdict {
        case .equal: "Both sides have it alike."
        case .otherDay: "Both sides have it alike; one of them counts it to another day."
        case .underWay: "The gateway has booked it and tells the wallet until the customer has it."
        case .differs:
            gateway?.tradeNo != wallet?.tradeNo
                ? "The two sides have it under different trades."
                : "The gateway has \(gateway?.amount ?? ""), the wallet \(wallet?.amount ?? "")."
        case .gatewayAlone:
            kind == "payment"
                ? "The gateway was paid and the wallet has not settled it: the wallet asks until it knows. If it stays, look at the wallet’s outbox."
                : "The gateway believes that the wallet gave it back, and the wallet has no such refund."
        case .walletAlone: "The wallet has it and the gateway knows of no such \(kind)."
        }
    }
}

extension OrderGatewayBooks.Verdict {
    fileprivate var word: String {
        switch self {
        case .equal: "equal"
        case .otherDay: "on another day"
        case .underWay: "under way"
        case .differs: "differs"
        case .gatewayAlone: "gateway alone"
        case .walletAlone: "wallet alone"
        }
    }

    fileprivate var mark: String {
        switch self {
        case .equal: "mark-done"
        case .otherDay, .underWay: "mark-open"
        case .differs, .gatewayAlone, .walletAlone: "mark-bad"
        }
    }
}

extension OrderGatewayBooks.Entry {
    fileprivate var amount: String { "\(value) \(currency)" }
}
