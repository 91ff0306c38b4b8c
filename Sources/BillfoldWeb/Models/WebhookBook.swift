/// Somebody whose back end one of our servers tells of events.
package struct WebhookOwner: Sendable, Hashable {
    /// What addresses call the server's office, for example `merchants`.
    package let office: String
    package let id: String
    /// What it is, for example `Merchant`.
    package let what: String
    package let path: String
    package let space: SpaceNote?

    package init(office: String, id: String, what: String, space: SpaceNote? = nil) {
        self.office = office
        self.id = id
        self.what = what
        path = "/webhooks/\(PathSegment.encoded(office))/\(PathSegment.encoded(id))"
        self.space = space
    }

    /// The page of one of its events.
    package func path(ofEvent name: String) -> String { "\(path)/events/\(PathSegment.encoded(name))" }

    /// Its events of an object, of whatever kind.
    package func path(ofObject id: String) -> String { "\(path)?object=\(PathSegment.encoded(id))" }
}

/// An owner's endpoints.
package struct WebhookBook: Sendable, Hashable {
    package let owner: WebhookOwner
    package let endpoints: [WebhookEndpointLine]

    package init(owner: WebhookOwner, endpoints: [WebhookEndpointLine]) {
        self.owner = owner
        self.endpoints = endpoints
    }
}

/// An address at which a back end is told of events, and how that goes.
package struct WebhookEndpointLine: Sendable, Hashable {
    /// What messages are signed by. The key itself is nowhere.
    package struct Key: Sendable, Hashable {
        package let id: String
        /// Until when it signs beside the newer one; `nil` for the newest.
        package let until: InstantText?

        /// - Parameter until: Microseconds since 1970.
        package init(id: String, until: Int64? = nil) {
            self.id = id
            self.until = until.map(InstantText.init)
        }
    }

    /// How the last attempt ended.
    package struct Answer: Sendable, Hashable {
        /// As people read it, for example `500`, or that there was none.
        package let status: String
        package let isTaken: Bool
        /// The word for why it did not count; empty where it did.
        package let reason: String
        package let note: String
        package let at: InstantText

        /// - Parameters:
        ///   - status: Of HTTP; `nil` where there was no answer.
        ///   - at: Microseconds since 1970.
        package init(status: Int64?, reason: String, note: String, at: Int64) {
            self.status = status.map { String($0) } ?? "no answer"
            isTaken = status != nil && reason.isEmpty && note.isEmpty
            self.reason = reason
            self.note = note
            self.at = InstantText(at)
        }
    }

    package let id: String
    /// Scheme, host and path; never a query.
    package let address: String
    package let note: String
    package let state: StateWord
    /// Which types it is told of; empty for all.
    package let types: [String]
    /// The newest first.
    package let keys: [Key]
    package let waiting: String
    package let givenUp: String
    package let waitingPath: String?
    package let givenUpPath: String?
    /// `nil` before the first attempt.
    package let last: Answer?
    package let madeAt: InstantText

    /// - Parameters:
    ///   - state: `on`, `off` or `gone`.
    ///   - waiting: How many messages; more than `most` are said to be as many or more.
    ///   - givenUp: Likewise.
    ///   - madeAt: Microseconds since 1970.
    package init(
        id: String, owner: WebhookOwner, address: String, note: String, state: String, types: [String], keys: [Key], waiting: Int,
        givenUp: Int, most: Int, last: Answer?, madeAt: Int64
    ) {
        self.id = id
        self.address = address
        self.note = note
        self.state = StateWord(state)
        self.types = types
        self.keys = keys
        func words(_ count: Int) -> String { count < most ? String(count) : "\(most) or more" }
        func path(_ state: String) -> String { "\(owner.path)?endpoint=\(PathSegment.encoded(id))&state=\(state)" }
        self.waiting = words(waiting)
        self.givenUp = words(givenUp)
        waitingPath = waiting > 0 ? path("waiting") : nil
        givenUpPath = givenUp > 0 ? path("given-up") : nil
        self.last = last
        self.madeAt = InstantText(madeAt)
    }
}
