package import BillfoldWeb

/// `/acquiring`: the acquiring gateway's payments, alarms, and the notifications that were given up.
package struct AcquiringPage: Sendable {
    package var frame: PageFrame
    package var overview: AcquiringOverview
    /// Whether the reader may replay notifications, and deal with alarms.
    package var offersReplay: Bool
    /// Whether the reader may ask for what a second person approves.
    package var offersRequests: Bool

    static let styles = ["console/ledger.css"]
    static let scripts = ["console/resend.js"]

    package init(
        frame: PageFrame = PageFrame(), overview: AcquiringOverview, offersReplay: Bool = false, offersRequests: Bool = false
    ) {
        self.frame = frame
        self.overview = overview
        self.offersReplay = offersReplay
        self.offersRequests = offersRequests
    }

    package func html() throws(WebError) -> String {
        try frame.render(
            "console/acquiring", of: .acquiring, title: "Acquiring", path: "/acquiring", styles: Self.styles,
            scripts: Self.scripts + ["console/operators.js"],
            [
                "payments": overview.payments.map(\.model), "hasPayments": !overview.payments.isEmpty, "number": overview.number ?? "",
                "isFiltered": overview.number != nil,
                "alarms": overview.alarms.map { $0.model(mayAct: offersReplay, mayAsk: offersRequests) },
                "hasAlarms": !overview.alarms.isEmpty,
                "notifications": overview.parked.map { $0.shown(isOffered: offersReplay, at: .acquiring) },
                "hasNotifications": !overview.parked.isEmpty, "what": NotificationPlace.acquiring.what,
                "noNotifications": "None: every acquirer was told, or is still being told.",
            ])
    }
}

/// `/acquiring/payments/{id}`: one payment.
package struct AcquiringPaymentPage: Sendable {
    package var frame: PageFrame
    package var view: AcquiringPaymentView
    /// Whether the reader may replay notifications.
    package var offersReplay: Bool

    package init(frame: PageFrame = PageFrame(), view: AcquiringPaymentView, offersReplay: Bool = false) {
        self.frame = frame
        self.view = view
        self.offersReplay = offersReplay
    }

    package func html() throws(WebError) -> String {
        var content: [String: Any] = [
            "payment": view.payment.model, "expiresAt": InstantText.utc(view.expiresAt),
            "expiresAtMachine": InstantText.machine(view.expiresAt),
            "identifiers": view.identifiers.map { ["name": $0.name, "giver": $0.giver, "value": $0.value] },
            "legs": view.legs.map(\.model), "hasLegs": !view.legs.isEmpty, "refunds": view.refunds.map(\.model),
            "hasRefunds": !view.refunds.isEmpty, "choices": view.choices.map(\.model), "hasChoices": !view.choices.isEmpty,
            "notifications": view.notifications.map { $0.shown(isOffered: offersReplay, at: .acquiring) },
            "hasNotifications": !view.notifications.isEmpty, "what": NotificationPlace.acquiring.what,
            "noNotifications": view.payment.state == "processing"
                ? "None yet: a payment that is not final is not told of." : "None: no address for them is known.",
            "postings": view.postings,
            "hasPostings": !view.postings.isEmpty,
            "storyPath": "/stories/\(PathSegment.encoded("alipay-plus.payment:" + view.payment.paymentID))",
        ]
        content["failure"] = view.failure
        content["settlement"] = view.settlement
        content["paidAt"] = view.paidAt.map(InstantText.utc)
        content["paidAtMachine"] = view.paidAt.map(InstantText.machine)
        return try frame.render(
            "console/acquiring-payment", of: .acquiring, title: view.payment.requestID, path: "/acquiring", styles: AcquiringPage.styles,
            scripts: AcquiringPage.scripts, content)
    }
}

extension AcquiringOverview.Payment {
    fileprivate var model: [String: Any] {
        var model: [String: Any] = [
            "paymentID": paymentID, "requestID": requestID, "acquirer": acquirer, "merchantName": merchantName, "scenario": scenario,
            "amount": amount, "state": StateWord(Self.words[state] ?? state), "wallet": wallet, "madeAt": InstantText.utc(madeAt),
            "madeAtMachine": InstantText.machine(madeAt), "path": "/acquiring/payments/\(PathSegment.encoded(paymentID))",
        ]
        model["refunded"] = refunded
        return model
    }

    private static let words = ["processing": "open", "success": "paid", "failed": "failed", "cancelled": "closed"]
}

extension AcquiringOverview.Alarm {
    fileprivate func model(mayAct: Bool, mayAsk: Bool) -> [String: Any] {
        let alarm = [acquirer, kind, subject].map(PathSegment.encoded).joined(separator: "/")
        return [
            "paymentID": paymentID, "path": "/acquiring/payments/\(PathSegment.encoded(paymentID))", "kind": kind, "note": note,
            "raisedAt": InstantText.utc(raisedAt), "raisedAtMachine": InstantText.machine(raisedAt), "acquirer": acquirer,
            "subject": subject, "title": Self.titles[kind] ?? kind, "step": "/api/acquiring/alarms/\(alarm)/\(step.rawValue)",
            "mayAct": mayAct, "mayAsk": mayAsk && step == .retry, "remarkLabel": step == .retry ? "Why again" : "What was done about it",
            "button": step == .retry ? "Ask the wallet again" : "Clear the alarm",
        ]
    }

    private static let titles = [
        "leg-stuck": "A wallet keeps what is not wanted", "refund-refused": "A wallet does not take a refund",
        "amount-differs": "A wallet speaks of another amount",
    ]
}

extension AcquiringPaymentView.Leg {
    fileprivate var model: [String: Any] {
        [
            "wallet": wallet, "state": state, "requestID": requestID, "walletPaymentID": walletPaymentID ?? "", "payable": payable,
            "at": InstantText.utc(at), "atMachine": InstantText.machine(at),
        ]
    }
}

extension AcquiringPaymentView.Refund {
    fileprivate var model: [String: Any] {
        [
            "requestID": requestID, "refundID": refundID, "amount": amount, "state": failure.map { "\(state): \($0)" } ?? state,
            "at": InstantText.utc(at), "atMachine": InstantText.machine(at),
        ]
    }
}

extension AcquiringPaymentView.Choice {
    fileprivate var model: [String: Any] {
        [
            "wallet": wallet, "name": name, "payable": payable ?? "", "offer": offer ?? "", "isOffered": obstacles.isEmpty,
            "obstacles": obstacles.map { ["text": $0] },
        ]
    }
}

extension NotificationPlace {
    static let acquiring = Self(what: "payment", page: "/acquiring/payments", api: "/api/acquiring/notifications")
}
