import BillfoldDiagnosis
import Foundation
import PassKitSimulator
import Synchronization

@testable import ApplePayApp

/// An issuer's host whose answers a test writes.
final class FakeIssuer: IssuerServer {
    struct State {
        var cards = [FakeIssuer.card]
        var eligibility = IssuerEligibility.enabled
        var configuration = FakeIssuer.configuration
        /// What the questions throw, in order, before they answer.
        var refusals: [String: [ApplePayAppError]] = [:]
        var passData = FakeIssuer.passData
        var challenges: [PassChallenge] = []
        var questions: [String] = []
        var activations: [String] = []
    }

    static let card = IssuerCard(
        id: "card-1", network: "visa", suffix: "1234", displayName: "Example Visa", cardholderName: "MEI LIN",
        primaryAccountIdentifier: "V-1")
    static let configuration = PassConfiguration(
        encryptionScheme: "EV_ECC_v2", cardholderName: "MEI LIN", primaryAccountSuffix: "1234", localizedDescription: "Example Visa",
        primaryAccountIdentifier: "V-1", paymentNetwork: "Visa", style: "payment", cardDetails: [.init(label: "Kind", value: "Debit")],
        requiresFelicaSecureElement: false, productIdentifiers: [])
    static let passData = IssuerPassData(
        encryptedPassData: Data([1]), activationData: Data([2]), key: .ephemeralPublicKey(Data([4] + [UInt8](repeating: 9, count: 64))))

    private let state: Mutex<State>
    /// Called with each pass-data question before it is answered.
    private let beforePassData: @Sendable () async -> Void

    init(_ change: (inout State) -> Void = { _ in }, beforePassData: @escaping @Sendable () async -> Void = {}) {
        var first = State()
        change(&first)
        state = Mutex(first)
        self.beforePassData = beforePassData
    }

    var now: State { state.withLock { $0 } }

    func change(_ change: (inout State) -> Void) { state.withLock { change(&$0) } }

    private func step(_ name: String) throws(ApplePayAppError) {
        let refusal = state.withLock { state -> ApplePayAppError? in
            state.questions.append(name)
            guard let first = state.refusals[name]?.first else { return nil }
            state.refusals[name]?.removeFirst()
            return first
        }
        if let refusal { throw refusal }
    }

    func cards() async throws(ApplePayAppError) -> [IssuerCard] {
        try step("cards")
        return now.cards
    }

    func eligibility(card: IssuerCard.ID) async throws(ApplePayAppError) -> IssuerEligibility {
        try step("eligibility")
        return now.eligibility
    }

    func configuration(card: IssuerCard.ID) async throws(ApplePayAppError) -> PassConfiguration {
        try step("configuration")
        return now.configuration
    }

    func passData(card: IssuerCard.ID, for challenge: PassChallenge) async throws(ApplePayAppError) -> IssuerPassData {
        state.withLock { $0.challenges.append(challenge) }
        await beforePassData()
        try step("passData")
        return now.passData
    }

    func activate(card: IssuerCard.ID, tokenReference: String) async throws(ApplePayAppError) {
        try step("activate")
        state.withLock { $0.activations.append("\(card) \(tokenReference)") }
    }
}

extension Fixture {
    static let unanswered = ApplePayAppError(code: .serverUnanswered, reason: "no answer")
    static let refused = ApplePayAppError(code: .serverRefused, reason: "closed", serverCode: "card-closed")
}
