import ApplePay
import ArgumentParser
import BillfoldDiagnosis
import BillfoldJSON
import BillfoldTestSupport
import Foundation
import PaymentCrypto
import PaymentCryptoOpenSSL
import SwiftASN1
import Testing
import UnionPay
import X509

@testable import billfold

/// The commands on known answers, and on what a stranger would send.
@Suite(.enabled(if: Vectors.available("apple-pay-acceptance"))) final class UnionPayCommandTests {
    private static let kat = "apple-pay-acceptance/kat/"
    private static let now = Date(timeIntervalSince1970: 1_795_204_800)

    private struct Published: Decodable {
        var fields: [String: String]
        var signature: String
    }

    private struct Consume: Decodable {
        struct SecureKey: Decodable {
            var secureKey: String
            var signature: String
        }

        struct SM2: Decodable {
            var certId: String
            var privateKeyPem: String
            var publicKeyPem: String
        }

        var fields: [String: String]
        var signature: String
        var formBody: String
        var secureKey11: SecureKey
        var secureKey12: SecureKey
        var sm2: SM2

        enum CodingKeys: String, CodingKey {
            case fields, signature, formBody
            case secureKey11 = "secureKey-11"
            case secureKey12 = "secureKey-12"
            case sm2 = "sm2-21"
        }
    }

    private let folder: URL
    private let consume: Consume
    private let pfx: [String]

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("unionpay-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        consume = try Vectors.json("apple-pay-acceptance/synthetic/unionpay-consume-signing.json")
        let password = folder.appendingPathComponent("password").path
        try "000000\n".write(toFile: password, atomically: true, encoding: .utf8)
        pfx = ["--pfx", try Vectors.url(Self.kat + "unionpay-test-merchant.pfx").path, "--password-file", password]
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private func file(_ name: String, _ text: String) throws -> String {
        let path = folder.appendingPathComponent(name).path
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        return path
    }

    private func file(_ name: String, _ fields: [String: String]) throws -> String {
        try file(name, String(decoding: JSONEncoder().encode(fields), as: UTF8.self))
    }

    private func sign(_ fields: [String: String], _ arguments: [String]) throws -> UnionPayReply {
        try UnionPaySign.parse([file("fields.json", fields)] + arguments).reply(now: Self.now)
    }

    private func verify(_ message: String, _ arguments: [String]) throws -> UnionPayReply {
        try UnionPayVerify.parse([file("message", message)] + arguments).reply(now: Self.now)
    }

    /// The test merchant's certificate as a file.
    private func merchantCertificate() throws -> String {
        let archive = try PKCS12Archive(der: Vectors.bytes(Self.kat + "unionpay-test-merchant.pfx"), password: "000000")
        return try file("merchant.pem", archive.certificate.pem)
    }

    private func refusal(_ body: () throws -> UnionPayReply) -> CommandFailure? {
        do {
            _ = try body()
            return nil
        } catch { return CommandFailure(error) }
    }

    // MARK: Signing

    @Test func publishedSignatureIsPrinted() throws {
        let known: Published = try Vectors.json(Self.kat + "unionpay-sign-rsa.json")
        let reply = try sign(known.fields, pfx)
        #expect(reply.signature == known.signature)
        #expect(reply.certId == "69903319369")
        #expect(reply.text.contains(known.signature))
    }

    @Test func formBodyIsWrittenForItsOwnerAlone() throws {
        let output = folder.appendingPathComponent("body").path
        let reply = try sign(consume.fields, pfx + ["--output", output])
        #expect(reply.signature == consume.signature)
        #expect(try String(contentsOfFile: output, encoding: .utf8) == consume.formBody)
        #expect(try FileManager.default.attributesOfItem(atPath: output)[.posixPermissions] as? Int == 0o600)
        let revealed = try sign(consume.fields, pfx + ["--reveal"])
        #expect(revealed.body == consume.formBody)
        #expect(revealed.fields["accNo"]?.value == consume.fields["accNo"])
    }

    @Test(arguments: ["11", "12"]) func sharedSecretSignsAndVerifies(method: String) throws {
        let known = method == "11" ? consume.secureKey11 : consume.secureKey12
        let secret = ["--secure-key-file", try file("secret", known.secureKey + "\n")]
        let reply = try sign(consume.fields, secret + ["--sign-method", method, "--reveal"])
        #expect(reply.signature == known.signature)
        #expect(reply.certId == nil)
        let body = try #require(reply.body)
        #expect(try verify(body, secret).outcome == "verified")
        let other = ["--secure-key-file", try file("other", "another")]
        #expect(refusal { try verify(body, other) }?.code == "signature-mismatch")
        #expect(!reply.json.contains(known.secureKey))
    }

    @Test(arguments: ["der", "raw"]) func sm2SignsAndVerifies(form: String) throws {
        let key = try file("sm2.pem", consume.sm2.privateKeyPem)
        let reply = try sign(
            consume.fields,
            ["--sign-method", "21", "--key", key, "--cert-id", consume.sm2.certId, "--sm2-form", form, "--reveal"])
        let signature = try #require(Data(base64Encoded: reply.signature ?? ""))
        #expect((signature.count == 64) == (form == "raw"))
        let body = try #require(reply.body)
        let publicKey = ["--sm2-key", try file("sm2.pub", consume.sm2.publicKeyPem)]
        #expect(try verify(body, publicKey + ["--cert-id", consume.sm2.certId]).certId == consume.sm2.certId)
        #expect(refusal { try verify(body, publicKey + ["--cert-id", "4000000022"]) }?.code == "unknown-key")
        let changed = body.replacing("txnAmt=20000", with: "txnAmt=20001")
        #expect(refusal { try verify(changed, publicKey + ["--cert-id", consume.sm2.certId]) }?.exitCode == 1)
    }

    @Test(arguments: [false, true]) func cardDataAndSecretsAreMasked(isVerifying: Bool) throws {
        let reply =
            isVerifying ? try verify(consume.formBody, ["--certificate", merchantCertificate()]) : try sign(consume.fields, pfx)
        for name in ["accNo", "customerInfo", "cardTransData"] {
            let value = try #require(consume.fields[name])
            #expect(!reply.text.contains(value), "\(name)")
            #expect(!reply.json.contains(value), "\(name)")
        }
        #expect(reply.body == nil)
        #expect(!reply.json.contains("nyYIESIzRFVmd4if"))
        #expect(reply.text.contains("orderId = AP20261120000001"))
        #expect(reply.json.contains(#""outcome":"\#(isVerifying ? "verified" : "signed")""#))
    }

    // MARK: Verifying

    @Test func requestIsVerifiedWithTheMerchantsCertificateAlone() throws {
        let certificate = ["--certificate", try merchantCertificate()]
        #expect(try verify(consume.formBody + "\n", certificate).certId == "69903319369")
        let changed = consume.formBody.replacing("txnAmt=20000", with: "txnAmt=10000")
        #expect(
            refusal { try verify(changed, certificate) }
                == CommandFailure(
                    .refused, code: "signature-mismatch", reason: "the signature does not fit the message"))
        #expect(refusal { try verify(consume.formBody, []) }?.exitCode == 64)
        #expect(
            refusal { try verify(consume.formBody.replacing("signMethod=01", with: "signMethod=99"), certificate) }?.code == "unsupported")
    }

    /// UnionPay's chain, as made for this test: files of root and leaf, and a signed notification.
    private func notification(_ name: String) throws -> (root: String, body: String) {
        func key() throws -> Certificate.PrivateKey {
            try Certificate.PrivateKey(
                pemDocument: PEMDocument(type: "PRIVATE KEY", derBytes: RSAPrivateKey(bits: 2048).pkcs8))
        }
        let (rootKey, leafKey) = (try key(), try key())
        let rootName = try DistinguishedName { CommonName("Test Root \(name)") }
        func issue(_ subject: DistinguishedName, _ key: Certificate.PublicKey, _ serial: UInt64, isAuthority: Bool) throws -> Certificate {
            try Certificate(
                version: .v3, serialNumber: .init(serial), publicKey: key, notValidBefore: Self.now - 86_400,
                notValidAfter: Self.now + 86_400, issuer: rootName, subject: subject, signatureAlgorithm: .sha256WithRSAEncryption,
                extensions: Certificate.Extensions {
                    Critical(isAuthority ? BasicConstraints.isCertificateAuthority(maxPathLength: nil) : .notCertificateAuthority)
                }, issuerPrivateKey: rootKey)
        }
        let root = try issue(rootName, rootKey.publicKey, 1, isAuthority: true)
        let leafName = try DistinguishedName { CommonName("041@Z2026@\(UnionPayTrust.organisation)@00000001") }
        let leaf = try issue(leafName, leafKey.publicKey, 2, isAuthority: false)
        let signed = try ReplySigner(key: leafKey, certificate: leaf).signed([
            "encoding": "UTF-8", "merId": "777290058167151", "orderId": "AP20261120000001", "queryId": "202611202000001234567",
            "respCode": "00", "reqReserved": "", "txnAmt": "20000", "txnTime": "20261120200000", "txnType": "01", "version": "5.1.0",
        ])
        return (try file("root-\(name).pem", root.serializeAsPEM().pemString + "\n"), try FormBody.encode(signed))
    }

    @Test func notificationIsVerifiedAgainstTheGivenRootAlone() throws {
        let (root, body) = try notification("one")
        let (otherRoot, _) = try notification("two")
        let block = try #require(try PEMText(String(contentsOfFile: root, encoding: .utf8)).blocks.first)
        try Data(block.bytes).write(to: URL(fileURLWithPath: root + ".cer"))
        #expect(try verify(body, ["--root", root + ".cer"]).fields["queryId"]?.value == "202611202000001234567")
        #expect(try verify(body, ["--root", root]).fields["queryId"]?.value == "202611202000001234567")
        #expect(refusal { try verify(body, ["--root", otherRoot]) }?.code == "certificate-untrusted")
        #expect(refusal { try verify(body, ["--root", root, "--at", "20281120200000"]) }?.code == "certificate-out-of-date")
        #expect(
            refusal { try verify(body.replacing("txnAmt=20000", with: "txnAmt=2000"), ["--root", root]) }?.code == "signature-mismatch")
        #expect(refusal { try verify(body, []) }?.exitCode == 64)
        #expect(refusal { try verify(body, ["--root", root, "--at", "tomorrow"]) }?.exitCode == 64)
    }

    // MARK: Doctor

    private func doctor(_ arguments: [String]) async throws -> (exitCode: Int32, codes: [String], text: String) {
        let reply = try await DoctorCommand.parse(arguments + ["--at", "2022-09-03T00:00:00Z"]).reply()
        let findings = reply.object["findings"]?.array ?? []
        return (reply.exitCode, findings.compactMap { $0.object?["code"]?.string }, reply.text)
    }

    @Test func doctorOpensTheArchiveAndNamesWhatChanged() async throws {
        let good = try file("good", consume.formBody)
        let quiet = try await doctor([good, pfx[1]])
        #expect(quiet.exitCode == 0, "\(quiet.text)")
        #expect(quiet.codes == [])
        let changed = try file("changed", consume.formBody.replacing("txnAmt=20000", with: "txnAmt=10000"))
        let named = try await doctor([changed, pfx[1]])
        #expect(named.exitCode == 1)
        #expect(named.codes == ["unionpay.content-changed"], "\(named.text)")
        #expect(named.text.contains("hash inside the signature  SHA-256"))
    }

    @Test func doctorTakesSharedSecretsAndSM2KeysByOption() async throws {
        let secret = ["--secure-key-file", try file("secret", consume.secureKey12.secureKey)]
        let withSecret = try sign(consume.fields, secret + ["--sign-method", "12", "--reveal"])
        let message = try file("twelve", #require(withSecret.body))
        #expect(try await doctor([message] + secret).codes == [])
        let other = ["--secure-key-file", try file("other", "another")]
        #expect(try await doctor([message] + other).codes == ["unionpay.secure-key"])

        let key = try SM2PrivateKey(pem: consume.sm2.privateKeyPem)
        var fields = UnionPayFields(consume.fields)
        fields["signMethod"] = "21"
        fields["certId"] = consume.sm2.certId
        let digest = try SM3.hash(Data(StringToSign.text(fields, .request).utf8)).map { String(format: "%02x", $0) }.joined()
        let signature = try key.signature(over: Data(digest.utf8), userID: Data("1234567812345678".utf8), form: .der)
        fields["signature"] = Data(signature).base64EncodedString()
        let defaultUser = try file("twenty-one", FormBody.encode(fields))
        let pem = try file("sm2.pub", consume.sm2.publicKeyPem)
        #expect(try await doctor([defaultUser, "--sm2-key", pem, "--cert-id", consume.sm2.certId]).codes == ["unionpay.sm2-user-id"])
        let half = try DoctorCommand.parse([defaultUser, "--sm2-key", pem])
        await #expect(throws: ExitCode(64)) { try await half.run() }
    }

    // MARK: Endings

    @Test func commandEndsWithTheExitCodeOfItsOutcome() async throws {
        let fields = try file("fields.json", consume.fields)
        try await UnionPaySign.parse([fields, "--json"] + pfx).run()
        let certificate = try merchantCertificate()
        let message = try file("message", consume.formBody)
        try await UnionPayVerify.parse([message, "--certificate", certificate]).run()
        let changed = try file("changed", consume.formBody.replacing("txnAmt=20000", with: "txnAmt=10000"))
        let forged = try UnionPayVerify.parse([changed, "--certificate", certificate, "--json"])
        await #expect(throws: ExitCode(1)) { try await forged.run() }
        let wrong = ["--pfx", pfx[1], "--password-file", try file("wrong", "111111")]
        let locked = try UnionPaySign.parse([fields] + wrong)
        await #expect(throws: ExitCode(1)) { try await locked.run() }
        let noKey = try UnionPaySign.parse([fields])
        await #expect(throws: ExitCode(64)) { try await noKey.run() }
        let missing = try UnionPaySign.parse([folder.appendingPathComponent("none").path] + pfx)
        await #expect(throws: ExitCode(1)) { try await missing.run() }
        let blank = try UnionPaySign.parse([fields, "--sign-method", "11", "--secure-key-file", file("blank", "\n")])
        await #expect(throws: ExitCode(64)) { try await blank.run() }
    }

    @Test func faultsMapToTheirExitCodes() {
        #expect(CommandFailure(UnionPayError(code: .unknownKey, reason: "x")).exitCode == 1)
        #expect(CommandFailure(PaymentCryptoOpenSSLError(code: .libraryFailure, reason: "x")).exitCode == 70)
        #expect(CommandFailure(CancellationError()).exitCode == 70)
        #expect(CommandFailure.usage("x").json == #"{"error":{"code":"usage","reason":"x"}}"#)
    }

    @Test func commandIsRegistered() {
        #expect(Billfold.configuration.subcommands.contains { $0 == UnionPayCommand.self })
    }
}
