/// The four ways a request to add a card can go (provisioning.md#colours).
public enum DecisionColour: String, Sendable, Hashable, CaseIterable, Comparable {
    /// The token is active at once.
    case green
    /// The token is inactive until the cardholder is verified.
    case yellow
    /// High risk: verification by the fraud desk alone.
    case orange
    /// No token.
    case red

    /// The stricter one is greater.
    public static func < (left: Self, right: Self) -> Bool { left.strictness < right.strictness }

    private var strictness: Int {
        switch self {
        case .green: 0
        case .yellow: 1
        case .orange: 2
        case .red: 3
        }
    }

    /// Wallet, network and issuer vote, and the strictest vote counts (provisioning.md#colours [O]; orange between yellow and red [I]).
    /// Without a vote nothing is approved.
    public static func decided(by votes: [DecisionColour]) -> DecisionColour { votes.max() ?? .red }

    /// What a network is answered: it knows three outcomes.
    public var outcome: ProvisioningOutcome {
        switch self {
        case .green: .approved
        case .yellow, .orange: .requireAdditionalAuthentication
        case .red: .declined
        }
    }
}
