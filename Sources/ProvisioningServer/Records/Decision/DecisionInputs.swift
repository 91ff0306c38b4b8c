package import ApplePay
package import BillfoldStorage

/// Everything that a decision is made from, without a card number or a code: kept with the decision, so that an operator can see why.
package struct DecisionInputs: Sendable, Hashable, Codable {
    /// Where the token is to live.
    package struct Device: Sendable, Hashable, Codable {
        package enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
            case phone, tablet, watch
        }

        /// 48 upper-case hexadecimal digits.
        package var secureElement: String
        package var kind: Kind
        package var name: String

        package init(secureElement: String, kind: Kind, name: String) {
            self.secureElement = secureElement
            self.kind = kind
            self.name = name
        }
    }

    /// What the network found in the activation data, and the bank in its code.
    package struct Activation: Sendable, Hashable, Codable {
        package enum Code: String, Sendable, Hashable, Codable, CaseIterable {
            /// The network told no code; its kind of activation data may have none.
            case none
            /// The issuer made it for this card.
            case matching
            /// The issuer did not make it, or for another card.
            case unknown
            /// The issuer made it for this card, and another request came with it before.
            case used
        }

        package var isPresent: Bool
        package var isValid: Bool
        /// The network's word for what is wrong: `AH` issuer data expired, `AI` another user or device (provisioning.md#visa-block).
        package var problem: String?
        package var code: Code

        package init(isPresent: Bool, isValid: Bool, problem: String? = nil, code: Code = .none) {
            self.isPresent = isPresent
            self.isValid = isValid
            self.problem = problem
            self.code = code
        }
    }

    /// What the bank knows of the card when it decides.
    package struct Card: Sendable, Hashable, Codable {
        package var status: StoredCard.Status
        package var isEnabled: Bool
        package var isProgrammeEnabled: Bool
        package var network: CardScheme
        package var expiryMatches: Bool
        /// Whether card and secure element are on the programme's allow list.
        package var isOnAllowList: Bool
        /// The card's tokens that are not deleted, in other secure elements than this one; those that were let in lately count before
        /// the network tells of them.
        package var otherTokens: Int
        /// Which of the card's numbers was asked about, counted from 1.
        package var numberVersion: Int64?

        package init(
            status: StoredCard.Status, isEnabled: Bool = true, isProgrammeEnabled: Bool = true, network: CardScheme,
            expiryMatches: Bool = true, isOnAllowList: Bool = false, otherTokens: Int = 0, numberVersion: Int64? = nil
        ) {
            self.status = status
            self.isEnabled = isEnabled
            self.isProgrammeEnabled = isProgrammeEnabled
            self.network = network
            self.expiryMatches = expiryMatches
            self.isOnAllowList = isOnAllowList
            self.otherTokens = otherTokens
            self.numberVersion = numberVersion
        }
    }

    /// How the fraud team stands to another token of the card.
    package struct OtherReview: Sendable, Hashable, Codable {
        package var state: StoredReview.State
        /// Whether that token was asked for in this secure element.
        package var isSameDevice: Bool
        /// When it ended; while it waits, when it began.
        package var at: Timestamp

        package init(_ state: StoredReview.State, isSameDevice: Bool, at: Timestamp) {
            self.state = state
            self.isSameDevice = isSameDevice
            self.at = at
        }
    }

    /// Who asks.
    package var network: CardScheme
    package var tokenRequestor: String
    package var device: Device
    package var recommendation: ProvisioningRecommendation
    /// Reasons of the wallet's that are not known here, as the network wrote them.
    package var otherReasons: [String]
    package var activation: Activation
    /// `nil` when no card of ours has the number.
    package var card: Card?
    /// When this card was let into this secure element before, oldest first.
    package var earlierProvisionings: [Timestamp]
    /// How the gravest review of this token stands; `nil` when there was none.
    package var review: StoredReview.State?
    /// Reviews of the card's other tokens, oldest first; `nil` in decisions of before they counted.
    package var otherReviews: [OtherReview]?
    /// Whether the secure element was reported lost and not found again; `nil` in decisions of before that counted.
    package var isDeviceLost: Bool?
    package var at: Timestamp

    package init(
        network: CardScheme, tokenRequestor: String, device: Device, recommendation: ProvisioningRecommendation,
        otherReasons: [String] = [], activation: Activation, card: Card?,
        earlierProvisionings: [Timestamp] = [], review: StoredReview.State? = nil, otherReviews: [OtherReview] = [],
        isDeviceLost: Bool = false, at: Timestamp
    ) {
        self.network = network
        self.tokenRequestor = tokenRequestor
        self.device = device
        self.recommendation = recommendation
        self.otherReasons = otherReasons
        self.activation = activation
        self.card = card
        self.earlierProvisionings = earlierProvisionings
        self.review = review
        self.otherReviews = otherReviews
        self.isDeviceLost = isDeviceLost
        self.at = at
    }
}

extension DecisionInputs.Device {
    /// The one spelling in which secure elements are stored and compared; `nil` for what is none.
    static func secureElement(_ text: String) -> String? {
        let isHexadecimal = text.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x46).contains(byte) || (0x61...0x66).contains(byte)
        }
        return isHexadecimal && text.utf8.count == 48 ? text.uppercased() : nil
    }
}
