/// Why an issuer did not leave a request green: a stable code, for the network and the operator.
///
/// New codes are added without breaking callers; none is ever given another meaning.
package struct DecisionReason: RawRepresentable, Sendable, Hashable, Codable, CustomStringConvertible {
    package var rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }
    private init(_ rawValue: String) { self.rawValue = rawValue }

    package init(from decoder: any Decoder) throws { rawValue = try decoder.singleValueContainer().decode(String.self) }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }

    package var description: String { rawValue }

    // What the bank knows of the card.
    /// The issuer has no card of that number.
    package static let cardUnknown = Self("card-unknown")
    package static let cardBlocked = Self("card-blocked")
    package static let cardClosed = Self("card-closed")
    /// The expiry is not the one on the card.
    package static let expiryMismatch = Self("expiry-mismatch")
    /// The card belongs to another network than the one that asks.
    package static let networkMismatch = Self("network-mismatch")
    /// The bank's remote switch of the programme is off.
    package static let programmeOff = Self("programme-off")
    /// The bank's remote switch of the card is off.
    package static let cardOff = Self("card-off")
    /// Card and secure element are not on the list of a programme that is being tested.
    package static let notOnAllowList = Self("not-on-allow-list")
    package static let tokenRequestorUnknown = Self("token-requestor-unknown")
    package static let tooManyTokens = Self("too-many-tokens")
    package static let tooManyReprovisionings = Self("too-many-reprovisionings")

    // What the fraud team does.
    /// A person still looks at an earlier request about this token or its card.
    package static let reviewWaiting = Self("review-waiting")
    /// The fraud team refused this token, or lately another of its card.
    package static let reviewRefused = Self("review-refused")
    /// An earlier token of the card went before the fraud team had decided about it.
    package static let reviewUndecided = Self("review-undecided")
    /// The device was reported lost and not found again.
    package static let deviceLost = Self("device-lost")

    // What the wallet recommends.
    package static let walletDeclined = Self("wallet-declined")
    /// `0G`, or `HIGH_RISK`.
    package static let walletHighRisk = Self("wallet-high-risk")
    package static let walletWantsVerification = Self("wallet-wants-verification")
    package static let accountScoreLow = Self("account-score-low")
    package static let deviceScoreLow = Self("device-score-low")
    package static let phoneNumberScoreLow = Self("phone-number-score-low")
    package static let outsideHomeTerritory = Self("outside-home-territory")
    /// One of the wallet's reasons by which the programme asks for verification.
    package static let walletRiskReason = Self("wallet-risk-reason")

    // What shows that the bank's own app asked.
    package static let activationMissing = Self("activation-missing")
    package static let activationInvalid = Self("activation-invalid")
    /// `AH`.
    package static let activationExpired = Self("activation-expired")
    /// `AI`: made for another user or device.
    package static let activationForAnother = Self("activation-for-another")
    /// The code in the activation data is none that the issuer made for this card.
    package static let activationCodeUnknown = Self("activation-code-unknown")
    /// The network's form of activation data has a code, and none was told.
    package static let activationCodeMissing = Self("activation-code-missing")
    /// An earlier request came with the same activation data.
    package static let activationCodeUsed = Self("activation-code-used")
}
