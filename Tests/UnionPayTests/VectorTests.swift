import BillfoldDiagnosis
import BillfoldMoney
import CryptoExtras
import Foundation
import Testing
import UnionPay
import X509

/// Known answers from outside; see the folder's own list of origins.
enum KnownAnswers {
    static let folder: URL? = {
        guard let root = ProcessInfo.processInfo.environment["BILLFOLD_VECTORS"], !root.isEmpty else {
            print("=== SKIPPED: BILLFOLD_VECTORS is not set; UnionPay's known-answer tests do not run ===")
            return nil
        }
        return URL(fileURLWithPath: root).appendingPathComponent("apple-pay-acceptance")
    }()

    static func data(_ path: String) throws -> Data { try Data(contentsOf: #require(folder).appendingPathComponent(path)) }

    struct Published: Decodable {
        var fields: [String: String]
        var stringToSign: String
        var digestHex: String
        var signature: String
    }

    struct Consume: Decodable {
        struct SecureKey: Decodable {
            var secureKey: String
            var stringToSign: String
            var signature: String
        }

        struct SM2: Decodable {
            var certId: String
            var privateKeyPem: String
            var publicKeyPem: String
            var stringToSign: String
            var sm3Hex: String
            var signatureDerBase64: String
            var signatureRawBase64: String
        }

        var fields: [String: String]
        var stringToSign: String
        var signature: String
        var formBody: String
        var secureKey11: SecureKey
        var secureKey12: SecureKey
        var sm2: SM2

        enum CodingKeys: String, CodingKey {
            case fields, stringToSign, signature, formBody
            case secureKey11 = "secureKey-11"
            case secureKey12 = "secureKey-12"
            case sm2 = "sm2-21"
        }
    }

    static func published() throws -> Published { try JSONDecoder().decode(Published.self, from: data("kat/unionpay-sign-rsa.json")) }
    static func consume() throws -> Consume {
        try JSONDecoder().decode(Consume.self, from: data("synthetic/unionpay-consume-signing.json"))
    }
}

@Suite(.enabled(if: KnownAnswers.folder != nil)) struct VectorTests {
    @Test func publishedStringToSignIsReproduced() throws {
        let known = try KnownAnswers.published()
        #expect(StringToSign.text(UnionPayFields(known.fields), .request) == known.stringToSign)
    }

    @Test func consumeMessageIsBuiltFieldByField() throws {
        let known = try KnownAnswers.consume()
        let plaintext = try KnownAnswers.data("synthetic/rsa-emv-unionpay.expected.json")
        struct Expected: Decodable { var plaintext: String }
        struct Payload: Decodable {
            struct Inner: Decodable {
                var emvData: String
                var encryptedPINData: String
            }
            var applicationPrimaryAccountNumber: String
            var paymentData: Inner
        }
        let payload = try JSONDecoder().decode(
            Payload.self, from: Data(JSONDecoder().decode(Expected.self, from: plaintext).plaintext.utf8))
        var request = ConsumeRequest(
            key: try TransactionKey(
                merchant: MerchantID("777290058167151"), order: OrderID("AP20261120000001"), time: BeijingTime("20261120200000")),
            amount: Amount(minorUnits: 20000, currency: try Currency("CNY")),
            card: CardTransactionData(
                accountNumber: Secret(payload.applicationPrimaryAccountNumber), emvData: Secret(payload.paymentData.emvData),
                encryptedPIN: Secret(payload.paymentData.encryptedPINData)),
            backURL: "https://shop.example/unionpay/notify?src=ap")
        request.payTimeout = try BeijingTime("20261120201500")
        var expected = known.fields
        expected["signMethod"] = nil
        expected["certId"] = nil
        #expect(try request.fields().dictionary == expected)
    }

    @Test func formBodyHasTheKnownBytes() throws {
        let known = try KnownAnswers.consume()
        var fields = UnionPayFields(known.fields)
        fields["signature"] = known.signature
        #expect(try FormBody.encode(fields) == known.formBody)
        #expect(try FormBody.decode(Array(known.formBody.utf8)).dictionary == fields.dictionary)
        #expect(StringToSign.text(fields, .request) == known.stringToSign)
    }

    @Test func secureKeySignatureIsReproduced() throws {
        let known = try KnownAnswers.consume()
        let signed = try UnionPaySigner(.secureKeySHA256(Secret(known.secureKey11.secureKey))).signed(UnionPayFields(known.fields))
        #expect(signed["signature"] == known.secureKey11.signature)
        #expect(StringToSign.text(signed, .request) == known.secureKey11.stringToSign)
    }
}
