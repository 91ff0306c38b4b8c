package import BillfoldWeb

/// `/acquiring`: the acquiring gateway's payments, alarms, and the notifications that were given up.
package struct AcquiringPage: Sendable {
    package let frame: PageFrame
    package let overview: AcquiringOverview
    /// Whether the reader may replay notifications, and deal with alarms.
    package let offersReplay: Bool
    /// Whether the reader may ask for what a second person approves.
    package let offersRequests: Bool
    let notifications: [NotificationView]
    let what = NotificationPlace.acquiring.what
    let noNotifications = "None: every acquirer was told, or is still being told."

    static let styles = ["console/ledger.css"]
    static let scripts = ["console/resend.js"]

    package init(
        frame: PageFrame = PageFrame(), overview: AcquiringOverview, offersReplay: Bool = false, offersRequests: Bool = false
    ) {
        self.frame = frame
        self.overview = overview
        self.offersReplay = offersReplay
        self.offersRequests = offersRequests
        notifications = overview.parked.map { $0.shown(isOffered: offersReplay, at: .acquiring) }
    }

    package func html() throws(WebError) -> String {
        try frame.render(
            "console/acquiring", of: .acquiring, title: "Acquiring", path: "/acquiring", styles: Self.styles,
            scripts: Self.scripts + ["console/operators.js"], self)
    }
}

/// `/acquiring/payments/{id}`: one payment.
package struct AcquiringPaymentPage: Sendable {
    package let frame: PageFrame
    package private(set) var view: AcquiringPaymentView
    let what = NotificationPlace.acquiring.what
    let noNotifications: String

    /// - Parameter offersReplay: Whether the reader may replay notifications.
    package init(frame: PageFrame = PageFrame(), view: AcquiringPaymentView, offersReplay: Bool = false) {
        self.frame = frame
        self.view = view
        self.view.notifications = view.notifications.map { $0.shown(isOffered: offersReplay, at: .acquiring) }
        noNotifications =
            view.payment.state.word == "open"
            ? "None yet: a payment that is not final is not told of." : "None: no address for them is known."
    }

    package func html() throws(WebError) -> String {
        try frame.render(
            "console/acquiring-payment", of: .acquiring, title: view.payment.requestID, path: "/acquiring", styles: AcquiringPage.styles,
            scripts: AcquiringPage.scripts, self)
    }
}

extension NotificationPlace {
    static let acquiring = Self(what: "payment", page: "/acquiring/payments", api: "/api/acquiring/notifications")
}
