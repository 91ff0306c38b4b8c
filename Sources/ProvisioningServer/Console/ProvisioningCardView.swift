package import BillfoldWeb

/// What an issuer's back office knows of one card's provisioning, as its page names it.
package struct ProvisioningCardView: Sendable, Hashable {
    /// A number in a device that stands for the card.
    package struct Token: Sendable, Hashable {
        package let reference: String
        package let path: String
        /// The device's name and kind.
        package let device: String
        /// 48 hexadecimal digits; `nil` where the network did not name it.
        package let secureElement: String?
        /// The last digits of the device's number.
        package let deviceSuffix: String?
        package let state: StateWord
        package let isDeleted: Bool
        package let maySuspend: Bool
        package let mayResume: Bool
        /// Everybody who suspended it; a resume takes away only one's own.
        package let suspendedBy: String?
        /// Whether the customer has still to be verified.
        package let awaitsVerification: Bool
        package let changedAt: InstantText
        /// What was asked of the network and has not been answered.
        package let pendingAction: String?
        /// What the bank's back end was told of it.
        package let eventsPath: String?

        /// - Parameters:
        ///   - state: `inactive`, `active`, `suspended` or `deleted`.
        ///   - changedAt: Microseconds since 1970.
        package init(
            reference: String, device: String, secureElement: String? = nil, deviceSuffix: String? = nil, state: String,
            suspendedBy: [String] = [], awaitsVerification: Bool = false, changedAt: Int64, pendingAction: String? = nil,
            eventsPath: String? = nil
        ) {
            self.reference = reference
            path = "/api/provisioning/tokens/\(PathSegment.encoded(reference))/actions"
            self.device = device
            self.secureElement = secureElement
            self.deviceSuffix = deviceSuffix
            self.state = StateWord(state)
            isDeleted = state == "deleted"
            maySuspend = state == "active" || state == "inactive"
            mayResume = state == "suspended"
            self.suspendedBy = suspendedBy.isEmpty ? nil : suspendedBy.joined(separator: ", ")
            self.awaitsVerification = awaitsVerification
            self.changedAt = InstantText(changedAt)
            self.pendingAction = pendingAction
            self.eventsPath = eventsPath
        }
    }

    /// A message to the customer. One that carried a code is shown without it.
    package struct Message: Sendable, Hashable {
        /// How it was sent, for example `SMS`.
        package let channel: String
        /// The masked address.
        package let contact: String
        /// What it was about, for example `one-time code` or `token suspended`.
        package let subject: String
        package let state: StateWord
        package let at: InstantText

        /// - Parameters:
        ///   - state: `queued`, `delivered` or `failed`.
        ///   - at: Microseconds since 1970.
        package init(channel: String, contact: String, subject: String, state: String, at: Int64) {
            self.channel = channel
            self.contact = contact
            self.subject = subject
            self.state = StateWord(state)
            self.at = InstantText(at)
        }
    }

    /// What the bank's own systems reported of the card.
    package struct Event: Sendable, Hashable {
        /// The bank's name for it.
        package let id: String
        /// For example `blocked` or `expiry changed`.
        package let kind: String
        /// What came of it, in words.
        package let effect: String
        /// When it happened at the bank.
        package let occurredAt: InstantText
        package let takenAt: InstantText

        /// - Parameters:
        ///   - id: The bank's name for it.
        ///   - kind: As the bank's systems say it, such as `expiry-changed`.
        ///   - effect: `applied`, `noted` or `overtaken`.
        ///   - occurredAt: Microseconds since 1970.
        ///   - takenAt: Microseconds since 1970.
        package init(id: String, kind: String, effect: String, occurredAt: Int64, takenAt: Int64) {
            self.id = id
            self.kind = Self.words[kind] ?? kind
            self.effect = Self.words[effect] ?? effect
            self.occurredAt = InstantText(occurredAt)
            self.takenAt = InstantText(takenAt)
        }

        private static let words = [
            "applied": "The network was asked", "noted": "Nothing had to be asked", "overtaken": "Something later stands",
            "expiry-changed": "expiry changed",
        ]
    }

    /// What a network was asked to do, with every attempt to tell it.
    package struct NetworkCall: Sendable, Hashable {
        package let id: String
        /// `suspend`, `resume`, `delete` or `replace`.
        package let action: String
        package let network: String
        package let state: StateWord
        /// What the network answered; none where it has not.
        package let outcome: String?
        package let askedAt: InstantText
        package let attempts: [NotificationView.Attempt]
        /// When it is asked next; none where no attempt is to come.
        package let nextAttempt: InstantText?

        /// - Parameters:
        ///   - state: `waiting`, `done`, `refused` or `given-up`.
        ///   - askedAt: Microseconds since 1970.
        ///   - next: Likewise.
        package init(
            id: String, action: String, network: String, state: String, outcome: String?, askedAt: Int64,
            attempts: [NotificationView.Attempt] = [], next: Int64? = nil
        ) {
            self.id = id
            self.action = action
            self.network = network
            self.state = StateWord(state)
            self.outcome = outcome
            self.askedAt = InstantText(askedAt)
            self.attempts = attempts
            nextAttempt = next.map(InstantText.init)
        }
    }

    package let card: ProvisioningOverview.Card
    package let cardSwitch: ProvisioningOverview.Switch
    package let switchPath: String
    package let replacementPath: String
    package let tokens: [Token]
    /// Those that wait.
    package let reviews: [ProvisioningOverview.Review]
    package let allowList: [ProvisioningOverview.AllowedDevice]
    /// Newest first.
    package let decisions: [ProvisioningOverview.Decision]
    /// Newest first.
    package let messages: [Message]
    /// Newest first.
    package let events: [Event]
    /// Stops of its tokens that the network did not make.
    package let stops: [ProvisioningOverview.Stop]
    /// Newest first.
    package let networkCalls: [NetworkCall]

    package init(
        card: ProvisioningOverview.Card, cardSwitch: ProvisioningOverview.Switch, tokens: [Token] = [],
        reviews: [ProvisioningOverview.Review] = [], allowList: [ProvisioningOverview.AllowedDevice] = [],
        decisions: [ProvisioningOverview.Decision] = [], messages: [Message] = [], events: [Event] = [],
        stops: [ProvisioningOverview.Stop] = [], networkCalls: [NetworkCall] = []
    ) {
        self.card = card
        self.cardSwitch = cardSwitch
        let path = "/api/provisioning/cards/\(PathSegment.encoded(card.id))"
        switchPath = path + "/switch"
        replacementPath = path + "/replacement"
        self.tokens = tokens
        self.reviews = reviews.filter(\.isWaiting)
        self.allowList = allowList
        self.decisions = decisions
        self.messages = messages
        self.events = events
        self.stops = stops
        self.networkCalls = networkCalls
    }
}
