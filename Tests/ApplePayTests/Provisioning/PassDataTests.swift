import BillfoldJSON
import BillfoldTestSupport
import Foundation
import PaymentCrypto
import Testing

@testable import ApplePay

@Suite struct PassDataTests {
    static func challenge(_ seed: UInt64 = 1) throws -> ProvisioningChallenge {
        var generator = SeededGenerator(seed: seed, label: "challenge")
        return try ProvisioningChallenge(nonce: generator.bytes(4), nonceSignature: [0x40] + generator.bytes(80))
    }

    private static func refusal(_ body: () throws -> Void) -> String? {
        do {
            try body()
            return nil
        } catch { return (error as? ApplePayError)?.code.description }
    }

    @Test func challengeTakesItsLengthsOnly() throws {
        let good = try Self.challenge()
        #expect(Self.refusal { _ = try ProvisioningChallenge(nonce: [1, 2, 3], nonceSignature: good.nonceSignature) } == "nonce-length")
        #expect(
            Self.refusal { _ = try ProvisioningChallenge(nonce: good.nonce, nonceSignature: good.nonce) } == "nonce-signature-length")
        for encoding in ProvisioningChallenge.Encoding.allCases {
            func text(_ bytes: [UInt8]) -> String { encoding == .hex ? Hexadecimal.encode(bytes) : StrictBase64.encode(bytes) }
            #expect(
                try ProvisioningChallenge(nonce: text(good.nonce), nonceSignature: text(good.nonceSignature), encoding: encoding) == good)
        }
        // Hexadecimal digits are valid base64 of other bytes: nothing is guessed.
        #expect(
            Self.refusal {
                _ = try ProvisioningChallenge(
                    nonce: good.nonceText, nonceSignature: StrictBase64.encode(good.nonceSignature), encoding: .base64)
            } == "nonce-length")
        #expect(
            Self.refusal { _ = try ProvisioningChallenge(nonce: "a1b2c3dx", nonceSignature: good.nonceSignatureText, encoding: .hex) }
                == "challenge-encoding")
    }

    @Test func expirationIsReadInItsTwoForms() throws {
        #expect(try CardExpiration(slashed: "12/30") == CardExpiration(compact: "1230"))
        #expect(try CardExpiration(month: 3, year: 7).slashed == "03/07")
        #expect(try CardExpiration(month: 3, year: 7).compact == "0307")
        for text in ["1230", "13/30", "00/30", "1/30", "12-30", "12/3O", "", "１２/30"] {
            #expect(Self.refusal { _ = try CardExpiration(slashed: text) } == "expiration-form")
        }
        for text in ["12/30", "1330", "123", "12300"] {
            #expect(Self.refusal { _ = try CardExpiration(compact: text) } == "expiration-form")
        }
    }

    @Test func cardNumberKeepsToDigitsAndPrintsNothing() throws {
        let number = try CardNumber("4055510012345672")
        #expect(number.prefix() == "405551")
        #expect(number.prefix(12) == "40555100")
        #expect(number.suffix == "5672")
        #expect(number.masked == "405551••••••5672")
        #expect("\(number)" == "‹card number›")
        var dumped = ""
        dump(number, to: &dumped)
        #expect(!dumped.contains("4055"))
        #expect(try CardNumber("4111111111111111").passesLuhn)
        #expect(try !CardNumber("4111111111111112").passesLuhn)
        for text in ["4111 1111 1111 1111", "411111111111", "41111111111111111111", "411111111111111a"] {
            #expect(Self.refusal { _ = try CardNumber(text) } == "card-number-form")
        }
    }

    @Test func payloadsAreReadAsTheyWereWritten() throws {
        let challenge = try Self.challenge()
        let fpan = PassData.fpan(
            try FPANPassData(
                primaryAccountNumber: CardNumber("5204000012345677"), expiration: CardExpiration(slashed: "12/30"),
                name: "JANE \"SPECIMEN\"",
                challenge: challenge))
        let text = String(decoding: fpan.json().reveal(), as: UTF8.self)
        #expect(
            text == """
                {"primaryAccountNumber":"5204000012345677","expiration":"12/30","name":"JANE \\"SPECIMEN\\"","nonce":"\(challenge.nonceText)",\
                "nonceSignature":"\(challenge.nonceSignatureText)"}
                """)
        let again = try PassData(json: fpan.json())
        #expect(again.json() == fpan.json())
        #expect(again.challenge == challenge)
        #expect(again.name == "JANE \"SPECIMEN\"")

        // Upper-case hexadecimal and escaped slashes are read too.
        let other = text.replacing("12/30", with: "12\\/30").replacing(challenge.nonceText, with: challenge.nonceText.uppercased())
        #expect(try PassData(json: SecretBytes(utf8: other)).json() == fpan.json())

        let sealed = PassData.encryptedFPAN(
            try EncryptedFPANPassData(
                primaryAccountNumberPrefix: "405551", encryptedPrimaryAccountNumber: "MBPAD-1-FK-405551.1--TDEA-00", name: "J",
                challenge: challenge))
        #expect(try PassData(json: sealed.json()).json() == sealed.json())
        #expect(try PassData(json: sealed.json()).name == "J")
    }

    @Test(arguments: [
        ("\"12/30\"", "\"1230\"", "expiration-form"), ("5204000012345677", "5204 0000 1234 5677", "card-number-form"),
        ("\"name\":\"JANE\"", "\"name\":\"\"", "cardholder-name-form"), ("\"name\":\"JANE\"", "\"name\":7", "malformed-pass-data"),
        ("\"name\":\"JANE\"", "\"nom\":\"JANE\"", "malformed-pass-data"), ("\"name\":\"JANE\",", "", "malformed-pass-data"),
        ("\"nonce\":\"", "\"nonce\":\"00", "nonce-length"), ("\"nonceSignature\":\"", "\"nonceSignature\":\"00", "nonce-signature-length"),
        ("{", "{{", "malformed-json"), ("\"name\":\"JANE\"", "\"name\":\"JANE\",\"name\":\"JANE\"", "duplicate-key"),
        ("\"name\":\"JANE\"", "\"name\":\"JANE\",\"cvv\":\"123\"", "malformed-pass-data"),
    ])
    func wrongPayloadsAreRefused(part: String, wrong: String, code: String) throws {
        let challenge = try Self.challenge()
        let good = FPANPassDataText.make(challenge)
        #expect(Self.refusal { _ = try PassData(json: SecretBytes(utf8: good)) } == nil)
        let range = try #require(good.range(of: part))
        #expect(Self.refusal { _ = try PassData(json: SecretBytes(utf8: good.replacingCharacters(in: range, with: wrong))) } == code)
    }

    private enum FPANPassDataText {
        static func make(_ challenge: ProvisioningChallenge) -> String {
            """
            {"primaryAccountNumber":"5204000012345677","expiration":"12/30","name":"JANE","nonce":"\(challenge.nonceText)",\
            "nonceSignature":"\(challenge.nonceSignatureText)"}
            """
        }
    }

    @Test func encryptedFormRefusesWhatItCannotCarry() throws {
        let challenge = try Self.challenge()
        func make(prefix: String = "405551", text: String = "MBPAD", network: String = "Visa", name: String = "J") -> String? {
            Self.refusal {
                _ = try EncryptedFPANPassData(
                    primaryAccountNumberPrefix: prefix, encryptedPrimaryAccountNumber: text, networkName: network, name: name,
                    challenge: challenge)
            }
        }
        #expect(make() == nil)
        #expect(make(prefix: "4055") == "malformed-pass-data")
        #expect(make(text: "") == "malformed-pass-data")
        #expect(make(network: "") == "malformed-pass-data")
        #expect(make(name: "\u{7}") == "cardholder-name-form")
        let raw = """
            {"primaryAccountNumberPrefix":"405551","encryptedPrimaryAccountNumber":"MBPAD-1-FK","networkName":"Visa","name":"J",\
            "nonce":"\(challenge.nonceText)","nonceSignature":"\(challenge.nonceSignatureText)"}
            """
        #expect(Self.refusal { _ = try PassData(json: SecretBytes(utf8: raw)) } == "malformed-pass-data")
    }

    @Test func secretBytesCompareAndStaySilent() {
        let one = SecretBytes(utf8: "4055510012345678")
        var source = Array("4055510012345678".utf8)
        let two = SecretBytes(taking: &source)
        #expect(source == [UInt8](repeating: 0, count: 16))
        #expect(one == two)
        #expect(one.hashValue == two.hashValue)
        #expect(SecretBytes(joining: [Array("4055".utf8), SecretBytes(utf8: "510012345678")]) == one)
        #expect(one != SecretBytes(utf8: "4055510012345679"))
        #expect(one.count == 16)
        var dumped = "\(one) \(String(reflecting: one))"
        dump(one, to: &dumped)
        #expect(!dumped.contains("4055"))
        #expect(SecretBytes(count: 0) { _ in }.reveal().isEmpty)
    }
}
