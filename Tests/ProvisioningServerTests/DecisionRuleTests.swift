import ApplePay
import BillfoldJSON
import BillfoldStorage
import Foundation
import Testing

@testable import ProvisioningServer

struct DecisionRuleTests {
    static let now = Timestamp(secondsSince1970: 1_795_204_800)

    /// A request that no rule of the usual policy objects to.
    static func request(_ change: (inout DecisionInputs) -> Void = { _ in }) -> DecisionInputs {
        var inputs = DecisionInputs(
            network: .visa, tokenRequestor: "40010030273",
            device: .init(secureElement: String(repeating: "0A", count: 24), kind: .phone, name: "Mei's phone"),
            recommendation: recommendation(), activation: .init(isPresent: true, isValid: true, code: .matching),
            card: .init(status: .active, network: .visa), at: now)
        change(&inputs)
        return inputs
    }

    static func recommendation(
        _ outcome: ProvisioningOutcome = .approved, _ reasons: [ProvisioningReason] = [], device: Int? = 5, account: Int? = 5,
        phone: Int? = 5
    ) -> ProvisioningRecommendation {
        ProvisioningRecommendation(
            outcome: outcome, reasons: reasons, deviceScore: device.flatMap(ProvisioningScore.init),
            accountScore: account.flatMap(ProvisioningScore.init), phoneNumberScore: phone.flatMap(ProvisioningScore.init),
            source: .mobileBankingApp)
    }

    private static func days(_ days: Int64) -> Timestamp { now.advanced(by: .seconds(-86_400 * days)) }

    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var colour: DecisionColour
        var reasons: [DecisionReason]
        var policy: DecisionPolicy
        var request: DecisionInputs
        var testDescription: String { name }

        init(
            _ name: String, _ colour: DecisionColour, _ reasons: [DecisionReason], policy: DecisionPolicy = DecisionPolicy(),
            _ change: (inout DecisionInputs) -> Void
        ) {
            (self.name, self.colour, self.reasons, self.policy) = (name, colour, reasons, policy)
            request = DecisionRuleTests.request(change)
        }
    }

    private static func rules(_ change: (inout DecisionPolicy) -> Void) -> DecisionPolicy {
        var policy = DecisionPolicy()
        change(&policy)
        return policy
    }

    static let cases: [Case] = [
        Case("nothing speaks against it", .green, []) { _ in },
        // The card.
        Case("unknown card", .red, [.cardUnknown]) { $0.card = nil },
        Case("blocked card", .red, [.cardBlocked]) { $0.card?.status = .blocked },
        Case("closed card", .red, [.cardClosed]) { $0.card?.status = .closed },
        Case("another network's card", .red, [.networkMismatch]) { $0.card?.network = .unionPay },
        Case("another expiry", .red, [.expiryMismatch]) { $0.card?.expiryMatches = false },
        Case("programme off", .red, [.programmeOff]) { $0.card?.isProgrammeEnabled = false },
        Case("card off", .red, [.cardOff]) { $0.card?.isEnabled = false },
        Case("both off", .red, [.programmeOff, .cardOff]) {
            $0.card?.isProgrammeEnabled = false
            $0.card?.isEnabled = false
        },
        Case("off the list, in production", .green, []) { $0.card?.isOnAllowList = false },
        Case("off the list, in the test phase", .red, [.notOnAllowList], policy: rules { $0.isTestPhase = true }) {
            $0.card?.isOnAllowList = false
        },
        Case("on the list, in the test phase", .green, [], policy: rules { $0.isTestPhase = true }) { $0.card?.isOnAllowList = true },
        Case("another wallet", .red, [.tokenRequestorUnknown]) { $0.tokenRequestor = "40010030274" },
        Case("one network's identity at another", .red, [.tokenRequestorUnknown]) { $0.tokenRequestor = "50110030273" },
        Case("a network whose wallets nobody listed", .green, []) {
            $0.network = .unionPay
            $0.card?.network = .unionPay
            $0.tokenRequestor = "1"
        },
        Case("as many tokens as allowed", .green, []) { $0.card?.otherTokens = 9 },
        Case("a token too many", .red, [.tooManyTokens]) { $0.card?.otherTokens = 10 },
        // Coming back.
        Case("back for the third time in a month", .green, []) { $0.earlierProvisionings = [days(9), days(8), days(7)] },
        Case("back for the fourth time in a month", .red, [.tooManyReprovisionings]) {
            $0.earlierProvisionings = [days(9), days(8), days(7), days(6)]
        },
        Case("the first time long ago, back for the fourth time now", .red, [.tooManyReprovisionings]) {
            $0.earlierProvisionings = [days(2_000), days(8), days(7), days(6)]
        },
        Case("thirty days are over", .green, []) { $0.earlierProvisionings = [days(90), days(30), days(8), days(7)] },
        Case("back for the fifth time in half a year", .green, []) {
            $0.earlierProvisionings = [days(400), days(150), days(120), days(90), days(60)]
        },
        Case("back for the sixth time in half a year", .red, [.tooManyReprovisionings]) {
            $0.earlierProvisionings = [days(400), days(150), days(120), days(90), days(60), days(40)]
        },
        Case("stricter limits", .red, [.tooManyReprovisionings], policy: rules { $0.reprovisionings = [.init(count: 0, days: 1)] }) {
            $0.earlierProvisionings = [days(4)]
        },
        // The wallet.
        Case("account score 3", .green, []) { $0.recommendation = recommendation(account: 3) },
        Case("account score 2", .yellow, [.accountScoreLow]) { $0.recommendation = recommendation(account: 2) },
        Case("account score 1", .red, [.accountScoreLow]) { $0.recommendation = recommendation(account: 1) },
        Case("account score 1 where it asks for verification only", .yellow, [.accountScoreLow], policy: rules { $0.accountScore.red = 0 })
        {
            $0.recommendation = recommendation(account: 1)
        },
        Case("device score 2", .yellow, [.deviceScoreLow]) { $0.recommendation = recommendation(device: 2) },
        Case("device score 1", .yellow, [.deviceScoreLow]) { $0.recommendation = recommendation(device: 1) },
        Case("phone number score 2", .yellow, [.phoneNumberScoreLow]) { $0.recommendation = recommendation(phone: 2) },
        Case("no scores", .green, []) { $0.recommendation = recommendation(device: nil, account: nil, phone: nil) },
        Case("the wallet wants verification", .yellow, [.walletWantsVerification]) {
            $0.recommendation = recommendation(.requireAdditionalAuthentication, [.accountTooNew])
        },
        Case("abroad, though approved", .yellow, [.outsideHomeTerritory]) {
            $0.recommendation = recommendation(.approved, [.outsideHomeTerritory])
        },
        Case("abroad, where nobody minds", .green, [], policy: rules { $0.riskReasons = [:] }) {
            $0.recommendation = recommendation(.approved, [.outsideHomeTerritory])
        },
        Case(
            "a reason that a programme fears", .orange, [.walletRiskReason],
            policy: rules { $0.riskReasons = [.deviceRecentlyLost: .orange] }
        ) {
            $0.recommendation = recommendation(.approved, [.deviceRecentlyLost])
        },
        Case("the wallet declines", .red, [.walletDeclined]) { $0.recommendation = recommendation(.declined, [.suspiciousActivity]) },
        Case("the wallet declines for high risk", .orange, [.walletHighRisk]) {
            $0.recommendation = recommendation(.declined, [.highRisk])
        },
        Case("the wallet approves a high risk", .orange, [.walletHighRisk]) { $0.recommendation = recommendation(.approved, [.highRisk]) },
        Case("good reasons", .green, []) { $0.otherReasons = ["LONG_ACCOUNT_TENURE", "ADDITIONAL_DEVICE"] },
        Case("a reason that nobody here knows", .yellow, [.walletRiskReason]) { $0.otherReasons = ["LONG_ACCOUNT_TENURE", "0Z"] },
        // The bank's own app.
        Case("no activation data", .yellow, [.activationMissing]) { $0.activation = .init(isPresent: false, isValid: false) },
        Case("activation data that do not open", .yellow, [.activationInvalid]) { $0.activation = .init(isPresent: true, isValid: false) },
        Case("activation data too old", .yellow, [.activationExpired]) {
            $0.activation = .init(isPresent: true, isValid: false, problem: "AH")
        },
        Case("activation data of somebody else", .yellow, [.activationForAnother]) {
            $0.activation = .init(isPresent: true, isValid: false, problem: "AI")
        },
        Case("a code that is not ours", .yellow, [.activationCodeUnknown]) {
            $0.activation = .init(isPresent: true, isValid: true, code: .unknown)
        },
        Case("no activation data, where a low risk is enough", .green, [], policy: rules { $0.requiresActivation = false }) {
            $0.activation = .init(isPresent: false, isValid: false)
        },
        Case(
            "wrong activation data, where a low risk is enough", .yellow, [.activationInvalid],
            policy: rules { $0.requiresActivation = false }
        ) {
            $0.activation = .init(isPresent: true, isValid: false)
        },
        Case("a code that was used", .yellow, [.activationCodeUsed]) {
            $0.activation = .init(isPresent: true, isValid: true, code: .used)
        },
        Case("a form that has a code, without it", .yellow, [.activationCodeMissing]) {
            $0.activation = .init(isPresent: true, isValid: true, code: .none)
        },
        Case("a form without a code", .green, []) {
            $0.activation = .init(isPresent: true, isValid: true, code: .none)
            ($0.network, $0.tokenRequestor) = (.mastercard, "50110030273")
            $0.card?.network = .mastercard
        },
        // The fraud team.
        Case("another token's review waits, however long", .orange, [.reviewWaiting]) {
            $0.otherReviews = [.init(.waiting, isSameDevice: false, at: days(400))]
        },
        Case("another token was refused in this device", .red, [.reviewRefused]) {
            $0.otherReviews = [.init(.refused, isSameDevice: true, at: days(29))]
        },
        Case("another token was refused in another device", .orange, [.reviewRefused]) {
            $0.otherReviews = [.init(.refused, isSameDevice: false, at: days(29))]
        },
        Case("another token went undecided", .orange, [.reviewUndecided]) {
            $0.otherReviews = [.init(.expired, isSameDevice: false, at: days(29))]
        },
        Case("other tokens' reviews of long ago", .green, []) {
            $0.otherReviews = [.init(.refused, isSameDevice: true, at: days(30)), .init(.expired, isSameDevice: true, at: days(30))]
        },
        Case("another token was refused, where each counts for itself", .green, [], policy: rules { $0.reviewDays = 0 }) {
            $0.otherReviews = [.init(.refused, isSameDevice: true, at: days(1))]
        },
        Case("the device is lost", .red, [.deviceLost]) { $0.isDeviceLost = true },
        Case("a review waits", .orange, [.reviewWaiting]) { $0.review = .waiting },
        Case("a review refused it", .red, [.reviewRefused]) { $0.review = .refused },
        Case("a review approved it", .green, []) { $0.review = .approved },
        // Votes.
        Case("red beats all", .red, [.cardBlocked, .walletHighRisk, .deviceScoreLow, .activationMissing]) {
            $0.card?.status = .blocked
            $0.recommendation = recommendation(.declined, [.highRisk], device: 1)
            $0.activation = .init(isPresent: false, isValid: false)
        },
        Case("orange beats yellow", .orange, [.walletHighRisk, .deviceScoreLow, .activationMissing]) {
            $0.recommendation = recommendation(.declined, [.highRisk], device: 1)
            $0.activation = .init(isPresent: false, isValid: false)
        },
        Case("valid activation data do not outvote the wallet", .yellow, [.walletWantsVerification, .outsideHomeTerritory]) {
            $0.recommendation = recommendation(.requireAdditionalAuthentication, [.outsideHomeTerritory], account: 3)
        },
    ]

    @Test(arguments: cases)
    func colourAndReasonsFollowFromWhatIsKnown(_ example: Case) {
        let decision = example.policy.decide(example.request)
        #expect(decision.colour == example.colour)
        #expect(decision.reasons == example.reasons)
    }

    @Test func everyReasonIsReached() {
        let reached = Set(Self.cases.flatMap(\.reasons))
        #expect(reached.count == 30)
    }

    @Test func theNetworkKnowsThreeOutcomes() {
        #expect(Decision([]).outcome == .approved)
        #expect(Decision([.init(.yellow, .activationMissing)]).outcome == .requireAdditionalAuthentication)
        #expect(Decision([.init(.orange, .walletHighRisk)]).outcome == .requireAdditionalAuthentication)
        #expect(Decision([.init(.yellow, .activationMissing), .init(.red, .cardClosed)]).outcome == .declined)
    }

    @Test func aProgrammesFileSaysWhatIsOtherThanUsual() throws {
        func policy(_ json: String, _ network: CardScheme = .visa) throws -> DecisionPolicy {
            try DecisionPolicy(RequestReader(Array(json.utf8), allowing: DecisionPolicy.members), network: network)
        }
        #expect(try policy("{}") == DecisionPolicy())
        var expected = DecisionPolicy()
        expected.isTestPhase = true
        expected.requiresActivation = false
        expected.tokensPerCard = 2
        expected.reprovisionings = [.init(count: 1, days: 7)]
        expected.accountScore = .init(red: 0, yellow: 3)
        expected.riskReasons = [.deviceRecentlyLost: .orange]
        expected.tokenRequestors[.visa] = ["1", "2"]
        let written = #"""
            {"testPhase":true,"requiresActivation":false,"tokensPerCard":2,"reprovisionings":[{"count":1,"days":7}],
             "accountScore":{"red":0,"yellow":3},"riskReasons":[{"reason":"08","colour":"orange"}],"tokenRequestors":["1","2"]}
            """#
        #expect(try policy(written) == expected)
        #expect(try policy(#"{"tokenRequestors":[]}"#, .mastercard).tokenRequestors[.mastercard] == nil)
        for bad in [
            #"{"testphase":true}"#, #"{"tokensPerCard":0}"#, #"{"accountScore":{"red":6,"yellow":2}}"#, #"{"accountScore":{"red":1}}"#,
            #"{"riskReasons":[{"reason":"0Z","colour":"red"}]}"#, #"{"riskReasons":[{"reason":"0E","colour":"blue"}]}"#,
            #"{"reprovisionings":[{"count":1,"days":0}]}"#, #"{"testPhase":"yes"}"#,
        ] { #expect(throws: ProvisioningError.self, "\(bad)") { try policy(bad) } }
    }

    @Test func inputsAreStoredWhole() throws {
        for example in Self.cases {
            #expect(try JSONDocument.decode(DecisionInputs.self, JSONDocument.encode(example.request)) == example.request)
        }
    }
}
