import BillfoldTestSupport
import Foundation
import Testing

@testable import ApplePay

@Suite struct ProvisioningDecisionTests {
    private static let instant = Date(timeIntervalSince1970: 1_795_000_000)
    private static let day: TimeInterval = 86_400

    private static func ago(_ days: Double) -> Date { instant - days * day }

    /// An account and a device that give no reason.
    private static func calm() throws -> ProvisioningFacts {
        let five = try #require(ProvisioningScore(5))
        return ProvisioningFacts(
            accountMade: ago(3_000), launch: ago(1_000), cardKnownSince: ago(400), lastActivity: ago(1), deviceScore: five,
            accountScore: five, phoneNumberScore: five)
    }

    /// Each reason with facts just inside its threshold and just outside.
    private static let edges:
        [(ProvisioningReason, @Sendable (inout ProvisioningFacts) -> Void, @Sendable (inout ProvisioningFacts) -> Void)] = [
            (.accountTooNewSinceLaunch, { $0.accountMade = ago(1_040) }, { $0.accountMade = ago(1_040.1) }),
            (.accountTooNew, { $0.accountMade = ago(40) }, { $0.accountMade = ago(40.1) }),
            (.accountCardTooNew, { $0.cardKnownSince = ago(19.9) }, { $0.cardKnownSince = ago(20) }),
            (.accountCardTooNew, { $0.cardKnownSince = nil }, { _ in }),
            (.accountRecentlyChanged, { $0.settingsChanged = ago(20) }, { $0.settingsChanged = ago(20.1) }),
            (.suspiciousActivity, { $0.hasSuspiciousTransactions = true }, { _ in }),
            (.inactiveAccount, { $0.lastActivity = ago(365) }, { $0.lastActivity = ago(364.9) }),
            (.hasSuspendedTokens, { $0.hasSuspendedTokens = true }, { _ in }),
            (
                .deviceRecentlyLost, { $0.lostModes = [.init(begin: ago(3), end: ago(2))] },
                { $0.lostModes = [.init(begin: ago(9), end: ago(8))] }
            ),
            (
                .deviceRecentlyLost, { $0.lostModes = [.init(begin: ago(0.1))] },
                { $0.lostModes = [.init(begin: ago(0.03), end: ago(0.01))] }
            ),
            (
                .tooManyRecentAttempts, { $0.attempts = Array(repeating: ago(2.9), count: 4) },
                { $0.attempts = Array(repeating: ago(2.9), count: 3) + [ago(3.1)] }
            ),
            (
                .tooManyRecentTokens, { $0.cards = Array(repeating: ago(0.9), count: 6) },
                { $0.cards = Array(repeating: ago(0.9), count: 5) + [ago(1.1)] }
            ),
            (.tooManyDifferentCardholders, { $0.cardholderNames = ["a", "b", "c"] }, { $0.cardholderNames = ["a", "b"] }),
            (
                .lowDeviceScore, { $0.deviceScore = ProvisioningScore(2) ?? $0.deviceScore },
                { $0.deviceScore = ProvisioningScore(3) ?? $0.deviceScore }
            ),
            (
                .lowAccountScore, { $0.accountScore = ProvisioningScore(3) ?? $0.accountScore },
                { $0.accountScore = ProvisioningScore(4) ?? $0.accountScore }
            ),
            (.outsideHomeTerritory, { $0.isOutsideHomeTerritory = true }, { _ in }),
            (.unableToAssess, { $0.canBeAssessed = false }, { _ in }),
            (.highRisk, { $0.isHighRisk = true }, { _ in }),
            (
                .lowPhoneNumberScore, { $0.phoneNumberScore = ProvisioningScore(2) ?? $0.phoneNumberScore },
                { $0.phoneNumberScore = ProvisioningScore(3) ?? $0.phoneNumberScore }
            ),
        ]

    @Test func eachReasonBeginsAtItsThreshold() throws {
        #expect(try Self.calm().reasons(at: Self.instant).isEmpty)
        for (reason, inside, outside) in Self.edges {
            var facts = try Self.calm()
            if reason == .accountTooNew { facts.launch = Self.ago(2_000) }
            inside(&facts)
            #expect(facts.reasons(at: Self.instant) == [reason])
            facts = try Self.calm()
            if reason == .accountTooNew { facts.launch = Self.ago(2_000) }
            outside(&facts)
            #expect(facts.reasons(at: Self.instant).isEmpty, "\(reason)")
        }
        #expect(Set(Self.edges.map(\.0)) == Set(ProvisioningReason.allCases))
    }

    @Test func thresholdsAreData() throws {
        var facts = try Self.calm()
        facts.cardholderNames = ["a", "b"]
        var thresholds = ReasonThresholds()
        thresholds.cardholderNames = 1
        #expect(facts.reasons(at: Self.instant, thresholds: thresholds) == [.tooManyDifferentCardholders])
    }

    @Test func reasonsAreReadInEverySpelling() throws {
        for (index, reason) in ProvisioningReason.allCases.enumerated() {
            #expect(ProvisioningReason(anySpelling: reason.rawValue) == reason)
            #expect(ProvisioningReason(anySpelling: reason.name) == reason)
            if index >= 9 { #expect(ProvisioningReason(anySpelling: "\(index + 1)") == reason) }
            let bits = String(repeating: "0", count: 23 - index) + "1" + String(repeating: "0", count: index)
            #expect(ProvisioningReason.reasons(bits: bits) == [reason])
            #expect(ProvisioningReason(anySpelling: bits) == nil)
            for text in [bits, reason.rawValue, reason.name] { #expect(ProvisioningReason.reasons(anySpelling: text) == [reason]) }
        }
        for text in ["", "00", "0I", "18", "010", "high_risk"] { #expect(ProvisioningReason(anySpelling: text) == nil) }
        for bits in ["1", String(repeating: "2", count: 24), "1" + String(repeating: "0", count: 23)] {
            #expect(ProvisioningReason.reasons(bits: bits) == nil)
        }
        #expect(ProvisioningReason.allCases.count == 17)
    }

    @Test func recommendationFollowsFromFacts() throws {
        var facts = try Self.calm()
        let calm = ProvisioningRecommendation(facts, source: .mobileBankingApp, at: Self.instant)
        #expect(calm.outcome == .approved && calm.colour == .green)
        #expect(calm.source?.rawValue == "03")
        facts.isOutsideHomeTerritory = true
        let away = ProvisioningRecommendation(facts, source: .onFile, at: Self.instant)
        #expect(away.outcome == .requireAdditionalAuthentication && away.colour == .yellow && away.reasons == [.outsideHomeTerritory])
        facts.isHighRisk = true
        let risky = ProvisioningRecommendation(facts, source: .keyEntered, at: Self.instant)
        #expect(risky.outcome == .declined && risky.colour == .orange)
        #expect(ProvisioningRecommendation(outcome: .declined, reasons: []).colour == .red)
    }

    @Test func strictestVoteCounts() {
        let all = DecisionColour.allCases
        for left in all {
            for right in all { #expect(DecisionColour.decided(by: [left, right, .green]) == max(left, right)) }
        }
        #expect(DecisionColour.decided(by: [.yellow, .orange, .red]) == .red)
        #expect(DecisionColour.decided(by: []) == .red)
        #expect(all.map(\.outcome) == [.approved, .requireAdditionalAuthentication, .requireAdditionalAuthentication, .declined])
        #expect(ProvisioningOutcome.allCases.map(\.visaActionCode) == ["00", "85", "05"])
        for outcome in ProvisioningOutcome.allCases { #expect(ProvisioningOutcome(visaActionCode: outcome.visaActionCode) == outcome) }
        #expect(ProvisioningOutcome(visaActionCode: "99") == nil)
        #expect(ProvisioningScore(0) == nil && ProvisioningScore(6) == nil)
        #expect((1...5).compactMap { ProvisioningScore($0) }.max()?.value == 5)
    }
}
