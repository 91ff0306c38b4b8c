/// What an issuer's back office knows of one card's provisioning.
public struct ProvisioningCardView: Sendable, Hashable {
    /// A number in a device that stands for the card.
    public struct Token: Sendable, Hashable {
        public var reference: String
        /// The device's name and kind.
        public var device: String
        /// 48 hexadecimal digits; `nil` where the network did not name it.
        public var secureElement: String?
        /// The last digits of the device's number.
        public var deviceSuffix: String?
        /// `inactive`, `active`, `suspended` or `deleted`.
        public var state: String
        /// Everybody who suspended it; a resume takes away only one's own.
        public var suspendedBy: [String]
        /// Whether the customer has still to be verified.
        public var awaitsVerification: Bool
        /// Microseconds since 1970.
        public var changedAt: Int64
        /// What was asked of the network and has not been answered.
        public var pendingAction: String?

        public init(
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
    public struct Message: Sendable, Hashable {
        /// How it was sent, for example `SMS`.
        public var channel: String
        /// The masked address.
        public var contact: String
        /// What it was about, for example `one-time code` or `token suspended`.
        public var subject: String
        /// `queued`, `delivered` or `failed`.
        public var state: String
        /// Microseconds since 1970.
        public var at: Int64

        public init(channel: String, contact: String, subject: String, state: String, at: Int64) {
            self.channel = channel
            self.contact = contact
            self.subject = subject
            self.state = state
            self.at = at
        }
    }

    public var card: ProvisioningOverview.Card
    public var cardSwitch: ProvisioningOverview.Switch
    public var tokens: [Token]
    public var reviews: [ProvisioningOverview.Review]
    public var allowList: [ProvisioningOverview.AllowedDevice]
    /// Newest first.
    public var decisions: [ProvisioningOverview.Decision]
    /// Newest first.
    public var messages: [Message]
    /// Stops of its tokens that the network did not make.
    public var stops: [ProvisioningOverview.Stop]

    public init(
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
