package import BillfoldWeb

/// `/gateway`: the order gateway's trades, the notifications that were given up, and the refunds that no wallet has credited.
package struct GatewayPage: Sendable {
    package var frame: PageFrame
    package var overview: GatewayOverview
    /// Whether the reader may have notifications and refunds sent again.
    package var offersReplay: Bool

    static let styles = ["console/ledger.css"]
    static let scripts = ["console/resend.js"]

    package init(frame: PageFrame = PageFrame(), overview: GatewayOverview, offersReplay: Bool = false) {
        self.frame = frame
        self.overview = overview
        self.offersReplay = offersReplay
    }

    package func html() throws(WebError) -> String {
        try frame.render(
            "console/gateway", of: .orderGateway, title: "Order gateway", path: "/gateway", styles: Self.styles, scripts: Self.scripts,
            [
                "orders": overview.orders.map(\.model), "hasOrders": !overview.orders.isEmpty,
                "merchants": overview.merchants.map {
                    ["id": $0.id, "name": $0.name, "isChosen": $0.id == overview.filter.merchant] as [String: Any]
                }, "number": overview.filter.number ?? "", "isFiltered": !overview.filter.isEmpty,
                "notifications": overview.parked.map { $0.shown(isOffered: offersReplay, at: .orderGateway) },
                "hasNotifications": !overview.parked.isEmpty, "what": NotificationPlace.orderGateway.what,
                "noNotifications": "None: every merchant was told, or is still being told.",
                "owed": overview.owed.map { $0.model(isOffered: offersReplay) }, "hasOwed": !overview.owed.isEmpty,
            ])
    }
}

/// `/gateway/trades/{number}`: one trade.
package struct GatewayTradePage: Sendable {
    package var frame: PageFrame
    package var view: GatewayTradeView
    /// Whether the reader may have notifications sent again, and ask for payouts.
    package var offersReplay: Bool

    package init(frame: PageFrame = PageFrame(), view: GatewayTradeView, offersReplay: Bool = false) {
        self.frame = frame
        self.view = view
        self.offersReplay = offersReplay
    }

    package func html() throws(WebError) -> String {
        var content: [String: Any] = [
            "order": view.order.model, "buyer": view.buyer, "payable": view.payable, "settlement": view.settlement, "fee": view.fee,
            "expiresAt": InstantText.utc(view.expiresAt), "expiresAtMachine": InstantText.machine(view.expiresAt),
            "isClosed": view.order.status == "TRADE_CLOSED", "refunds": view.refunds.map(\.model), "hasRefunds": !view.refunds.isEmpty,
            "shares": view.shares.map(\.model), "hasShares": !view.shares.isEmpty,
            "notifications": view.notifications.map { $0.shown(isOffered: offersReplay, at: .orderGateway) },
            "hasNotifications": !view.notifications.isEmpty, "what": NotificationPlace.orderGateway.what,
            "noNotifications": view.paidAt == nil && view.order.status == "WAIT_BUYER_PAY"
                ? "None yet: a trade that waits for its payer is not told of." : "None: the order names no address for them.",
            "postings": view.postings,
            "hasPostings": !view.postings.isEmpty, "currency": view.currency, "isOffered": offersReplay,
            "storyPath": "/stories/\(PathSegment.encoded("alipay.trade:" + view.order.tradeNo))",
        ]
        content["rate"] = view.rate
        content["paidAt"] = view.paidAt.map(InstantText.utc)
        content["paidAtMachine"] = view.paidAt.map(InstantText.machine)
        return try frame.render(
            "console/gateway-trade", of: .orderGateway, title: view.order.outTradeNo, path: "/gateway", styles: GatewayPage.styles,
            scripts: GatewayPage.scripts + (offersReplay ? ["console/operators.js"] : []), content)
    }
}

extension GatewayOverview.Order {
    var model: [String: Any] {
        var model: [String: Any] = [
            "tradeNo": tradeNo, "outTradeNo": outTradeNo, "merchant": merchant, "merchantName": merchantName, "subject": subject,
            "price": price, "state": StateWord(Self.words[status] ?? status), "status": status,
            "madeAt": InstantText.utc(madeAt), "madeAtMachine": InstantText.machine(madeAt),
            "path": "/gateway/trades/\(PathSegment.encoded(tradeNo))",
        ]
        model["refunded"] = refunded
        return model
    }

    private static let words = [
        "WAIT_BUYER_PAY": "open", "TRADE_SUCCESS": "paid", "TRADE_FINISHED": "done", "TRADE_CLOSED": "closed",
    ]
}

extension GatewayOverview.OwedRefund {
    fileprivate func model(isOffered: Bool) -> [String: Any] {
        var model: [String: Any] = [
            "id": id, "merchantName": merchantName, "tradeNo": tradeNo, "tradePath": "/gateway/trades/\(PathSegment.encoded(tradeNo))",
            "requestNo": requestNo, "amount": amount, "wallet": wallet, "attempts": attempts,
            "told": attempts == 1 ? "told once" : "told \(attempts) times", "state": StateWord(isGivenUp ? "given up" : "waiting"),
            "bookedAt": InstantText.utc(bookedAt), "bookedAtMachine": InstantText.machine(bookedAt), "isOffered": isOffered,
            "resendPath": "/api/gateway/refunds/\(PathSegment.encoded(merchant))/\(PathSegment.encoded(id))/resend",
        ]
        model["note"] = note.isEmpty ? nil : note
        return model
    }
}

extension GatewayTradeView.Refund {
    fileprivate var model: [String: Any] {
        var model: [String: Any] = [
            "requestNo": requestNo, "amount": amount, "payable": payable, "settlement": settlement, "route": route,
            "state": StateWord(state), "at": InstantText.utc(at), "atMachine": InstantText.machine(at),
        ]
        model["fee"] = fee.isEmpty ? nil : fee
        model["reason"] = reason.isEmpty ? nil : reason
        model["failure"] = failure
        model["creditedAt"] = creditedAt.map(InstantText.utc)
        model["creditedAtMachine"] = creditedAt.map(InstantText.machine)
        return model
    }
}

extension GatewayTradeView.Share {
    fileprivate var model: [String: Any] {
        var model: [String: Any] = ["receiver": receiver, "amount": amount, "note": note]
        model["takenBack"] = takenBack
        return model
    }
}

extension NotificationPlace {
    static let orderGateway = Self(what: "trade", page: "/gateway/trades", api: "/api/gateway/notifications")
}
