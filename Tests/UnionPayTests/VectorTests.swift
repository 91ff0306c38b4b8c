import BillfoldDiagnosis
import BillfoldMoney
import BillfoldTestSupport
import Crypto
import Foundation
import PaymentCryptoOpenSSL
import Testing
import UnionPay
import X509

/// Known answers from outside; see the folder's own list of origins.
enum KnownAnswers {
    static let folder = "apple-pay-acceptance/"
    static var isThere: Bool { Vectors.available("apple-pay-acceptance") }

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
        var digestHex: String
        var signature: String
        var formBody: String
        var secureKey11: SecureKey
        var secureKey12: SecureKey
        var sm2: SM2

        enum CodingKeys: String, CodingKey {
            case fields, stringToSign, digestHex, signature, formBody
            case secureKey11 = "secureKey-11"
            case secureKey12 = "secureKey-12"
            case sm2 = "sm2-21"
        }
    }

    static func published() throws -> Published { try Vectors.json(folder + "kat/unionpay-sign-rsa.json") }
    static func consume() throws -> Consume { try Vectors.json(folder + "synthetic/unionpay-consume-signing.json") }

    /// The acquirer's public test merchant.
    static func merchant() throws -> (key: Certificate.PrivateKey, certificate: Certificate) {
        let bytes = try Vectors.bytes(folder + "kat/unionpay-test-merchant.pfx")
        return try #require(OpenSSLPKCS12().open(bytes, password: Secret("000000")))
    }
}

@Suite(.enabled(if: KnownAnswers.isThere)) struct VectorTests {
    @Test func publishedSignatureIsReproducedBitForBit() throws {
        let known = try KnownAnswers.published()
        let merchant = try KnownAnswers.merchant()
        let signed = try UnionPaySigner(key: merchant.key, certificate: merchant.certificate).signed(UnionPayFields(known.fields))
        #expect(StringToSign.text(signed, .request) == known.stringToSign)
        #expect(Self.sha256Hex(known.stringToSign) == known.digestHex)
        #expect(signed["certId"] == known.fields["certId"])
        #expect(signed["signature"] == known.signature)
        #expect(try MerchantSignatureVerifier([.rsa(merchant.certificate)]).verified(signed).fields["signature"] == known.signature)
    }

    @Test func publishedDigestIsInsideThePublishedSignature() throws {
        let known = try KnownAnswers.published()
        let signature = try #require(Data(base64Encoded: known.signature))
        let recovered = try #require(OpenSSLRecovery().recover(Array(signature), key: KnownAnswers.merchant().certificate.publicKey))
        // RSA hashes the hex text again.
        #expect(recovered.digest == Array(SHA256.hash(data: Data(known.digestHex.utf8))))
    }

    @Test func archiveOfTheTestMerchantOpensWithItsPasswordAlone() throws {
        let bytes = try Vectors.bytes(KnownAnswers.folder + "kat/unionpay-test-merchant.pfx")
        #expect(OpenSSLPKCS12().open(bytes, password: Secret("000001")) == nil)
        let merchant = try KnownAnswers.merchant()
        #expect(CertificateID(merchant.certificate).description == "69903319369")
        #expect(merchant.key.publicKey == merchant.certificate.publicKey)
    }

    @Test func consumeMessageIsSignedBitForBit() throws {
        let known = try KnownAnswers.consume()
        let merchant = try KnownAnswers.merchant()
        let signed = try UnionPaySigner(key: merchant.key, certificate: merchant.certificate).signed(UnionPayFields(known.fields))
        #expect(StringToSign.text(signed, .request) == known.stringToSign)
        #expect(Self.sha256Hex(known.stringToSign) == known.digestHex)
        #expect(signed["signature"] == known.signature)
        #expect(try FormBody.encode(signed) == known.formBody)
    }

    private static func sha256Hex(_ text: String) -> String {
        SHA256.hash(data: Data(text.utf8)).map { String(format: "%02x", $0) }.joined()
    }

    @Test func consumeMessageIsBuiltFieldByField() throws {
        let known = try KnownAnswers.consume()
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
            Payload.self,
            from: Data(Vectors.json(KnownAnswers.folder + "synthetic/rsa-emv-unionpay.expected.json", as: Expected.self).plaintext.utf8))
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

    @Test func secureKeySignatureWithSM3IsReproduced() throws {
        let known = try KnownAnswers.consume()
        let secret = Secret(known.secureKey12.secureKey)
        let signed = try UnionPaySigner(.secureKeySM3(secret, OpenSSLSM3())).signed(UnionPayFields(known.fields))
        #expect(signed["signature"] == known.secureKey12.signature)
        #expect(StringToSign.text(signed, .request) == known.secureKey12.stringToSign)
        #expect(try MerchantSignatureVerifier([.secureKeySM3(secret, OpenSSLSM3())]).verified(signed).fields["signMethod"] == "12")
    }

    /// The message of method 21 with one of its signatures.
    private func sm2Message(_ known: KnownAnswers.Consume, signature: String) -> UnionPayFields {
        var fields = UnionPayFields(known.fields)
        fields["signMethod"] = "21"
        fields["certId"] = known.sm2.certId
        fields["signature"] = signature
        return fields
    }

    @Test func bothFormsOfTheSM2SignatureVerify() throws {
        let known = try KnownAnswers.consume()
        let key = OpenSSLSM2Verifier(key: try SM2PublicKey(pem: known.sm2.publicKeyPem))
        let verifier = MerchantSignatureVerifier([.sm2(key, OpenSSLSM3(), try CertificateID(known.sm2.certId))])
        for signature in [known.sm2.signatureDerBase64, known.sm2.signatureRawBase64] {
            let message = sm2Message(known, signature: signature)
            #expect(StringToSign.text(message, .request) == known.sm2.stringToSign)
            #expect(try verifier.verified(message).fields["signature"] == signature)
            var other = message
            other["txnAmt"] = "20001"
            #expect(throws: UnionPayError.self) { try verifier.verified(other) }
        }
    }

    @Test func sm2SignatureIsOverTheHexTextWithTheCertificateIDAsUser() throws {
        let known = try KnownAnswers.consume()
        let digest = try SM3.hash(Data(known.sm2.stringToSign.utf8)).map { String(format: "%02x", $0) }.joined()
        #expect(digest == known.sm2.sm3Hex)
        let key = OpenSSLSM2Verifier(key: try SM2PublicKey(pem: known.sm2.publicKeyPem))
        let signature = Array(try #require(Data(base64Encoded: known.sm2.signatureDerBase64)))
        let text = Array(known.sm2.sm3Hex.utf8)
        #expect(key.isValidSM2Signature(signature, for: text, userID: Array(known.sm2.certId.utf8)))
        #expect(!key.isValidSM2Signature(signature, for: text, userID: Array("1234567812345678".utf8)))
        #expect(!key.isValidSM2Signature(signature, for: Array(known.sm2.stringToSign.utf8), userID: Array(known.sm2.certId.utf8)))
    }

    @Test(arguments: [UnionPay.SM2SignatureForm.der, .raw]) func ownSM2SignatureVerifies(form: UnionPay.SM2SignatureForm) throws {
        let known = try KnownAnswers.consume()
        let id = try CertificateID(known.sm2.certId)
        let key = try SM2PrivateKey(pem: known.sm2.privateKeyPem)
        let signed = try UnionPaySigner(.sm2(OpenSSLSM2Signer(key: key), OpenSSLSM3(), id, form)).signed(UnionPayFields(known.fields))
        #expect(StringToSign.text(signed, .request) == known.sm2.stringToSign)
        let raw = try #require(Data(base64Encoded: signed["signature"] ?? ""))
        #expect((raw.count == 64) == (form == .raw))
        let verifier = MerchantSignatureVerifier([.sm2(OpenSSLSM2Verifier(key: key.publicKey), OpenSSLSM3(), id)])
        #expect(try verifier.verified(signed).fields["certId"] == known.sm2.certId)
    }
}
