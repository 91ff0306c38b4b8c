import BillfoldMoney

/// `/alarms`: messages that were given up, payments that need a person, and where the acquirer's file differs from the books.
package struct AlarmsPage: Sendable {
    package var frame: PageFrame
    package var list: AlarmList
    /// Whether the reader may ask for what becomes of a message that was given up.
    package var offersRequests: Bool
    /// Whether the reader may clear an alarm.
    package var offersClearing: Bool

    /// Whether merchants' payments are looked after; otherwise the page says nothing of them.
    package var looksAfterPayments: Bool

    package init(
        frame: PageFrame = PageFrame(), list: AlarmList, offersRequests: Bool = false, offersClearing: Bool = false,
        looksAfterPayments: Bool = true
    ) {
        self.frame = frame
        self.list = list
        self.offersRequests = offersRequests
        self.offersClearing = offersClearing
        self.looksAfterPayments = looksAfterPayments
    }

    package func html() throws(WebError) -> String {
        var model: [String: Any] = [
            "deadLetters": list.deadLetters.map { letter in
                var row: [String: Any] = [
                    "id": letter.id, "kind": letter.kind, "attempts": letter.attempts == 1 ? "1 attempt" : "\(letter.attempts) attempts",
                    "note": letter.note, "createdAt": InstantText.utc(letter.createdAt),
                    "createdAtMachine": InstantText.machine(letter.createdAt), "mayAsk": offersRequests,
                    "isSendable": letter.isSendable,
                ]
                row["payment"] = letter.payment
                row["orderPath"] = letter.order.map(Self.path)
                return row
            },
            "hasDeadLetters": !list.deadLetters.isEmpty,
            "alarms": list.alarms.map(Self.row), "hasAlarms": !list.alarms.isEmpty, "mayClear": offersClearing,
            "overdue": list.overdue.map(Self.row), "hasOverdue": !list.overdue.isEmpty,
            "mismatches": list.mismatches.map {
                [
                    "day": $0.day, "kind": $0.kind, "subject": $0.subject, "booked": $0.booked?.description ?? "nothing",
                    "filed": $0.filed?.description ?? "nothing",
                ]
            },
            "looksAfterTokens": list.stops != nil, "stops": (list.stops ?? []).map { $0.model(isOffered: offersClearing) },
            "hasStops": list.stops?.isEmpty == false, "looksAfterPayments": looksAfterPayments,
            "hasMismatches": !list.mismatches.isEmpty, "looksAfterWallet": list.walletPayments != nil,
            "walletPayments": (list.walletPayments ?? []).map {
                $0.model(mayAsk: offersRequests, mayClear: offersClearing)
            }, "hasWalletPayments": list.walletPayments?.isEmpty == false,
        ]
        model["looksAfterNotices"] = list.unmatched != nil
        model["notices"] = (list.unmatched ?? []).map { $0.model(mayAsk: offersRequests) }
        let shown = Int64(list.unmatched?.count ?? 0)
        if list.unmatchedInAll > shown {
            model["someNotices"] = "\(list.unmatchedInAll) are open. Shown are \(shown): of each source those that came first and last."
        }
        model["hasNotices"] = list.unmatched?.isEmpty == false
        if let open = list.acquiring {
            let parts = [
                Self.count(open.alarms, "thing that no server can settle", "things that no server can settle"),
                Self.count(open.parked, "notification given up", "notifications given up"),
            ]
            model["acquiring"] = ["hasOpen": open.alarms + open.parked > 0, "says": parts.compactMap(\.self).joined(separator: ", ")]
        }
        return try frame.render(
            "console/alarms", title: "Alarms", path: "/alarms", scripts: ["console/operators.js", "console/provisioning.js"], model)
    }

    private static func count(_ number: Int, _ one: String, _ many: String) -> String? {
        number == 0 ? nil : "\(number) \(number == 1 ? one : many)"
    }

    private static func row(_ payment: AlarmList.Payment) -> [String: Any] {
        var row: [String: Any] = [
            "id": payment.id, "orderPath": path(payment.order), "state": StateWord(payment.state).model,
            "amount": payment.amount.description, "startedAt": InstantText.utc(payment.startedAt),
            "startedAtMachine": InstantText.machine(payment.startedAt),
        ]
        row["alarm"] = payment.alarm
        row["note"] = payment.note
        return row
    }

    private static func path(_ order: String) -> String { "/orders/\(PathSegment.encoded(order))" }
}

extension AlarmList.Unmatched {
    fileprivate func model(mayAsk: Bool) -> [String: Any] {
        [
            "id": id, "action": action, "summary": summary, "evidence": evidence, "note": note, "hasNote": !note.isEmpty, "mayAsk": mayAsk,
            "receivedAt": InstantText.utc(receivedAt), "receivedAtMachine": InstantText.machine(receivedAt),
            "ways": ways.map { ["name": $0.name, "title": $0.title] },
        ]
    }
}

extension AlarmList.WalletPayment {
    fileprivate func model(mayAsk: Bool, mayClear: Bool) -> [String: Any] {
        var model: [String: Any] = [
            "id": id, "trade": trade, "state": StateWord(state).model, "amount": amount.description,
            "startedAt": InstantText.utc(startedAt), "startedAtMachine": InstantText.machine(startedAt),
            "title": kind == .unsettled ? "Not judged by the gateway" : "The gateway contradicts itself",
            "tells": kind == .unsettled
                ? "The money is set aside and the gateway has not said whether it took it. Ask the gateway’s operators, then settle it as they have it."
                : "The gateway said the opposite of what is booked here. Nothing was moved on its second word.",
            "mayAsk": mayAsk && kind == .unsettled, "mayClear": mayClear && kind == .contradiction, "alarm": Self.contradictionAlarm,
        ]
        model["note"] = note.isEmpty ? nil : note
        return model
    }
}
