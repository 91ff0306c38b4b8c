/// `/webhooks`: every endpoint at which a back end is told of events.
package struct WebhooksPage: Sendable {
    package let frame: PageFrame
    package let books: [WebhookBook]

    static let styles = ["console/ledger.css"]

    package init(frame: PageFrame = PageFrame(), books: [WebhookBook]) {
        self.frame = frame
        self.books = books
    }

    package func html() throws(WebError) -> String {
        try frame.render("console/webhooks", title: "Webhooks", path: PageFrame.webhooksLink.path, styles: Self.styles, self)
    }
}

/// `/webhooks/{office}/{owner}`: one owner's endpoints and events.
package struct WebhookOwnerPage: Sendable {
    package let frame: PageFrame
    package let list: WebhookEventList

    package init(frame: PageFrame = PageFrame(), list: WebhookEventList) {
        self.frame = frame
        self.list = list
    }

    package func html() throws(WebError) -> String {
        try frame.render(
            "console/webhook-owner", title: "Events of \(list.book.owner.id)", path: PageFrame.webhooksLink.path,
            styles: WebhooksPage.styles, self)
    }
}

/// `/webhooks/{office}/{owner}/events/{event}`: one event.
package struct WebhookEventPage: Sendable {
    package let frame: PageFrame
    package let view: WebhookEventView

    /// - Parameter offersResend: Whether the reader may have it told again.
    package init(frame: PageFrame = PageFrame(), view: WebhookEventView, offersResend: Bool = false) {
        self.frame = frame
        var view = view
        view.tellings = view.tellings.map { $0.shown(isOffered: offersResend) }
        self.view = view
    }

    package func html() throws(WebError) -> String {
        try frame.render(
            "console/webhook-event", title: "\(view.type), \(view.name)", path: PageFrame.webhooksLink.path, styles: WebhooksPage.styles,
            scripts: ["console/resend.js"], self)
    }
}
