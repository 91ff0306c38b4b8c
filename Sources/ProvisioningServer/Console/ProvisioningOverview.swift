/// What an issuer's back office knows of provisioning as a whole.
package struct ProvisioningOverview: Sendable, Hashable {
    /// Whether customers are offered the wallet, and who said so last.
    package struct Switch: Sendable, Hashable {
        package var isOn: Bool
        package var remark: String?
        package var changedBy: String?
        /// Microseconds since 1970.
        package var changedAt: Int64?

        package init(isOn: Bool, remark: String? = nil, changedBy: String? = nil, changedAt: Int64? = nil) {
            self.isOn = isOn
            self.remark = remark
            self.changedBy = changedBy
            self.changedAt = changedAt
        }
    }

    /// What the bank has agreed with one network for a range of its cards.
    package struct Programme: Sendable, Hashable {
        package var id: String
        package var displayName: String
        package var state: Switch

        package init(id: String, displayName: String, state: Switch) {
            self.id = id
            self.displayName = displayName
            self.state = state
        }
    }

    package struct Card: Sendable, Hashable {
        package var id: String
        package var displayName: String
        /// As customers know it, for example `Visa`.
        package var network: String
        /// The last digits of the card's number; the only ones that are ever shown.
        package var suffix: String
        package var customer: String
        package var cardholderName: String
        /// `active`, `blocked` or `closed`.
        package var status: String
        package var isSwitchedOn: Bool
        /// How many tokens stand for it that are not deleted.
        package var tokenCount: Int

        package init(
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
    package struct AllowedDevice: Sendable, Hashable {
        package var card: String
        /// 48 hexadecimal digits.
        package var secureElement: String
        package var remark: String?
        package var addedBy: String?
        /// Microseconds since 1970.
        package var addedAt: Int64?

        package init(card: String, secureElement: String, remark: String? = nil, addedBy: String? = nil, addedAt: Int64? = nil) {
            self.card = card
            self.secureElement = secureElement
            self.remark = remark
            self.addedBy = addedBy
            self.addedAt = addedAt
        }
    }

    /// An attempt that a person of the fraud team looks at.
    package struct Review: Sendable, Hashable {
        package var id: String
        package var card: String
        package var cardName: String
        package var tokenReference: String
        /// The device's name and kind, as the network told them.
        package var device: String
        /// Why it came here: stable codes.
        package var reasons: [String]
        /// Microseconds since 1970.
        package var openedAt: Int64
        /// `waiting`, `released` or `refused`.
        package var state: String
        /// Whoever concluded it: who asked and who agreed.
        package var concludedBy: String?
        package var remark: String?

        package init(
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
    package struct Decision: Sendable, Hashable {
        package var requestID: String
        package var card: String
        package var cardName: String
        package var tokenReference: String?
        package var device: String
        /// `green`, `yellow`, `orange` or `red`.
        package var colour: String
        /// What the network was answered.
        package var answer: String
        /// What led to it: stable codes of the bank's rules.
        package var reasons: [String]
        /// What the network recommended, with its scores and reason codes, as one line.
        package var recommendation: String
        /// Microseconds since 1970.
        package var at: Int64
        /// The attempt's id, by which its story is found.
        package var attempt: String?

        package init(
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
    package struct Stop: Sendable, Hashable {
        package var id: String
        package var card: String
        package var cardName: String
        package var tokenReference: String
        /// The device's name and kind.
        package var device: String
        /// `suspend` or `delete`.
        package var action: String
        /// What the network answered.
        package var outcome: String
        /// Whether the network said no; otherwise it never answered.
        package var isRefused: Bool
        package var askedBy: String
        /// Microseconds since 1970.
        package var at: Int64
        /// How the token stands; `nil` where the network never told of it.
        package var tokenState: String?

        package init(
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
    package struct LostDevice: Sendable, Hashable {
        /// 48 hexadecimal digits.
        package var secureElement: String
        /// When it was reported, last; microseconds since 1970.
        package var reportedAt: Int64

        package init(secureElement: String, reportedAt: Int64) {
            self.secureElement = secureElement
            self.reportedAt = reportedAt
        }
    }

    package var programmes: [Programme]
    package var cards: [Card]
    /// Waiting ones first, then the newest.
    package var reviews: [Review]
    package var allowList: [AllowedDevice]
    /// Newest first.
    package var decisions: [Decision]
    /// Newest first.
    package var stops: [Stop]
    /// Latest report first.
    package var lostDevices: [LostDevice]

    package init(
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
