package import BillfoldWeb

/// `/gateway/books`: a day's books of gateway and wallet, and where they differ.
package struct GatewayBooksPage: Sendable {
    package var frame: PageFrame
    package var books: GatewayBooks

    /// More lines are not drawn; the API has them all.
    private static let mostLines = 500

    package init(frame: PageFrame = PageFrame(), books: GatewayBooks) {
        self.frame = frame
        self.books = books
    }

    package func html() throws(WebError) -> String {
        let differences = books.lines.filter(\.verdict.isDifference)
        let others = books.lines.filter { !$0.verdict.isDifference }
        var content: [String: Any] = [
            "day": books.day, "wallet": books.wallet,
            "wallets": books.wallets.map { ["id": $0, "isChosen": $0 == books.wallet] as [String: Any] },
            "hasWallets": books.wallets.count > 1, "isRead": books.problem == nil,
            "totals": books.totals.map {
                ["party": $0.party, "payments": $0.payments, "paid": $0.paid, "refunds": $0.refunds, "givenBack": $0.givenBack]
                    as [String: Any]
            },
            "differences": differences.prefix(Self.mostLines).map(\.model), "hasDifferences": !differences.isEmpty,
            "count": differences.count == 1 ? "1 difference" : "\(differences.count) differences",
            "others": others.prefix(Self.mostLines).map(\.model), "hasOthers": !others.isEmpty, "isEmpty": books.lines.isEmpty,
            "path": "/api/gateway/books?day=\(PathSegment.encoded(books.day))&wallet=\(PathSegment.encoded(books.wallet))",
        ]
        content["problem"] = books.problem
        if books.lines.count > Self.mostLines * 2 { content["rest"] = "Not every line is drawn." }
        return try frame.render(
            "console/gateway-books", of: .orderGateway, title: "Books of \(books.day)", path: "/gateway", styles: ["console/ledger.css"],
            content)
    }
}

extension GatewayBooks.Line {
    var model: [String: Any] {
        var model: [String: Any] = ["kind": kind, "requestId": requestId, "word": verdict.word, "mark": verdict.mark, "tells": tells]
        model["gateway"] = gateway?.model
        model["wallet"] = wallet?.model
        if let number = gateway?.tradeNo ?? wallet?.tradeNo {
            model["tradeNo"] = number
            model["tradePath"] = "/gateway/trades/\(PathSegment.encoded(number))"
        }
        return model
    }

    /// In words for people, with what to do about it.
    private var tells: String {
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

extension GatewayBooks.Verdict {
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

extension GatewayBooks.Entry {
    fileprivate var amount: String { "\(value) \(currency)" }
    fileprivate var model: [String: Any] {
        ["amount": amount, "at": InstantText.utc(at * 1_000), "atMachine": InstantText.machine(at * 1_000)]
    }
}
