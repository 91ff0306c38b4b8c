public import Foundation

/// What a wallet's broker holds about an account and a device when a card is to be added: the source of its reasons
/// (provisioning.md#reasons).
public struct ProvisioningFacts: Sendable, Hashable {
    /// A time in which the device was marked as lost.
    public struct LostMode: Sendable, Hashable {
        public var begin: Date
        /// Nil while it lasts.
        public var end: Date?

        public init(begin: Date, end: Date? = nil) {
            self.begin = begin
            self.end = end
        }
    }

    public var accountMade: Date
    /// When the wallet came to the account's country.
    public var launch: Date
    /// Since when the account knows this card; nil when it does not.
    public var cardKnownSince: Date?
    public var settingsChanged: Date?
    public var lastActivity: Date
    public var hasSuspiciousTransactions = false
    public var hasSuspendedTokens = false
    public var lostModes: [LostMode] = []
    /// Earlier attempts of this card on this device, this one among them.
    public var attempts: [Date] = []
    /// When each different card came to this device, this one among them.
    public var cards: [Date] = []
    public var cardholderNames: Set<String> = []
    public var isOutsideHomeTerritory = false
    /// False when the rules could not be asked in time.
    public var canBeAssessed = true
    /// The wallet recommends to decline.
    public var isHighRisk = false
    public var deviceScore: ProvisioningScore
    public var accountScore: ProvisioningScore
    public var phoneNumberScore: ProvisioningScore

    public init(
        accountMade: Date, launch: Date, cardKnownSince: Date?, lastActivity: Date, deviceScore: ProvisioningScore,
        accountScore: ProvisioningScore, phoneNumberScore: ProvisioningScore
    ) {
        self.accountMade = accountMade
        self.launch = launch
        self.cardKnownSince = cardKnownSince
        self.lastActivity = lastActivity
        self.deviceScore = deviceScore
        self.accountScore = accountScore
        self.phoneNumberScore = phoneNumberScore
    }

    /// The reasons in the order of their codes.
    public func reasons(at instant: Date, thresholds: ReasonThresholds = .init()) -> [ProvisioningReason] {
        ProvisioningReason.allCases.filter { holds($0, at: instant, within: thresholds) }
    }

    private func holds(_ reason: ProvisioningReason, at instant: Date, within limits: ReasonThresholds) -> Bool {
        func age(_ date: Date) -> Int { Int(instant.timeIntervalSince(date).rounded(.down)) }
        switch reason {
        case .accountTooNewSinceLaunch: return (0...limits.accountAge).contains(Int(launch.timeIntervalSince(accountMade).rounded(.down)))
        case .accountTooNew: return age(accountMade) <= limits.accountAge
        case .accountCardTooNew: return cardKnownSince.map { age($0) < limits.accountCardAge } ?? true
        case .accountRecentlyChanged: return settingsChanged.map { age($0) <= limits.accountChange } ?? false
        case .suspiciousActivity: return hasSuspiciousTransactions
        case .inactiveAccount: return age(lastActivity) >= limits.inactivity
        case .hasSuspendedTokens: return hasSuspendedTokens
        case .deviceRecentlyLost:
            return lostModes.contains { lost in
                let end = lost.end ?? instant
                return age(end) <= limits.lostWithin && Int(end.timeIntervalSince(lost.begin).rounded(.down)) > limits.lostFor
            }
        case .tooManyRecentAttempts: return attempts.count { age($0) <= limits.attemptWindow } > limits.attempts
        case .tooManyRecentTokens: return cards.count { age($0) <= limits.cardWindow } > limits.cards
        case .tooManyDifferentCardholders: return cardholderNames.count > limits.cardholderNames
        case .lowDeviceScore: return deviceScore.value < limits.deviceScore
        case .lowAccountScore: return accountScore.value < limits.accountScore
        case .outsideHomeTerritory: return isOutsideHomeTerritory
        case .unableToAssess: return !canBeAssessed
        case .highRisk: return isHighRisk
        case .lowPhoneNumberScore: return phoneNumberScore.value < limits.phoneNumberScore
        }
    }
}
