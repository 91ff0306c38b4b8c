/// Why the wallet recommends what it recommends, by the codes that networks pass on (provisioning.md#reasons [O]).
public enum ProvisioningReason: String, Sendable, Hashable, CaseIterable {
    case accountTooNewSinceLaunch = "01"
    case accountTooNew = "02"
    case accountCardTooNew = "03"
    case accountRecentlyChanged = "04"
    case suspiciousActivity = "05"
    case inactiveAccount = "06"
    case hasSuspendedTokens = "07"
    case deviceRecentlyLost = "08"
    case tooManyRecentAttempts = "09"
    case tooManyRecentTokens = "0A"
    case tooManyDifferentCardholders = "0B"
    case lowDeviceScore = "0C"
    case lowAccountScore = "0D"
    case outsideHomeTerritory = "0E"
    case unableToAssess = "0F"
    case highRisk = "0G"
    case lowPhoneNumberScore = "0H"

    /// The name that some platforms deliver instead of the code.
    public var name: String {
        switch self {
        case .accountTooNewSinceLaunch: "ACCOUNT_TOO_NEW_SINCE_LAUNCH"
        case .accountTooNew: "ACCOUNT_TOO_NEW"
        case .accountCardTooNew: "ACCOUNT_CARD_TOO_NEW"
        case .accountRecentlyChanged: "ACCOUNT_RECENTLY_CHANGED"
        case .suspiciousActivity: "SUSPICIOUS_ACTIVITY"
        case .inactiveAccount: "INACTIVE_ACCOUNT"
        case .hasSuspendedTokens: "HAS_SUSPENDED_TOKENS"
        case .deviceRecentlyLost: "DEVICE_RECENTLY_LOST"
        case .tooManyRecentAttempts: "TOO_MANY_RECENT_ATTEMPTS"
        case .tooManyRecentTokens: "TOO_MANY_RECENT_TOKENS"
        case .tooManyDifferentCardholders: "TOO_MANY_DIFFERENT_CARDHOLDERS"
        case .lowDeviceScore: "LOW_DEVICE_SCORE"
        case .lowAccountScore: "LOW_ACCOUNT_SCORE"
        case .outsideHomeTerritory: "OUTSIDE_HOME_TERRITORY"
        case .unableToAssess: "UNABLE_TO_ASSESS"
        case .highRisk: "HIGH_RISK"
        case .lowPhoneNumberScore: "LOW_PHONE_NUMBER_SCORE"
        }
    }

    /// Reads every form that networks pass on: 24 bits, or one code, name or number. `nil` for what is no reason known here.
    public static func reasons(anySpelling text: String) -> [Self]? {
        text.utf8.count == 24 && text.utf8.allSatisfy({ $0 == 0x30 || $0 == 0x31 })
            ? reasons(bits: text) : Self(anySpelling: text).map { [$0] }
    }

    /// Reads a code, a name, or the two-digit numbers 10 to 17 that some platforms write for 0A to 0H (provisioning.md#reasons [O]).
    public init?(anySpelling text: String) {
        if let reason = Self(rawValue: text) ?? Self.allCases.first(where: { $0.name == text }) {
            self = reason
        } else if text.utf8.count == 2, let number = Int(text), (10...17).contains(number) {
            self = Self.allCases[number - 1]
        } else {
            return nil
        }
    }

    /// Reads the form of 24 bits in which the first reason is the rightmost bit (provisioning.md#reasons [O]). Nil for another text, or
    /// when a bit beyond the known reasons is set.
    public static func reasons(bits: String) -> [Self]? {
        let letters = Array(bits.utf8.reversed())
        guard letters.count == 24, letters.allSatisfy({ $0 == 0x30 || $0 == 0x31 }),
            letters.dropFirst(allCases.count).allSatisfy({ $0 == 0x30 })
        else { return nil }
        return zip(allCases, letters).filter { $0.1 == 0x31 }.map(\.0)
    }
}
