import ApplePay
import ApplePayForging
import BillfoldTestSupport
import BillfoldTrace
import Foundation
import HTTPTypes
import PaymentCrypto
import Testing

@testable import ProvisioningServer

/// The two calls as banks' apps make them.
@Suite struct DocumentedCallTests {
    private static let configuration = "/provisioning/v1/documented/configuration"
    private static let passData = "/provisioning/v1/documented/pass-data"

    /// What such an app sends, or that with a member more.
    private static func body(
        _ card: String, _ wallet: Wallet, _ challenge: ProvisioningChallenge, more: String = ""
    ) -> String {
        let ordinary = wallet.body(challenge, encoding: "base64").replacingOccurrences(of: #","encoding":"base64"}"#, with: "")
        return #"{"cardNumber":"\#(card)",\#(ordinary.dropFirst())\#(more)}"#
    }

    private static func value(_ answer: Bank.Answer) throws -> [String: String] { try #require(answer.json["value"] as? [String: String]) }

    /// Such apps know a card by the bank's name for it, or by its number.
    @Test(arguments: StoreEngine.available, ["card-visa", Bank.visaNumber])
    func configurationHasTheMembersThatAppsRead(engine: StoreEngine, card: String) async throws {
        try await Bank.open(engine) { bank in
            let answer = try await bank.send(
                .post, Self.configuration, #"{"cardNumber":"\#(card)"}"#, bearer: try await bank.logIn())
            #expect(answer.status == 200, "\(answer.body)")
            #expect(
                try Self.value(answer) == [
                    "cardHolderName": "MEI LIN", "paymentNetwork": "Visa", "primaryAccountNumberSuffix": "0004",
                    "primaryAccountIdentifier": "", "localizedDescription": "Two Leaves Visa",
                ])
            #expect(answer.json.count == 1)
        }
    }

    @Test(arguments: ["card-visa", Bank.visaNumber])
    func passDataOpenAtTheBroker(card: String) async throws {
        let wallet = try Wallet.shared.get()
        try await Bank.open(wallet: wallet) { bank in
            let (token, challenge) = (try await bank.logIn(), try wallet.challenge(501))
            let body = Self.body(card, wallet, challenge)
            let answer = try await bank.send(.post, Self.passData, body, bearer: token)
            #expect(answer.status == 200 && answer.headers[.cacheControl] == "no-store", "\(answer.body)")
            let value = try Self.value(answer)
            #expect(value.keys.sorted() == ["activationData", "encryptedPassData", "ephemeralPublicKey"] && answer.json.count == 1)
            let sealed = try PassDataOpener(key: wallet.authority.leafKey).open(
                encryptedPassData: StrictBase64.decode(try #require(value["encryptedPassData"])),
                ephemeralPublicKey: StrictBase64.decode(try #require(value["ephemeralPublicKey"])))
            guard case .encryptedFPAN(let data) = try PassData(json: sealed) else {
                Issue.record("not the encrypted form")
                return
            }
            #expect(data.challenge == challenge)
            // The same attempt is one attempt, here and at the ordinary call.
            #expect(try await bank.send(.post, Self.passData, body, bearer: token).body == answer.body)
            let ordinary = try await bank.send(
                .post, "/provisioning/v1/cards/card-visa/pass-data", wallet.body(challenge), bearer: token)
            #expect(ordinary.json as? [String: String] == value)
        }
    }

    @Test func whatKeepsACardOutKeepsItOutHereToo() async throws {
        let wallet = try Wallet.shared.get()
        try await Bank.open(wallet: wallet) { bank in
            let token = try await bank.logIn("c-2")
            for (card, status, code) in [
                ("card-blocked", 403, "card-blocked"), (Bank.closedNumber, 403, "card-closed"),
                // Another customer's, and nobody's.
                ("card-visa", 404, "card-not-found"), (Bank.visaNumber, 404, "card-not-found"), ("4055510000000046", 404, "card-not-found"),
                ("405551", 404, "card-not-found"),
            ] {
                let asked = try await bank.send(.post, Self.configuration, #"{"cardNumber":"\#(card)"}"#, bearer: token)
                #expect(asked.status == status && asked.errorCode == code && asked.json["value"] == nil, "\(asked.body)")
                let sealed = try await bank.send(
                    .post, Self.passData, Self.body(card, wallet, try wallet.challenge(502)), bearer: token)
                #expect(sealed.status == status && sealed.errorCode == code && sealed.json["value"] == nil, "\(sealed.body)")
            }
        }
    }

    @Test func callsNeedTheAppsSession() async throws {
        let wallet = try Wallet.shared.get()
        try await Bank.open(wallet: wallet) { bank in
            _ = try await bank.logIn()
            let bodies = [
                (Self.configuration, #"{"cardNumber":"card-visa"}"#),
                (Self.passData, Self.body("card-visa", wallet, try wallet.challenge(503))),
            ]
            for (path, body) in bodies {
                for bearer in [nil, "pst_unknown", Bank.apiKey] {
                    let answer = try await bank.send(.post, path, body, bearer: bearer)
                    #expect(answer.status == 401 && answer.errorCode == "unauthorized")
                }
            }
        }
    }

    /// The form has no place for a scheme, nor for a wrapped key.
    @Test func cardOfTheOtherSchemeIsRefusedBeforeTheWalletIsOpened() async throws {
        try await Bank.open { bank in
            let answer = try await bank.send(
                .post, Self.configuration, #"{"cardNumber":"card-unionpay"}"#, bearer: try await bank.logIn())
            #expect(answer.status == 422 && answer.errorCode == "scheme-unfit")
        }
    }

    /// Whoever asks for pass data without having asked for the configuration gets none either.
    @Test func cardOfTheOtherSchemeGetsNoPassData() async throws {
        let wallet = try Wallet.shared.get()
        try await Bank.open(wallet: wallet) { bank in
            let body = Self.body("card-unionpay", wallet, try wallet.challenge(505))
            let answer = try await bank.send(.post, Self.passData, body, bearer: try await bank.logIn())
            #expect(answer.status == 422 && answer.errorCode == "scheme-unfit" && answer.json["value"] == nil, "\(answer.body)")
        }
    }

    @Test(arguments: [
        "", "{}", "[]", #"{"cardNumber":1}"#, #"{"cardNumber":""}"#, #"{"cardNumber":"card-visa","card":"card-visa"}"#,
        #"{"cardNumber":"card-visa","cardNumber":"card-visa"}"#,
    ])
    func bodiesAreReadStrictly(body: String) async throws {
        try await Bank.open { bank in
            let token = try await bank.logIn()
            for path in [Self.configuration, Self.passData] {
                let answer = try await bank.send(.post, path, body, bearer: token)
                #expect(answer.status == 400 && answer.errorCode == "malformed-request", "\(answer.body)")
            }
        }
    }

    @Test func nonceIsReadAsBase64Alone() async throws {
        let wallet = try Wallet.shared.get()
        try await Bank.open(wallet: wallet) { bank in
            let (token, challenge) = (try await bank.logIn(), try wallet.challenge(504))
            let encoded = Self.body("card-visa", wallet, challenge, more: #","encoding":"base64""#)
            #expect(try await bank.send(.post, Self.passData, encoded, bearer: token).errorCode == "malformed-request")
            // Eight hexadecimal digits are base64 of six bytes.
            let hexadecimal = Self.body("card-visa", wallet, challenge)
                .replacingOccurrences(of: StrictBase64.encode(challenge.nonce), with: Hexadecimal.encode(challenge.nonce))
            #expect(try await bank.send(.post, Self.passData, hexadecimal, bearer: token).errorCode == "nonce-length")
        }
    }

    @Test func numbersAreNeitherTracedNorLogged() async throws {
        let wallet = try Wallet.shared.get()
        try await Bank.open(wallet: wallet) { bank in
            let token = try await bank.logIn()
            for number in [Bank.visaNumber, Bank.blockedNumber] {
                _ = try await bank.send(.post, Self.configuration, #"{"cardNumber":"\#(number)"}"#, bearer: token)
                _ = try await bank.send(.post, Self.passData, Self.body(number, wallet, try wallet.challenge(505)), bearer: token)
            }
            let titles = bank.recorder.entries.map(\.title)
            #expect(titles.contains("configuration") && titles.contains("pass data"))
            let told = String(describing: bank.recorder.entries) + bank.recorder.log
            for number in [Bank.visaNumber, Bank.blockedNumber] { #expect(!told.contains(number)) }
        }
    }
}
