/// Events of an owner, as somebody looked for them.
package struct WebhookEventList: Sendable, Hashable {
    /// One of the events, and how it was told.
    package struct Line: Sendable, Hashable {
        /// How far one endpoint was told of it.
        package struct Told: Sendable, Hashable {
            package let address: String
            package let state: StateWord

            package init(address: String, state: String) {
                self.address = address
                self.state = StateWord(state)
            }
        }

        package let name: String
        package let path: String
        package let type: String
        /// For example `payment`.
        package let kind: String
        package let object: String
        package let sequence: String
        package let at: InstantText
        package let told: [Told]

        /// - Parameter at: Microseconds since 1970.
        package init(
            name: String, owner: WebhookOwner, type: String, kind: String, object: String, sequence: Int64, at: Int64, told: [Told]
        ) {
            self.name = name
            path = owner.path(ofEvent: name)
            self.type = type
            self.kind = kind
            self.object = object
            self.sequence = String(sequence)
            self.at = InstantText(at)
            self.told = told
        }
    }

    package let book: WebhookBook
    /// Over the lines: what they are.
    package let title: String
    package let lines: [Line]
    /// What was looked for; `nil` for the latest.
    package let object: String?
    package let isFiltered: Bool
    /// Where older ones are; `nil` where none are.
    package let olderPath: String?

    /// - Parameters:
    ///   - title: What the lines are.
    ///   - isFiltered: Whether they are not simply the latest.
    ///   - before: Where older ones begin.
    package init(
        book: WebhookBook, title: String, lines: [Line], object: String? = nil, isFiltered: Bool = false, before: Int64? = nil
    ) {
        self.book = book
        self.title = title
        self.lines = lines
        self.object = object
        self.isFiltered = isFiltered
        olderPath = before.map { "\(book.owner.path)?before=\($0)" }
    }
}

/// One event: what was said, to whom, and every attempt to say it.
package struct WebhookEventView: Sendable, Hashable {
    /// How one endpoint was told, over all that was sent to it.
    package struct Telling: Sendable, Hashable {
        package let endpoint: String
        /// Scheme, host and path; never a query.
        package let address: String
        package let state: StateWord
        package let attempts: [NotificationView.Attempt]
        /// When it is told next; none where no attempt is to come.
        package let nextAttempt: InstantText?
        /// Why it can't be told again, or what it waits for.
        package let note: String?
        package let eventPath: String
        package let resendPath: String
        private let isTellable: Bool
        private var isOffered = false

        /// - Parameters:
        ///   - state: `waiting`, `held`, `delivered`, `given up`, `withdrawn` or `not told`.
        ///   - isTellable: Whether it could be told again now.
        ///   - next: Microseconds since 1970.
        package init(
            endpoint: String, event: String, owner: WebhookOwner, address: String, state: String, attempts: [NotificationView.Attempt],
            isTellable: Bool, note: String? = nil, next: Int64? = nil
        ) {
            self.endpoint = endpoint
            self.address = address
            self.state = StateWord(state == "held" ? "waiting" : state)
            self.attempts = attempts
            self.isTellable = isTellable
            self.note = note
            nextAttempt = next.map(InstantText.init)
            eventPath = owner.path(ofEvent: event)
            resendPath =
                "/api\(owner.path)/events/\(PathSegment.encoded(event))/endpoints/\(PathSegment.encoded(endpoint))/resend"
        }

        /// The same for a reader who may have it told again, or may not.
        func shown(isOffered: Bool) -> Self {
            var telling = self
            telling.isOffered = isOffered && isTellable
            return telling
        }
    }

    package let owner: WebhookOwner
    package let name: String
    package let type: String
    package let kind: String
    package let object: String
    package let sequence: String
    package let at: InstantText
    /// The page of what it is about, and what that is called.
    package let aboutPath: String?
    package let aboutName: String?
    /// All events of the object.
    package let objectPath: String
    /// The message's bytes as text.
    package let content: String
    package var tellings: [Telling]

    /// - Parameters:
    ///   - at: Microseconds since 1970.
    ///   - about: The page of what it is about, and what that is called.
    package init(
        owner: WebhookOwner, name: String, type: String, kind: String, object: String, sequence: Int64, at: Int64,
        about: (name: String, path: String)? = nil, content: String, tellings: [Telling]
    ) {
        self.owner = owner
        self.name = name
        self.type = type
        self.kind = kind
        self.object = object
        self.sequence = String(sequence)
        self.at = InstantText(at)
        aboutName = about?.name
        aboutPath = about?.path
        objectPath = owner.path(ofObject: object)
        self.content = content
        self.tellings = tellings
    }
}
