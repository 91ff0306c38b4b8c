/// What an issuer's back office knows of one card's provisioning.
package struct ProvisioningCardView: Sendable, Hashable {
    /// A number in a device that stands for the card.
    package struct Token: Sendable, Hashable {
        package var reference: String
        /// The device's name and kind.
        package var device: String
        /// 48 hexadecimal digits; `nil` where the network did not name it.
        package var secureElement: String?
        /// The last digits of the device's number.
        package var deviceSuffix: String?
        /// `inactive`, `active`, `suspended` or `deleted`.
        package var state: String
        /// Everybody who suspended it; a resume takes away only one's own.
        package var suspendedBy: [String]
        /// Whether the customer has still to be verified.
        package var awaitsVerification: Bool
        /// Microseconds since 1970.
        package var changedAt: Int64
        /// What was asked of the network and has not been answered.
        package var pendingAction: String?

        package init(
            reference: String, device: String, secureElement: String? = nil, deviceSuffix: String? = nil, state: String,
            suspendedBy: [String] = [], awaitsVerification: Bool = false, changedAt: Int64, pendingAction: String? = nil
        ) {
            self.reference = reference
            self.device = device
            self.secureElement = secureElement
            self.deviceSuffix = deviceSuffix
            self.state = state
            self.suspendedBy = suspendedBy
            self.awaitsVerification = awaitsVerification
            self.changedAt = changedAt
            self.pendingAction = pendingAction
        }
    }

    /// A message to the customer. One that carried a code is shown without it.
    package struct Message: Sendable, Hashable {
        /// How it was sent, for example `SMS`.
        package var channel: String
        /// The masked address.
        package var contact: String
        /// What it was about, for example `one-time code` or `token suspended`.
        package var subject: String
        /// `queued`, `delivered` or `failed`.
        package var state: String
        /// Microseconds since 1970.
        package var at: Int64

        package init(channel: String, contact: String, subject: String, state: String, at: Int64) {
            self.channel = channel
            self.contact = contact
            self.subject = subject
            self.state = state
            self.at = at
        }
    }

    package var card: ProvisioningOverview.Card
    package var cardSwitch: ProvisioningOverview.Switch
    package var tokens: [Token]
    package var reviews: [ProvisioningOverview.Review]
    package var allowList: [ProvisioningOverview.AllowedDevice]
    /// Newest first.
    package var decisions: [ProvisioningOverview.Decision]
    /// Newest first.
    package var messages: [Message]
    /// Stops of its tokens that the network did not make.
    package var stops: [ProvisioningOverview.Stop]

    package init(
        card: ProvisioningOverview.Card, cardSwitch: ProvisioningOverview.Switch, tokens: [Token] = [],
        reviews: [ProvisioningOverview.Review] = [], allowList: [ProvisioningOverview.AllowedDevice] = [],
        decisions: [ProvisioningOverview.Decision] = [], messages: [Message] = [], stops: [ProvisioningOverview.Stop] = []
    ) {
        self.card = card
        self.cardSwitch = cardSwitch
        self.tokens = tokens
        self.reviews = reviews
        self.allowList = allowList
        self.decisions = decisions
        self.messages = messages
        self.stops = stops
    }
}
