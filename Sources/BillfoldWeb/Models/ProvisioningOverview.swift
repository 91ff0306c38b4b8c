/// What an issuer's back office knows of provisioning as a whole.
public struct ProvisioningOverview: Sendable, Hashable {
    /// Whether customers are offered the wallet, and who said so last.
    public struct Switch: Sendable, Hashable {
        public var isOn: Bool
        public var remark: String?
        public var changedBy: String?
        /// Microseconds since 1970.
        public var changedAt: Int64?

        public init(isOn: Bool, remark: String? = nil, changedBy: String? = nil, changedAt: Int64? = nil) {
            self.isOn = isOn
            self.remark = remark
            self.changedBy = changedBy
            self.changedAt = changedAt
        }
    }

    /// What the bank has agreed with one network for a range of its cards.
    public struct Programme: Sendable, Hashable {
        public var id: String
        public var displayName: String
        public var state: Switch

        public init(id: String, displayName: String, state: Switch) {
            self.id = id
            self.displayName = displayName
            self.state = state
        }
    }

    public struct Card: Sendable, Hashable {
        public var id: String
        public var displayName: String
        /// As customers know it, for example `Visa`.
        public var network: String
        /// The last digits of the card's number; the only ones that are ever shown.
        public var suffix: String
        public var customer: String
        public var cardholderName: String
        /// `active`, `blocked` or `closed`.
        public var status: String
        public var isSwitchedOn: Bool
        /// How many tokens stand for it that are not deleted.
        public var tokenCount: Int

        public init(
            id: String, displayName: String, network: String, suffix: String, customer: String, cardholderName: String, status: String,
            isSwitchedOn: Bool, tokenCount: Int
        ) {
            self.id = id
            self.displayName = displayName
            self.network = network
            self.suffix = suffix
            self.customer = customer
            self.cardholderName = cardholderName
            self.status = status
            self.isSwitchedOn = isSwitchedOn
            self.tokenCount = tokenCount
        }
    }

    /// A card and a secure element that may be tried together while the programme is being tested.
    public struct AllowedDevice: Sendable, Hashable {
        public var card: String
        /// 48 hexadecimal digits.
        public var secureElement: String
        public var remark: String?
        public var addedBy: String?
        /// Microseconds since 1970.
        public var addedAt: Int64?

        public init(card: String, secureElement: String, remark: String? = nil, addedBy: String? = nil, addedAt: Int64? = nil) {
            self.card = card
            self.secureElement = secureElement
            self.remark = remark
            self.addedBy = addedBy
            self.addedAt = addedAt
        }
    }

    /// An attempt that a person of the fraud team looks at.
    public struct Review: Sendable, Hashable {
        public var id: String
        public var card: String
        public var cardName: String
        public var tokenReference: String
        /// The device's name and kind, as the network told them.
        public var device: String
        /// Why it came here: stable codes.
        public var reasons: [String]
        /// Microseconds since 1970.
        public var openedAt: Int64
        /// `waiting`, `released` or `refused`.
        public var state: String
        /// Whoever concluded it: who asked and who agreed.
        public var concludedBy: String?
        public var remark: String?

        public init(
            id: String, card: String, cardName: String, tokenReference: String, device: String, reasons: [String], openedAt: Int64,
            state: String, concludedBy: String? = nil, remark: String? = nil
        ) {
            self.id = id
            self.card = card
            self.cardName = cardName
            self.tokenReference = tokenReference
            self.device = device
            self.reasons = reasons
            self.openedAt = openedAt
            self.state = state
            self.concludedBy = concludedBy
            self.remark = remark
        }
    }

    /// One answer to the network.
    public struct Decision: Sendable, Hashable {
        public var requestID: String
        public var card: String
        public var cardName: String
        public var tokenReference: String?
        public var device: String
        /// `green`, `yellow`, `orange` or `red`.
        public var colour: String
        /// What the network was answered.
        public var answer: String
        /// What led to it: stable codes of the bank's rules.
        public var reasons: [String]
        /// What the network recommended, with its scores and reason codes, as one line.
        public var recommendation: String
        /// Microseconds since 1970.
        public var at: Int64
        /// The attempt's id, by which its story is found.
        public var attempt: String?

        public init(
            requestID: String, card: String, cardName: String, tokenReference: String?, device: String, colour: String, answer: String,
            reasons: [String], recommendation: String, at: Int64, attempt: String? = nil
        ) {
            self.requestID = requestID
            self.card = card
            self.cardName = cardName
            self.tokenReference = tokenReference
            self.device = device
            self.colour = colour
            self.answer = answer
            self.reasons = reasons
            self.recommendation = recommendation
            self.at = at
            self.attempt = attempt
        }
    }

    /// A token that the bank wanted stopped and that its network has not stopped: it may go on paying.
    public struct Stop: Sendable, Hashable {
        public var id: String
        public var card: String
        public var cardName: String
        public var tokenReference: String
        /// The device's name and kind.
        public var device: String
        /// `suspend` or `delete`.
        public var action: String
        /// What the network answered.
        public var outcome: String
        /// Whether the network said no; otherwise it never answered.
        public var isRefused: Bool
        public var askedBy: String
        /// Microseconds since 1970.
        public var at: Int64
        /// How the token stands; `nil` where the network never told of it.
        public var tokenState: String?

        public init(
            id: String, card: String, cardName: String, tokenReference: String, device: String, action: String, outcome: String,
            isRefused: Bool, askedBy: String, at: Int64, tokenState: String?
        ) {
            self.id = id
            self.card = card
            self.cardName = cardName
            self.tokenReference = tokenReference
            self.device = device
            self.action = action
            self.outcome = outcome
            self.isRefused = isRefused
            self.askedBy = askedBy
            self.at = at
            self.tokenState = tokenState
        }
    }

    /// A device that was reported lost and not found again: it takes no new token.
    public struct LostDevice: Sendable, Hashable {
        /// 48 hexadecimal digits.
        public var secureElement: String
        /// When it was reported, last; microseconds since 1970.
        public var reportedAt: Int64

        public init(secureElement: String, reportedAt: Int64) {
            self.secureElement = secureElement
            self.reportedAt = reportedAt
        }
    }

    public var programmes: [Programme]
    public var cards: [Card]
    /// Waiting ones first, then the newest.
    public var reviews: [Review]
    public var allowList: [AllowedDevice]
    /// Newest first.
    public var decisions: [Decision]
    /// Newest first.
    public var stops: [Stop]
    /// Latest report first.
    public var lostDevices: [LostDevice]

    public init(
        programmes: [Programme], cards: [Card] = [], reviews: [Review] = [], allowList: [AllowedDevice] = [], decisions: [Decision] = [],
        stops: [Stop] = [], lostDevices: [LostDevice] = []
    ) {
        self.programmes = programmes
        self.cards = cards
        self.reviews = reviews
        self.allowList = allowList
        self.decisions = decisions
        self.stops = stops
        self.lostDevices = lostDevices
    }
}
