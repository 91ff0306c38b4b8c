package import BillfoldWeb

/// What an issuer's back office knows of provisioning as a whole, as its page names it.
package struct ProvisioningOverview: Sendable, Hashable {
    /// Whether customers are offered the wallet, and who said so last.
    package struct Switch: Sendable, Hashable {
        package let isOn: Bool
        package let state: StateWord
        package let remark: String?
        package let changedBy: String?
        package let changedAt: InstantText?

        /// - Parameter changedAt: Microseconds since 1970.
        package init(isOn: Bool, remark: String? = nil, changedBy: String? = nil, changedAt: Int64? = nil) {
            self.isOn = isOn
            state = StateWord(isOn ? "on" : "off")
            self.remark = remark
            self.changedBy = changedBy
            self.changedAt = changedAt.map(InstantText.init)
        }
    }

    /// What the bank has agreed with one network for a range of its cards.
    package struct Programme: Sendable, Hashable {
        package let id: String
        package let displayName: String
        package let offer: Switch
        package let switchPath: String

        package init(id: String, displayName: String, offer: Switch) {
            self.id = id
            self.displayName = displayName
            self.offer = offer
            switchPath = "/api/provisioning/programmes/\(PathSegment.encoded(id))/switch"
        }
    }

    package struct Card: Sendable, Hashable {
        package let id: String
        package let path: String
        package let displayName: String
        /// As customers know it, for example `Visa`.
        package let network: String
        /// The last digits of the card's number; the only ones that are ever shown.
        package let suffix: String
        package let cardholderName: String
        package let status: StateWord
        package let offer: StateWord
        /// How many tokens stand for it that are not deleted.
        package let tokenCount: Int

        /// - Parameter status: `active`, `blocked` or `closed`.
        package init(
            id: String, displayName: String, network: String, suffix: String, cardholderName: String, status: String, isSwitchedOn: Bool,
            tokenCount: Int
        ) {
            self.id = id
            path = ProvisioningOverview.cardPath(id)
            self.displayName = displayName
            self.network = network
            self.suffix = suffix
            self.cardholderName = cardholderName
            self.status = StateWord(status)
            offer = StateWord(isSwitchedOn ? "on" : "off")
            self.tokenCount = tokenCount
        }
    }

    /// A card and a secure element that may be tried together while the programme is being tested.
    package struct AllowedDevice: Sendable, Hashable {
        package let card: String
        package let cardPath: String
        /// 48 hexadecimal digits.
        package let secureElement: String
        package let remark: String?
        package let addedBy: String?
        package let addedAt: InstantText?

        /// - Parameter addedAt: Microseconds since 1970.
        package init(card: String, secureElement: String, remark: String? = nil, addedBy: String? = nil, addedAt: Int64? = nil) {
            self.card = card
            cardPath = ProvisioningOverview.cardPath(card)
            self.secureElement = secureElement
            self.remark = remark
            self.addedBy = addedBy
            self.addedAt = addedAt.map(InstantText.init)
        }
    }

    /// An attempt that a person of the fraud team looks at.
    package struct Review: Sendable, Hashable {
        package let id: String
        package let cardPath: String
        package let cardName: String
        package let tokenReference: String
        /// The device's name and kind, as the network told them.
        package let device: String
        /// Why it came here: stable codes.
        package let reasons: [String]
        package let openedAt: InstantText
        package let state: StateWord
        /// Whoever concluded it: who asked and who agreed.
        package let concludedBy: String?
        package let remark: String?

        package var isWaiting: Bool { state.word == "waiting" }

        /// - Parameters:
        ///   - openedAt: Microseconds since 1970.
        ///   - state: `waiting`, `released` or `refused`.
        package init(
            id: String, card: String, cardName: String, tokenReference: String, device: String, reasons: [String], openedAt: Int64,
            state: String, concludedBy: String? = nil, remark: String? = nil
        ) {
            self.id = id
            cardPath = ProvisioningOverview.cardPath(card)
            self.cardName = cardName
            self.tokenReference = tokenReference
            self.device = device
            self.reasons = reasons
            self.openedAt = InstantText(openedAt)
            self.state = StateWord(state)
            self.concludedBy = concludedBy
            self.remark = remark
        }
    }

    /// One answer to the network.
    package struct Decision: Sendable, Hashable {
        package let cardPath: String
        package let cardName: String
        package let device: String
        /// One that the page knows how to colour, or `unknown`.
        package let colour: String
        package let colourName: String
        /// The words beside the colour: colour alone says nothing to who does not see it.
        package let meaning: String
        /// What the network was answered.
        package let answer: String
        /// What led to it: stable codes of the bank's rules.
        package let reasons: [String]
        /// What the network recommended, with its scores and reason codes, as one line.
        package let recommendation: String
        package let at: InstantText
        package let storyPath: String?

        /// - Parameters:
        ///   - colour: `green`, `yellow`, `orange` or `red`.
        ///   - at: Microseconds since 1970.
        ///   - attempt: The attempt's id, by which its story is found.
        package init(
            card: String, cardName: String, device: String, colour: String, answer: String, reasons: [String], recommendation: String,
            at: Int64, attempt: String? = nil
        ) {
            cardPath = ProvisioningOverview.cardPath(card)
            self.cardName = cardName
            self.device = device
            self.colour = Self.meanings[colour] == nil ? "unknown" : colour
            colourName = colour
            meaning = Self.meanings[colour] ?? ""
            self.answer = answer
            self.reasons = reasons
            self.recommendation = recommendation
            self.at = InstantText(at)
            storyPath = attempt.map { "/stories/\(PathSegment.encoded("provisioning.attempt:" + $0))" }
        }

        private static let meanings = [
            "green": "active at once", "yellow": "customer verified first", "orange": "reviewed by the fraud team", "red": "refused",
        ]
    }

    /// A token that the bank wanted stopped and that its network has not stopped: it may go on paying.
    package struct Stop: Sendable, Hashable {
        package let id: String
        package let path: String
        package let card: String
        package let cardPath: String
        package let cardName: String
        package let tokenReference: String
        /// The device's name and kind.
        package let device: String
        package let wish: String
        package let standing: String
        /// How the network said no.
        package let outcome: String?
        package let askedBy: String
        package let at: InstantText
        /// How the token stands; `nil` where the network never told of it.
        package let state: StateWord?

        /// - Parameters:
        ///   - action: `suspend` or `delete`.
        ///   - outcome: What the network answered; empty where it did not.
        ///   - isRefused: Whether the network said no; otherwise it never answered.
        ///   - at: Microseconds since 1970.
        package init(
            id: String, card: String, cardName: String, tokenReference: String, device: String, action: String, outcome: String,
            isRefused: Bool, askedBy: String, at: Int64, tokenState: String?
        ) {
            self.id = id
            path = "/api/provisioning/stops/\(PathSegment.encoded(id))"
            self.card = card
            cardPath = ProvisioningOverview.cardPath(card)
            self.cardName = cardName
            self.tokenReference = tokenReference
            self.device = device
            wish = action == "delete" ? "Delete" : "Suspend"
            standing = isRefused ? "The network refused" : "The network never answered"
            self.outcome = isRefused && !outcome.isEmpty ? outcome : nil
            self.askedBy = askedBy
            self.at = InstantText(at)
            state = tokenState.map { StateWord($0) }
        }
    }

    /// A device that was reported lost and not found again: it takes no new token.
    package struct LostDevice: Sendable, Hashable {
        /// 48 hexadecimal digits.
        package let secureElement: String
        /// When it was reported, last.
        package let reportedAt: InstantText

        /// - Parameter reportedAt: Microseconds since 1970.
        package init(secureElement: String, reportedAt: Int64) {
            self.secureElement = secureElement
            self.reportedAt = InstantText(reportedAt)
        }
    }

    package let programmes: [Programme]
    package let cards: [Card]
    /// Those that wait.
    package let reviews: [Review]
    /// Newest first.
    package let concluded: [Review]
    package let allowList: [AllowedDevice]
    /// Newest first.
    package let decisions: [Decision]
    /// Newest first.
    package let stops: [Stop]
    /// Latest report first.
    package let lostDevices: [LostDevice]

    package init(
        programmes: [Programme], cards: [Card] = [], reviews: [Review] = [], allowList: [AllowedDevice] = [], decisions: [Decision] = [],
        stops: [Stop] = [], lostDevices: [LostDevice] = []
    ) {
        self.programmes = programmes
        self.cards = cards
        self.reviews = reviews.filter(\.isWaiting)
        concluded = reviews.filter { !$0.isWaiting }
        self.allowList = allowList
        self.decisions = decisions
        self.stops = stops
        self.lostDevices = lostDevices
    }

    private static func cardPath(_ id: String) -> String { "/provisioning/cards/\(PathSegment.encoded(id))" }
}
