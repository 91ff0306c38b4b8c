import ApplePay
import Foundation

/// Turns history into what the broker recommends: scores here, reasons by the thresholds of provisioning.md#reasons.
///
/// How Apple scores is not public. These scores are this sandbox's own: they fall with youth and trouble. [I]
struct BrokerScores {
    let account: BrokerAccount
    let device: BrokerDeviceRecord
    /// Network and last digits of the card that is to be added.
    let card: String
    let hasSuspendedTokens: Bool
    let now: Int64

    /// Fraud reports from which on the wallet recommends to decline.
    private static let highRisk = 3
    private static let day = BrokerAccount.day

    private var isAbroad: Bool { account.country != device.country }

    var accountScore: ProvisioningScore? {
        let tenure: [Int64] = [10, 40, 120, 365]
        let base = 1 + tenure.count { now - account.made >= $0 * Self.day }
        return Self.score(base - (isAbroad ? 2 : 0) - account.fraudReports)
    }

    var deviceScore: ProvisioningScore? {
        let base = 3 + [Int64(1), 30].count { now - device.knownSince >= $0 * Self.day }
        return Self.score(base - 2 * device.lostModes.count { now - ($0.end ?? now) <= 30 * Self.day })
    }

    var phoneNumberScore: ProvisioningScore? {
        Self.score(2 + [Int64(20), 90, 365].count { now - account.phoneNumberSince >= $0 * Self.day })
    }

    private static func score(_ value: Int) -> ProvisioningScore? { ProvisioningScore(min(5, max(1, value))) }

    /// Nil where a score is out of its range, which it never is.
    var recommendation: ProvisioningRecommendation? {
        guard let deviceScore, let accountScore, let phoneNumberScore else { return nil }
        func date(_ milliseconds: Int64) -> Date { Date(timeIntervalSince1970: TimeInterval(milliseconds) / 1_000) }
        let known = account.cardsOnFile.filter { "\($0.network) \($0.suffix)" == card }.map(\.since).min()
        var facts = ProvisioningFacts(
            accountMade: date(account.made), launch: date(account.launch), cardKnownSince: known.map(date),
            lastActivity: date(account.lastActivity), deviceScore: deviceScore, accountScore: accountScore,
            phoneNumberScore: phoneNumberScore)
        facts.settingsChanged = account.settingsChanged.map(date)
        facts.hasSuspiciousTransactions = account.fraudReports > 0
        facts.hasSuspendedTokens = hasSuspendedTokens
        facts.lostModes = device.lostModes.map { .init(begin: date($0.begin), end: $0.end.map(date)) }
        facts.attempts = device.attempts.filter { $0.card == card }.map { date($0.at) }
        var first: [String: Int64] = [:]
        for attempt in device.attempts { first[attempt.card] = min(first[attempt.card] ?? attempt.at, attempt.at) }
        facts.cards = first.values.map(date)
        facts.cardholderNames = Set(account.cardholderNames)
        facts.isOutsideHomeTerritory = isAbroad
        facts.isHighRisk = account.fraudReports >= Self.highRisk
        return ProvisioningRecommendation(facts, source: .mobileBankingApp, at: date(now))
    }
}
