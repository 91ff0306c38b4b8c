import BillfoldDiagnosis
import BillfoldTestSupport
import Crypto
import Foundation
import PaymentCryptoOpenSSL
import Testing
import UnionPay
import UnionPayDiagnosis
import X509

/// Failures that need SM2, SHA-1 or a look inside the signature to be named.
@Suite struct DoctorKeyTests {
    let authority: TestAuthority
    let merchantKey = RSAPool.keys[3]
    let merchantCertificate: Certificate
    let gatewayKey = RSAPool.keys[2]
    let gatewayCertificate: Certificate

    init() throws {
        authority = try TestAuthority()
        merchantCertificate = try TestAuthority.issue(
            "merchant", serial: 69_903_319_369, key: merchantKey.publicKey, issuer: "CFCA", issuerKey: RSAPool.keys[0])
        gatewayCertificate = try authority.signer(key: gatewayKey)
    }

    private func findings(
        _ message: UnionPayFields, secureKeys: [String] = [], sm2: [UnionPayVerifier.PinnedSM2Key] = []
    ) throws -> [Finding] {
        let doctor = UnionPayDiagnostician(
            keys: DiagnosticKeys(
                secureKeys: secureKeys.map { Secret($0) }, sm3: OpenSSLSM3(), sm2: sm2, pkcs12: OpenSSLPKCS12(), recovery: OpenSSLRecovery()
            ),
            instant: TestAuthority.now)
        return doctor.examine([
            Artifact(name: "merchant.pem", bytes: try TestAuthority.pem(merchantCertificate)),
            Artifact(name: "root.pem", bytes: try TestAuthority.pem(authority.root)),
            Artifact(name: "intermediate.pem", bytes: try TestAuthority.pem(authority.intermediate)),
            Artifact(name: "message", bytes: Array(try FormBody.encode(message).utf8)),
        ]).findings
    }

    private func hex(_ bytes: some Sequence<UInt8>) -> String { bytes.map { String(format: "%02x", $0) }.joined() }

    @Test(arguments: ["5.0.0", "5.1.0"], 0..<20 as Range<UInt64>) func legacySHA1IsNamed(version: String, seed: UInt64) throws {
        var maker = MessageMaker(dice: Dice(seed: seed))
        var fields = try maker.consume()
        if version == "5.0.0" {
            fields["version"] = version
            fields = try LegacyRSASHA1Signer(key: merchantKey, certificate: merchantCertificate).signed(fields)
        } else {
            fields["signMethod"] = "01"
            fields["certId"] = CertificateID(merchantCertificate).description
            let digest = hex(Insecure.SHA1.hash(data: Data(StringToSign.text(fields, .request).utf8)))
            let signature = try merchantKey.sign(bytes: Array(digest.utf8), signatureAlgorithm: .sha1WithRSAEncryption)
            fields["signature"] = Data(signature.rawRepresentation).base64EncodedString()
        }
        #expect(try findings(fields).map(\.code) == ["unionpay.legacy-sha1"], "seed \(seed)")
    }

    @Test(arguments: [UnionPay.SM2SignatureForm.der, .raw], 0..<20 as Range<UInt64>)
    func defaultUserIDOfSM2IsNamed(form: UnionPay.SM2SignatureForm, seed: UInt64) throws {
        var maker = MessageMaker(dice: Dice(seed: seed))
        let key = try SM2PrivateKey(using: &maker.dice)
        let id = try CertificateID(String(UInt64.random(in: 1...UInt64.max, using: &maker.dice)))
        let pinned = UnionPayVerifier.PinnedSM2Key(certificateID: id, key: OpenSSLSM2Verifier(key: key.publicKey))
        let good = try UnionPaySigner(.sm2(OpenSSLSM2Signer(key: key), OpenSSLSM3(), id, form)).signed(maker.consume())
        #expect(try findings(good, sm2: [pinned]) == [], "seed \(seed)")

        let text = Array(StringToSign.text(good, .request).utf8)
        let digest = Array(hex(try SM3.hash(text)).utf8)
        let ownForm: PaymentCryptoOpenSSL.SM2SignatureForm = form == .der ? .der : .raw
        func with(_ message: [UInt8], user: String) throws -> UnionPayFields {
            var fields = good
            fields["signature"] = Data(try key.signature(over: message, userID: Array(user.utf8), form: ownForm)).base64EncodedString()
            return fields
        }
        let defaultUser = try with(digest, user: "1234567812345678")
        #expect(try findings(defaultUser, sm2: [pinned]).map(\.code) == ["unionpay.sm2-user-id"], "seed \(seed)")
        let once = try with(text, user: id.description)
        #expect(try findings(once, sm2: [pinned]).map(\.code) == ["unionpay.signed-once"], "seed \(seed)")
        let other = try SM2PrivateKey(using: &maker.dice).publicKey
        let foreign = UnionPayVerifier.PinnedSM2Key(certificateID: id, key: OpenSSLSM2Verifier(key: other))
        #expect(try findings(good, sm2: [foreign]).map(\.code) == ["unionpay.signature-mismatch"], "seed \(seed)")
    }

    @Test(arguments: 0..<20 as Range<UInt64>) func contentChangedAfterSigningIsNamed(seed: UInt64) throws {
        var maker = MessageMaker(dice: Dice(seed: seed))
        var request = try UnionPaySigner(key: merchantKey, certificate: merchantCertificate).signed(maker.consume())
        let text = StringToSign.text(request, .request)
        switch seed % 4 {
        case 0: request["txnAmt"] = String(Int.random(in: 10_000_000...99_999_999, using: &maker.dice))
        case 1: request["orderId"] = maker.dice.letters(20...30)
        case 2: request["backUrl"] = "https://other.example/" + maker.dice.letters(4...9)
        default: request["channelType"] = nil
        }
        // The hash inside is over the hex text of the digest.
        let expected = hex(SHA256.hash(data: Data(hex(SHA256.hash(data: Data(text.utf8))).utf8)))
        let found = try findings(request)
        #expect(found.map(\.code) == ["unionpay.content-changed"], "seed \(seed)")
        #expect(found.first?.evidence.contains { $0.value == expected } == true, "seed \(seed)")

        var reply = try ReplySigner(key: gatewayKey, certificate: gatewayCertificate).signed(maker.notification())
        reply[["settleAmt", "txnAmt", "queryId"].randomElement(using: &maker.dice) ?? "txnAmt"] = "1" + maker.dice.digits(9)
        #expect(try findings(reply).map(\.code) == ["unionpay.content-changed"], "seed \(seed)")
    }

    @Test(arguments: 0..<20 as Range<UInt64>) func foreignKeyIsNamed(seed: UInt64) throws {
        var maker = MessageMaker(dice: Dice(seed: seed))
        // Making a key takes long, so only the first rounds have a fresh one.
        let other = try #require(seed < 4 ? RSAPool.fresh() : RSAPool.keys[Int(seed % 3)])
        let signer = UnionPaySigner(.rsa(other, CertificateID(merchantCertificate)))
        #expect(try findings(signer.signed(maker.consume())).map(\.code) == ["unionpay.foreign-key"], "seed \(seed)")

        // A gateway's certificate beside a signature of another key.
        var reply = try ReplySigner(key: gatewayKey, certificate: gatewayCertificate).signed(maker.notification())
        let wrong = try merchantKey.sign(bytes: Array(StringToSign.text(reply, .reply).utf8), signatureAlgorithm: .sha256WithRSAEncryption)
        reply["signature"] = Data(wrong.rawRepresentation).base64EncodedString()
        #expect(try findings(reply).map(\.code) == ["unionpay.foreign-key"], "seed \(seed)")
    }

    @Test(arguments: ["missing", "unknown", "rsaAsSecret", "rsaAsSM3", "secretAsRSA", "secretAsSM2"], 0..<20 as Range<UInt64>)
    func wrongSignMethodIsNamed(fault: String, seed: UInt64) throws {
        var maker = MessageMaker(dice: Dice(seed: seed))
        let secret = maker.dice.letters(32...32)
        let message = try maker.consume()
        let byCertificate = try UnionPaySigner(key: merchantKey, certificate: merchantCertificate).signed(message)
        let bySecret = try UnionPaySigner(.secureKeySHA256(Secret(secret))).signed(message)
        var fields: UnionPayFields
        switch fault {
        case "missing":
            fields = byCertificate
            fields["signMethod"] = nil
        case "unknown":
            fields = byCertificate
            fields["signMethod"] = ["1", "02", "RSA", "22", "00"].randomElement(using: &maker.dice)
        case "rsaAsSecret", "rsaAsSM3":
            fields = byCertificate
            fields["signMethod"] = fault == "rsaAsSecret" ? "11" : "12"
        default:
            fields = bySecret
            fields["signMethod"] = fault == "secretAsRSA" ? "01" : "21"
        }
        #expect(try findings(fields, secureKeys: [secret]).map(\.code) == ["unionpay.sign-method"], "seed \(seed)")
    }

    /// What nobody could judge says for which key it waits.
    @Test func aMessageWithoutAKeySaysForWhichItWaits() throws {
        var maker = MessageMaker(dice: Dice(seed: 5))
        let message = try maker.consume()
        let bySecret = try UnionPaySigner(.secureKeySHA256(Secret("a-secret-of-two"))).signed(message)
        var bySM2 = bySecret
        bySM2["signMethod"] = "21"
        bySM2["signature"] = Data(repeating: 7, count: 70).base64EncodedString()
        for (fields, need) in [(bySecret, "--secure-key-file"), (bySM2, "--sm2-key")] {
            let file = Artifact(name: "message", bytes: Array(try FormBody.encode(fields).utf8))
            let said = UnionPayDiagnostician(instant: TestAuthority.now).examine([file])
            #expect(said.findings.isEmpty, "\(said.findings)")
            #expect(said.identified.map { $0.unjudged?.part } == ["its signature"])
            #expect(said.identified.first?.unjudged?.need.contains(need) == true)
        }
    }

    /// What files ask for is bounded over all of them, and a file that is over it is told of with the number.
    @Test(.enabled(if: KnownAnswers.isThere)) func filesThatAskForMoreHashingThanIsLeftAreSaidToBeSo() throws {
        let bytes = try Vectors.bytes(KnownAnswers.folder + "kat/unionpay-test-merchant.pfx")
        var left = Int.max
        guard case .opened = OpenSSLPKCS12().open(bytes, password: Secret("000000"), rounds: &left) else {
            Issue.record("the file does not open")
            return
        }
        let one = Int.max - left
        let doctor = UnionPayDiagnostician(keys: DiagnosticKeys(pkcs12: OpenSSLPKCS12()), instant: TestAuthority.now)
        let files = ["a", "b", "c", "d"].map { Artifact(name: $0, bytes: bytes) }
        let budget = DiagnosisBudget(rounds: 2 * one + one / 2)
        let diagnosis = Diagnosis(of: files, by: [doctor], within: budget)
        #expect(diagnosis.identified.map(\.kind) == ["unionpay.pfx", "unionpay.pfx", "pkcs12", "pkcs12"])
        #expect(diagnosis.findings.map(\.code) == ["pkcs12-rounds", "pkcs12-rounds"])
        #expect(diagnosis.findings.map(\.subject) == ["c", "d"])
        let evidence = try #require(diagnosis.findings.first).evidence
        #expect(evidence.contains { $0.name == "rounds" && (Int($0.value) ?? 0) > one / 2 })
        #expect(evidence.contains { $0.name == "rounds of all files" && $0.value == String(2 * one + one / 2) })
        // Nobody waits any more: nothing is opened.
        let over = Diagnosis(of: files, by: [doctor], within: DiagnosisBudget(rounds: .max) { true })
        #expect(over.identified.isEmpty && over.findings.isEmpty)
    }
}
