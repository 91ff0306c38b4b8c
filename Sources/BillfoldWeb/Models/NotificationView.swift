/// One notification with every attempt to deliver it.
package struct NotificationView: Sendable, Hashable {
    package struct Attempt: Sendable, Hashable {
        package let number: String
        package let status: String
        package let reply: String
        package let note: String
        /// The word for why it did not count; empty where it did.
        package let reason: String
        /// As people read it, such as `12 ms`; empty where it is not known.
        package let took: String
        package let at: InstantText
        private let outcome: String
        private let tells: String

        /// - Parameters:
        ///   - status: Of HTTP; empty where there was no answer.
        ///   - reply: Its first bytes as text, with what is no text replaced.
        ///   - reason: The word for why it did not count; empty where it did, and where it is not known.
        ///   - milliseconds: From its beginning to its end.
        ///   - at: Microseconds since 1970.
        package init(
            number: String, status: String, reply: String, note: String, reason: String = "", milliseconds: Int64? = nil, at: Int64
        ) {
            self.number = number
            self.status = status.isEmpty ? "no answer" : status
            self.reply = reply
            self.note = note
            self.reason = reason
            took = milliseconds.map { "\($0) ms" } ?? ""
            self.at = InstantText(at)
            let isSettled = !status.isEmpty && note.isEmpty
            let answer = status.isEmpty || reply.isEmpty ? self.status : "\(status), \(reply)"
            outcome = isSettled ? "settled" : "refused"
            tells = isSettled ? "It was sent again and answered with success." : "It was sent again: \(answer). \(note)"
        }
    }

    package let id: String
    package let merchant: String
    package let notifyID: String
    package let tradeNo: String
    package let title: String
    /// Scheme, host and path; never a query.
    package let address: String
    package let state: StateWord
    package let madeAt: InstantText
    package let attempts: [Attempt]
    /// When it is sent next; none where no attempt is to come.
    package let nextAttempt: InstantText?
    private var tradePath = ""
    private var replayPath = ""
    private var isOffered = false

    /// - Parameters:
    ///   - kind: `trade_status`, `refund` or `batch`.
    ///   - says: What it said, for example `TRADE_SUCCESS`; a batch's number.
    ///   - state: `waiting`, `settled` or `parked`.
    ///   - madeAt: Microseconds since 1970.
    ///   - next: When it is sent next, likewise.
    package init(
        id: String, merchant: String, notifyID: String, tradeNo: String, kind: String, says: String, address: String, state: String,
        madeAt: Int64, attempts: [Attempt], next: Int64? = nil
    ) {
        self.id = id
        self.merchant = merchant
        self.notifyID = notifyID
        self.tradeNo = tradeNo
        title = kind == "batch" ? "Batch \(says)" : says
        self.address = address
        self.state = StateWord(state == "settled" ? "delivered" : state == "parked" ? "given up" : "waiting")
        self.madeAt = InstantText(madeAt)
        self.attempts = attempts
        nextAttempt = next.map(InstantText.init)
    }

    /// The same with its paths in a back office.
    ///
    /// - Parameter isOffered: Whether the reader may have it sent again.
    package func shown(isOffered: Bool, at place: NotificationPlace) -> Self {
        var view = self
        view.tradePath = "\(place.page)/\(PathSegment.encoded(tradeNo))"
        view.replayPath = "\(place.api)/\(PathSegment.encoded(merchant))/\(PathSegment.encoded(id))/replay"
        view.isOffered = isOffered && state.word != "waiting"
        return view
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
