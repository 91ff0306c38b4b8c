import BillfoldDiagnosis
import Foundation
import Synchronization
import Testing

@testable import ApplePayApp
@testable import PassKitSimulator

@Suite struct HTTPIssuerServerTests {
    /// One answer for every question, which it keeps.
    private final class Wire: Sendable {
        let questions = Mutex<[HTTPQuestion]>([])
        private let answer: HTTPAnswer?

        init(_ status: Int?, _ body: String = "") { answer = status.map { HTTPAnswer(status: $0, body: Data(body.utf8)) } }

        var host: HTTPIssuerServer {
            HTTPIssuerServer(session: Secret("session-token")) { question in
                self.questions.withLock { $0.append(question) }
                guard let answer = self.answer else { throw CancellationError() }
                return answer
            }
        }

        var asked: HTTPQuestion? { questions.withLock { $0.first } }
        var body: String? { asked?.body.map { String(decoding: $0, as: UTF8.self) } }
    }

    @Test func cardsAreReadWithTheSessionsBearer() async throws {
        let wire = Wire(
            200,
            #"{"cards":[{"id":"c1","network":"visa","suffix":"1234","displayName":"D","cardholderName":"N","primaryAccountIdentifier":"","status":"active"}]}"#
        )
        let cards = try await wire.host.cards()
        #expect(
            cards == [
                IssuerCard(id: "c1", network: "visa", suffix: "1234", displayName: "D", cardholderName: "N", primaryAccountIdentifier: "")
            ])
        #expect(wire.asked?.method == "GET" && wire.asked?.path == "/provisioning/v1/cards" && wire.asked?.body == nil)
        #expect(wire.asked?.headers.contains { $0 == ("Authorization", "Bearer session-token") } == true)
    }

    @Test func remoteSwitchIsRead() async throws {
        #expect(try await Wire(200, #"{"enabled":true}"#).host.eligibility(card: "c1") == .enabled)
        let off = Wire(200, #"{"enabled":false,"code":"programme-off","reason":"maintenance"}"#)
        #expect(try await off.host.eligibility(card: "a/b") == .disabled(code: "programme-off", reason: "maintenance"))
        #expect(off.asked?.path == "/provisioning/v1/cards/a%2Fb/eligibility")
    }

    @Test func configurationIsRead() async throws {
        let wire = Wire(
            200,
            #"{"encryptionScheme":"EV_ECC_v2","cardholderName":"MEI LIN","primaryAccountSuffix":"1234","localizedDescription":"Example Visa","primaryAccountIdentifier":"V-1","paymentNetwork":"Visa","style":"payment","cardDetails":[{"label":"Kind","value":"Debit"}],"requiresFelicaSecureElement":false,"productIdentifiers":[]}"#
        )
        #expect(try await wire.host.configuration(card: "c1") == FakeIssuer.configuration)
        await #expect(throws: ApplePayAppError(code: .answerMalformed, reason: "")) {
            try await Wire(200, "{}").host.configuration(card: "c1")
        }
    }

    private let challenge = PassChallenge(
        certificates: [Data([0xFB, 0xFF]), Data([1])], nonce: Data([0xA1, 0xB2, 0xC3, 0xD4]), nonceSignature: Data([0x40, 0xFF]))

    @Test func challengeGoesAsItIsAndTheAnswerComesAsBytes() async throws {
        let wire = Wire(200, #"{"encryptedPassData":"AQI=","activationData":"TUI=","ephemeralPublicKey":"BAU="}"#)
        let data = try await wire.host.passData(card: "c1", for: challenge)
        #expect(
            data
                == IssuerPassData(
                    encryptedPassData: Data([1, 2]), activationData: Data("MB".utf8), key: .ephemeralPublicKey(Data([4, 5]))))
        #expect(wire.asked?.method == "POST" && wire.asked?.path == "/provisioning/v1/cards/c1/pass-data")
        #expect(wire.body == #"{"certificates":["+/8=","AQ=="],"encoding":"base64","nonce":"obLD1A==","nonceSignature":"QP8="}"#)
        let rsa = Wire(200, #"{"encryptedPassData":"AQI=","activationData":"","wrappedKey":"BAU="}"#)
        #expect(
            try await rsa.host.passData(card: "c1", for: challenge)
                == IssuerPassData(encryptedPassData: Data([1, 2]), activationData: nil, key: .wrappedKey(Data([4, 5]))))
    }

    @Test(arguments: [
        #"{"encryptedPassData":"AQI="}"#, #"{"encryptedPassData":"AQI=","ephemeralPublicKey":"BA==","wrappedKey":"BA=="}"#,
        #"{"encryptedPassData":"*","ephemeralPublicKey":"BA=="}"#, #"{"ephemeralPublicKey":"BA=="}"#, "no JSON",
    ])
    func answerOfAnotherFormIsMalformed(body: String) async {
        await #expect(throws: ApplePayAppError(code: .answerMalformed, reason: "")) {
            try await Wire(200, body).host.passData(card: "c1", for: challenge)
        }
    }

    /// A conflict is the host's decision here: the nonce was used for something else.
    @Test(arguments: [
        (400, ApplePayAppError.Code.serverRefused), (403, .serverRefused), (404, .serverRefused), (409, .serverRefused),
        (429, .serverUnanswered), (408, .serverUnanswered), (500, .serverUnanswered), (503, .serverUnanswered),
    ])
    func refusalsDecideAndFailuresDoNot(status: Int, code: ApplePayAppError.Code) async {
        let wire = Wire(status, #"{"error":{"code":"nonce-reused","reason":"other body"}}"#)
        await #expect(throws: ApplePayAppError(code: code, reason: "", serverCode: "nonce-reused")) {
            try await wire.host.passData(card: "c1", for: challenge)
        }
    }

    @Test func noAnswerIsUnanswered() async {
        await #expect(throws: ApplePayAppError(code: .serverUnanswered, reason: "")) { try await Wire(nil).host.cards() }
    }

    @Test func customerVouchesForAPass() async throws {
        let wire = Wire(202)
        try await wire.host.activate(card: "c1", tokenReference: "T-1")
        #expect(wire.asked?.path == "/provisioning/v1/cards/c1/activations" && wire.body == #"{"tokenReference":"T-1"}"#)
    }
}

@MainActor @Suite struct PassConfigurationTests {
    @Test func everyFieldReachesTheSystemsObject() throws {
        var configuration = FakeIssuer.configuration
        configuration.requiresFelicaSecureElement = true
        configuration.productIdentifiers = ["p"]
        configuration.style = "access"
        let made = try configuration.requestConfiguration(for: FakeIssuer.card)
        #expect(made.encryptionScheme == .ECC_V2 && made.cardholderName == "MEI LIN" && made.primaryAccountSuffix == "1234")
        #expect(made.localizedDescription == "Example Visa" && made.primaryAccountIdentifier == "V-1" && made.paymentNetwork == .visa)
        #expect(made.cardDetails.map(\.label) == ["Kind"] && made.cardDetails.map(\.value) == ["Debit"])
        #expect(made.requiresFelicaSecureElement && made.productIdentifiers == ["p"] && made.style == .access)
    }

    @Test func emptyFieldsStayUnset() throws {
        var configuration = FakeIssuer.configuration
        configuration.cardholderName = ""
        configuration.primaryAccountIdentifier = ""
        configuration.paymentNetwork = ""
        let made = try configuration.requestConfiguration(for: FakeIssuer.card)
        #expect(made.cardholderName == nil && made.primaryAccountIdentifier == nil && made.paymentNetwork == nil)
    }

    private func refusal(_ change: (inout PassConfiguration) -> Void) -> ApplePayAppError.Code? {
        var configuration = FakeIssuer.configuration
        change(&configuration)
        do throws(ApplePayAppError) {
            _ = try configuration.requestConfiguration(for: FakeIssuer.card)
            return nil
        } catch { return error.code }
    }

    @Test func unfitConfigurationIsRefusedBeforeTheScreen() {
        #expect(refusal { $0.encryptionScheme = "" } == .unknownScheme)
        #expect(refusal { $0.encryptionScheme = "EV_ECC_v9" } == .unknownScheme)
        #expect(refusal { $0.primaryAccountSuffix = "9999" } == .configurationUnfit)
        #expect(refusal { $0.style = "other" } == .configurationUnfit)
        let both = refusal {
            $0.cardholderName = ""
            $0.primaryAccountSuffix = ""
        }
        #expect(both == .configurationUnfit)
        #expect(refusal { $0.primaryAccountSuffix = "" } == nil)
    }

    private let point = Data([4] + [UInt8](repeating: 1, count: 64))

    private func request(_ key: IssuerPassData.Key, _ scheme: PKEncryptionScheme, data: Data = Data([1])) -> PKAddPaymentPassRequest? {
        try? IssuerPassData(encryptedPassData: data, activationData: nil, key: key).request(for: scheme)
    }

    @Test func keyMustBeOfTheScheme() {
        let elliptic = request(.ephemeralPublicKey(point), .ECC_V2)
        #expect(elliptic?.ephemeralPublicKey == point && elliptic?.wrappedKey == nil && elliptic?.encryptedPassData == Data([1]))
        let rsa = request(.wrappedKey(Data([7])), .RSA_V2)
        #expect(rsa?.wrappedKey == Data([7]) && rsa?.ephemeralPublicKey == nil)
        #expect(request(.wrappedKey(Data([7])), .ECC_V2) == nil && request(.ephemeralPublicKey(point), .RSA_V2) == nil)
        #expect(request(.wrappedKey(Data()), .RSA_V2) == nil && request(.ephemeralPublicKey(point), .ECC_V2, data: Data()) == nil)
    }

    @Test(arguments: [33, 64, 91, 130])
    func ephemeralKeyOfAnotherFormIsRefused(count: Int) {
        #expect(request(.ephemeralPublicKey(Data([UInt8](repeating: 4, count: count))), .ECC_V2) == nil)
        #expect(request(.ephemeralPublicKey(Data([UInt8](repeating: 3, count: 65))), .ECC_V2) == nil)
    }
}
