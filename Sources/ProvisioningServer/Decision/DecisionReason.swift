/// Why an issuer did not leave a request green: a stable code, for the network and the operator.
///
/// New codes are added without breaking callers; none is ever given another meaning.
public struct DecisionReason: RawRepresentable, Sendable, Hashable, Codable, CustomStringConvertible {
    public var rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }
    private init(_ rawValue: String) { self.rawValue = rawValue }

    public init(from decoder: any Decoder) throws { rawValue = try decoder.singleValueContainer().decode(String.self) }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }

    public var description: String { rawValue }

    // What the bank knows of the card.
    /// The issuer has no card of that number.
    public static let cardUnknown = Self("card-unknown")
    public static let cardBlocked = Self("card-blocked")
    public static let cardClosed = Self("card-closed")
    /// The expiry is not the one on the card.
    public static let expiryMismatch = Self("expiry-mismatch")
    /// The card belongs to another network than the one that asks.
    public static let networkMismatch = Self("network-mismatch")
    /// The bank's remote switch of the programme is off.
    public static let programmeOff = Self("programme-off")
    /// The bank's remote switch of the card is off.
    public static let cardOff = Self("card-off")
    /// Card and secure element are not on the list of a programme that is being tested.
    public static let notOnAllowList = Self("not-on-allow-list")
    public static let tokenRequestorUnknown = Self("token-requestor-unknown")
    public static let tooManyTokens = Self("too-many-tokens")
    public static let tooManyReprovisionings = Self("too-many-reprovisionings")

    // What the fraud team does.
    /// A person still looks at an earlier request about this token or its card.
    public static let reviewWaiting = Self("review-waiting")
    /// The fraud team refused this token, or lately another of its card.
    public static let reviewRefused = Self("review-refused")
    /// An earlier token of the card went before the fraud team had decided about it.
    public static let reviewUndecided = Self("review-undecided")
    /// The device was reported lost and not found again.
    public static let deviceLost = Self("device-lost")

    // What the wallet recommends.
    public static let walletDeclined = Self("wallet-declined")
    /// `0G`, or `HIGH_RISK`.
    public static let walletHighRisk = Self("wallet-high-risk")
    public static let walletWantsVerification = Self("wallet-wants-verification")
    public static let accountScoreLow = Self("account-score-low")
    public static let deviceScoreLow = Self("device-score-low")
    public static let phoneNumberScoreLow = Self("phone-number-score-low")
    public static let outsideHomeTerritory = Self("outside-home-territory")
    /// One of the wallet's reasons by which the programme asks for verification.
    public static let walletRiskReason = Self("wallet-risk-reason")

    // What shows that the bank's own app asked.
    public static let activationMissing = Self("activation-missing")
    public static let activationInvalid = Self("activation-invalid")
    /// `AH`.
    public static let activationExpired = Self("activation-expired")
    /// `AI`: made for another user or device.
    public static let activationForAnother = Self("activation-for-another")
    /// The code in the activation data is none that the issuer made for this card.
    public static let activationCodeUnknown = Self("activation-code-unknown")
    /// The network's form of activation data has a code, and none was told.
    public static let activationCodeMissing = Self("activation-code-missing")
    /// An earlier request came with the same activation data.
    public static let activationCodeUsed = Self("activation-code-used")
}
