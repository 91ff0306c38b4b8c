import BillfoldJSON
import BillfoldPayments
import PaymentCrypto
import Testing

@testable import ProvisioningServer

/// What rows keep of a request and of its answer: the next version has to know both again.
struct PassDataFormTests {
    @Test func theAnswersKeysAreSortedAndAbsentOnesLeftOut() {
        var answer = PassDataAnswer(encryptedPassData: "AQ/+", activationData: "BA==", ephemeralPublicKey: "BAU=", wrappedKey: "Bg==")
        #expect(
            answer.json
                == Array(
                    #"{"activationData":"BA==","encryptedPassData":"AQ/+","ephemeralPublicKey":"BAU=","wrappedKey":"Bg=="}"#.utf8))
        (answer.activationData, answer.ephemeralPublicKey) = (nil, nil)
        #expect(answer.json == Array(#"{"encryptedPassData":"AQ/+","wrappedKey":"Bg=="}"#.utf8))
    }

    @Test func theFingerprintIsOverCardChallengeAndCertificatesAsSent() throws {
        let (nonce, signature) = ([UInt8](1...4), [UInt8](repeating: 7, count: 81))
        let request = try PassDataRequest(
            Array(
                """
                {"certificates":["AQID","not base64"],"nonce":"\(Hexadecimal.encode(nonce))",\
                "nonceSignature":"\(Hexadecimal.encode(signature))","encoding":"hex"}
                """.utf8))
        #expect(request.certificates == ["AQID", "not base64"])
        let parts = [Array("card-1".utf8), nonce, signature, Array("AQID".utf8), Array("not base64".utf8)]
        #expect(request.fingerprint(card: "card-1") == RequestFingerprint(parts: parts))
        #expect(request.fingerprint(card: "card-2") != RequestFingerprint(parts: parts))
    }

    /// A Kelvin sign is a K to Swift's text, and another key to the reader that looks members up.
    @Test func aKeyThatOnlyLooksLikeOneOfTheSchemaIsRefused() {
        #expect(throws: ProvisioningError.self) {
            try RequestReader(Array("{\"bank\u{212A}ey\":\"x\"}".utf8), allowing: ["bankKey"])
        }
    }
}
