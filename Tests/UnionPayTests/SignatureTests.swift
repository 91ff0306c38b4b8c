import BillfoldDiagnosis
import BillfoldMoney
import Foundation
import PaymentCrypto
import PaymentCryptoOpenSSL
import SwiftASN1
import Testing
import UnionPay
import X509

@Suite struct SignatureTests {
    let authority: TestAuthority
    let key = RSAPool.keys[2]
    let certificate: Certificate
    let merchantKey = RSAPool.keys[3]
    let merchantCertificate: Certificate

    init() throws {
        authority = try TestAuthority()
        certificate = try authority.signer(key: key)
        merchantCertificate = try TestAuthority.issue(
            "merchant", serial: 69_903_319_369, key: merchantKey.publicKey, issuer: "CFCA", issuerKey: RSAPool.keys[0])
    }

    @Test func serialNumberIsWrittenInDecimal() {
        #expect(CertificateID(merchantCertificate).description == "69903319369")
        #expect(CertificateID(authority.root).description == "1")
    }

    @Test func requestDropsEmptyFieldsAndTrims() throws {
        let fields: UnionPayFields = ["b": "", "accessType": " 0 ", "accNo": "1", "Z": "2", "signature": "x", "c": "   "]
        #expect(StringToSign.text(fields, .request) == "Z=2&accNo=1&accessType=0")
    }

    @Test func replyKeepsEmptyFieldsAndValues() throws {
        let fields: UnionPayFields = ["b": "", "a": " 0\r\n", "signature": "x"]
        #expect(StringToSign.text(fields, .reply) == "a= 0\r\n&b=")
    }

    @Test func gatewayAcceptsWhatTheMerchantSigned() throws {
        var maker = MessageMaker(dice: Dice(seed: 1))
        let signed = try UnionPaySigner(key: merchantKey, certificate: merchantCertificate).signed(maker.consume())
        let verifier = MerchantSignatureVerifier([.rsa(merchantCertificate)])
        let received = try FormBody.decode(Array(FormBody.encode(signed).utf8))
        let request = try ConsumeRequest(verifier.verified(received))
        #expect(try request.fields().dictionary.merging(signed.dictionary) { left, _ in left } == signed.dictionary)
    }

    @Test(arguments: ["txnAmt", "orderId", "merId", "backUrl", "certId", "signature"])
    func gatewayRefusesAChangedRequest(name: String) throws {
        var maker = MessageMaker(dice: Dice(seed: 2))
        var signed = try UnionPaySigner(key: merchantKey, certificate: merchantCertificate).signed(maker.consume())
        signed[name] = (signed[name] ?? "") + "1"
        #expect(throws: UnionPayError.self) { try MerchantSignatureVerifier([.rsa(merchantCertificate)]).verified(signed) }
    }

    @Test func keyOfAnotherCertificateIsRefused() {
        #expect(throws: UnionPayError.self) { try UnionPaySigner(key: key, certificate: merchantCertificate) }
    }

    @Test func secureKeySignsAndVerifies() throws {
        var maker = MessageMaker(dice: Dice(seed: 3))
        let signed = try UnionPaySigner(.secureKeySHA256(Secret("979da4cf"))).signed(maker.consume())
        #expect(signed["certId"] == nil)
        #expect(throws: Never.self) { try MerchantSignatureVerifier([.secureKeySHA256(Secret("979da4cf"))]).verified(signed) }
        #expect(throws: UnionPayError.self) { try MerchantSignatureVerifier([.secureKeySHA256(Secret("979da4ce"))]).verified(signed) }
    }

    @Test func legacySignatureBelongsToItsVersionAlone() throws {
        var maker = MessageMaker(dice: Dice(seed: 4))
        var fields = try maker.consume()
        let legacy = try LegacyRSASHA1Signer(key: merchantKey, certificate: merchantCertificate)
        #expect(throws: UnionPayError.self) { try legacy.signed(fields) }
        fields["version"] = "5.0.0"
        let signed = try legacy.signed(fields)
        #expect(throws: Never.self) { try LegacyRSASHA1Verifier(certificates: [merchantCertificate]).verified(signed) }
        #expect(throws: UnionPayError.self) { try MerchantSignatureVerifier([.rsa(merchantCertificate)]).verified(signed) }
        #expect(throws: UnionPayError.self) { try UnionPaySigner(key: merchantKey, certificate: merchantCertificate).signed(fields) }
    }

    @Test func verifiedNotificationIsRead() throws {
        var maker = MessageMaker(dice: Dice(seed: 5))
        let fields = try ReplySigner(key: key, certificate: certificate).signed(maker.notification())
        let received = try FormBody.decode(Array(FormBody.encode(fields).utf8))
        let notification = try Unverified<PaymentNotification>(received)
            .verified(by: UnionPayVerifier(trust: authority.trust), at: TestAuthority.now)
        #expect(notification.isSuccess)
        #expect(notification.message.reason == "0000000")
        #expect(String(notification.amount.minorUnits) == fields["txnAmt"])
    }

    /// Whatever single byte of a signed reply changes, nothing of it is believed.
    @Test func everyFlippedByteOfASignedReplyIsRefused() throws {
        var maker = MessageMaker(dice: Dice(seed: 6))
        let fields = try ReplySigner(key: key, certificate: certificate).signed(maker.notification())
        let body = try ReplyBody.encode(fields)
        let verifier = UnionPayVerifier(trust: authority.trust)
        #expect(throws: Never.self) { try verifier.verified(ReplyBody.decode(body), at: TestAuthority.now) }
        for index in body.indices {
            for bit in [0, 5] {
                var changed = body
                changed[index] ^= 1 << bit
                guard let fields = try? ReplyBody.decode(changed) else { continue }
                if (try? verifier.verified(fields, at: TestAuthority.now)) != nil {
                    Issue.record("byte \(index), bit \(bit) may change")
                }
            }
        }
    }

    @Test func lineFeedsForCarriageReturnsBreakTheSignature() throws {
        var maker = MessageMaker(dice: Dice(seed: 7))
        var fields = try ReplySigner(key: key, certificate: certificate).signed(maker.notification())
        fields["signPubKeyCert"] = fields["signPubKeyCert"]?.replacing("\r\n", with: "\n")
        let error = #expect(throws: UnionPayError.self) {
            try UnionPayVerifier(trust: authority.trust).verified(fields, at: TestAuthority.now)
        }
        #expect(error?.code == .signatureMismatch)
    }

    @Test(arguments: ["forged", "otherName", "expired", "future", "authority", "secondReading", "openBracket", "bracketsOfTwo", "otherMethod"])
    func messageThatMustNotBeBelievedIsRefused(kind: String) throws {
        var maker = MessageMaker(dice: Dice(seed: 8))
        var message = try maker.notification()
        var certificate = self.certificate
        var instant = TestAuthority.now
        let expected: UnionPayError.Code
        switch kind {
        case "forged":
            certificate = try TestAuthority.issue(
                TestAuthority.unionPayName, serial: 9, key: key.publicKey, issuer: "Test Intermediate", issuerKey: RSAPool.keys[3])
            expected = .certificateUntrusted
        case "otherName":
            certificate = try authority.signer("041@X@Some Merchant@1", key: key)
            expected = .certificateNotUnionPay
        case "expired":
            instant = TestAuthority.now.addingTimeInterval(86_401)
            expected = .certificateOutOfDate
        case "future":
            instant = TestAuthority.now.addingTimeInterval(-86_401)
            expected = .certificateOutOfDate
        case "authority":
            certificate = try TestAuthority.issue(
                TestAuthority.unionPayName, serial: 9, key: key.publicKey, issuer: "Test Intermediate",
                issuerKey: authority.intermediateKey, isAuthority: true)
            expected = .certificateUntrusted
        case "secondReading":
            message["reqReserved"] = "x&respCode=64"
            message["respCode"] = nil
            expected = .malformedBody
        case "openBracket":
            // The bracket would hide every separator behind it.
            message["reqReserved"] = "x["
            expected = .malformedBody
        case "bracketsOfTwo":
            (message["reqReserved"], message["traceNo"]) = ("x[", "]")
            expected = .malformedBody
        default: expected = .unsupported
        }
        var fields = try ReplySigner(key: key, certificate: certificate).signed(message)
        if kind == "otherMethod" { fields["signMethod"] = "11" }
        let error = #expect(throws: UnionPayError.self) {
            try UnionPayVerifier(trust: authority.trust).verified(fields, at: instant)
        }
        #expect(error?.code == expected)
    }

    @Test(arguments: [86_401.0, -86_401.0])
    func certificateThatWasBelievedOnceIsRefusedOutsideItsDates(shift: TimeInterval) throws {
        var maker = MessageMaker(dice: Dice(seed: 10))
        let fields = try ReplySigner(key: key, certificate: certificate).signed(maker.notification())
        let verifier = UnionPayVerifier(trust: authority.trust)
        for _ in 0..<2 { #expect(throws: Never.self) { try verifier.verified(fields, at: TestAuthority.now) } }
        let error = #expect(throws: UnionPayError.self) { try verifier.verified(fields, at: TestAuthority.now.addingTimeInterval(shift)) }
        #expect(error?.code == .certificateOutOfDate)
    }

    @Test func keyHeldByAnotherLibrarySignsTheSame() throws {
        let fields: UnionPayFields = ["version": "5.1.0", "encoding": "UTF-8", "orderId": "20261121"]
        let other = try OpenSSLRSAKey(RSAPrivateKey(pem: merchantKey.serializeAsPEM().pemString))
        #expect(
            try UnionPaySigner(key: other, certificate: merchantCertificate).signed(fields)
                == UnionPaySigner(key: merchantKey, certificate: merchantCertificate).signed(fields))
        let error = #expect(throws: UnionPayError.self) { try UnionPaySigner(key: other, certificate: certificate) }
        #expect(error?.code == .unusableKey)
    }

    @Test func testNameIsAcceptedOnlyWhereItIsConfigured() throws {
        let certificate = try authority.signer("x@y@\(UnionPayTrust.testOrganisation)@z", key: key)
        #expect(throws: UnionPayError.self) { try authority.trust.check(certificate, at: TestAuthority.now) }
        var trust = authority.trust
        trust.organisations.insert(UnionPayTrust.testOrganisation)
        #expect(throws: Never.self) { try trust.check(certificate, at: TestAuthority.now) }
    }

    @Test func secondSpellingOfTheSameSignatureIsRefused() throws {
        var maker = MessageMaker(dice: Dice(seed: 9))
        var fields = try ReplySigner(key: key, certificate: certificate).signed(maker.notification())
        // A 256-byte signature ends in "==": four bits of the character before it carry nothing.
        var text = Array(try #require(fields["signature"]))
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
        let place = text.count - 3
        let value = try #require(alphabet.firstIndex(of: text[place]))
        text[place] = alphabet[value ^ 1]
        fields["signature"] = String(text)
        #expect(throws: UnionPayError.self) {
            try UnionPayVerifier(trust: authority.trust).verified(fields, at: TestAuthority.now)
        }
    }
}
