package import BillfoldWeb

/// `/gateway`: the order gateway's trades, the notifications that were given up, and the refunds that no wallet has credited.
package struct OrderGatewayPage: Sendable {
    package let frame: PageFrame
    package let overview: OrderGatewayOverview
    /// Whether the reader may have notifications and refunds sent again.
    package let offersReplay: Bool
    let notifications: [NotificationView]
    let what = NotificationPlace.orderGateway.what
    let noNotifications = "None: every merchant was told, or is still being told."

    static let styles = ["console/ledger.css"]
    static let scripts = ["console/resend.js"]

    package init(frame: PageFrame = PageFrame(), overview: OrderGatewayOverview, offersReplay: Bool = false) {
        self.frame = frame
        self.overview = overview
        self.offersReplay = offersReplay
        notifications = overview.parked.map { $0.shown(isOffered: offersReplay, at: .orderGateway) }
    }

    package func html() throws(WebError) -> String {
        try frame.render(
            "console/gateway", of: .orderGateway, title: "Order gateway", path: "/gateway", styles: Self.styles, scripts: Self.scripts, self
        )
    }
}

/// `/gateway/trades/{number}`: one trade.
package struct OrderGatewayTradePage: Sendable {
    package let frame: PageFrame
    package private(set) var view: OrderGatewayTradeView
    /// Whether the reader may have notifications sent again, and ask for payouts.
    package let offersReplay: Bool
    let what = NotificationPlace.orderGateway.what
    let noNotifications: String

    package init(frame: PageFrame = PageFrame(), view: OrderGatewayTradeView, offersReplay: Bool = false) {
        self.frame = frame
        self.view = view
        self.view.notifications = view.notifications.map { $0.shown(isOffered: offersReplay, at: .orderGateway) }
        self.offersReplay = offersReplay
        noNotifications =
            view.paidAt == nil && view.order.status == "WAIT_BUYER_PAY"
            ? "None yet: a trade that waits for its payer is not told of." : "None: the order names no address for them."
    }

    package func html() throws(WebError) -> String {
        try frame.render(
            "console/gateway-trade", of: .orderGateway, title: view.order.outTradeNo, path: "/gateway", styles: OrderGatewayPage.styles,
            scripts: OrderGatewayPage.scripts + (offersReplay ? ["console/operators.js"] : []), self)
    }
}

extension NotificationPlace {
    static let orderGateway = Self(what: "trade", page: "/gateway/trades", api: "/api/gateway/notifications")
}
