/// One notification with every attempt to deliver it.
package struct NotificationView: Sendable, Hashable {
    package struct Attempt: Sendable, Hashable {
        package var number: String
        /// The HTTP status; empty where there was no answer.
        package var status: String
        /// The reply's first bytes as text, with what is no text replaced.
        package var reply: String
        package var note: String
        /// Microseconds since 1970.
        package var at: Int64

        package init(number: String, status: String, reply: String, note: String, at: Int64) {
            self.number = number
            self.status = status
            self.reply = reply
            self.note = note
            self.at = at
        }
    }

    package var id: String
    package var merchant: String
    package var notifyID: String
    package var tradeNo: String
    /// `trade_status`, `refund` or `batch`.
    package var kind: String
    /// What it said, for example `TRADE_SUCCESS`; a batch's number.
    package var says: String
    /// Scheme, host and path; never a query.
    package var address: String
    /// `waiting`, `settled` or `parked`.
    package var state: String
    /// Microseconds since 1970.
    package var madeAt: Int64
    package var attempts: [Attempt]

    package init(
        id: String, merchant: String, notifyID: String, tradeNo: String, kind: String, says: String, address: String, state: String,
        madeAt: Int64, attempts: [Attempt]
    ) {
        self.id = id
        self.merchant = merchant
        self.notifyID = notifyID
        self.tradeNo = tradeNo
        self.kind = kind
        self.says = says
        self.address = address
        self.state = state
        self.madeAt = madeAt
        self.attempts = attempts
    }
}

/// Which back office shows a notification.
package struct NotificationPlace: Sendable {
    /// What it tells of.
    package var what: String
    package var page: String
    package var api: String

    package init(what: String, page: String, api: String) {
        self.what = what
        self.page = page
        self.api = api
    }
}

extension NotificationView {
    package func model(isOffered: Bool, at place: NotificationPlace) -> [String: Any] {
        [
            "id": id, "title": kind == "batch" ? "Batch \(says)" : says, "address": address, "notifyID": notifyID, "tradeNo": tradeNo,
            "tradePath": "\(place.page)/\(PathSegment.encoded(tradeNo))",
            "state": StateWord(state == "settled" ? "delivered" : state == "parked" ? "given up" : "waiting"),
            "madeAt": InstantText.utc(madeAt), "madeAtMachine": InstantText.machine(madeAt), "attempts": attempts.map(\.model),
            "hasAttempts": !attempts.isEmpty, "isOffered": isOffered && state != "waiting",
            "replayPath": "\(place.api)/\(PathSegment.encoded(merchant))/\(PathSegment.encoded(id))/replay",
        ]
    }
}

extension NotificationView.Attempt {
    fileprivate var model: [String: Any] {
        let isSettled = !status.isEmpty && note.isEmpty
        let answer = status.isEmpty ? "no answer" : "\(status)\(reply.isEmpty ? "" : ", \(reply)")"
        return [
            "number": number, "status": status.isEmpty ? "no answer" : status, "reply": reply, "note": note, "at": InstantText.utc(at),
            "atMachine": InstantText.machine(at), "outcome": isSettled ? "settled" : "refused",
            "tells": isSettled ? "It was sent again and answered with success." : "It was sent again: \(answer). \(note)",
        ]
    }
}
