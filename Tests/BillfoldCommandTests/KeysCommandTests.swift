import ArgumentParser
import BillfoldTestSupport
import Foundation
import PaymentCrypto
import PaymentCryptoIssuing
import PaymentCryptoOpenSSL
import Testing

@testable import billfold

struct KeysCommandTests {
    private static let now = Date(timeIntervalSince1970: 1_795_000_000)
    private static let merchant = "merchant.example.shop"

    /// A folder of its own, removed afterwards.
    private func inFolder(_ body: (URL) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("keys-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder)
    }

    private func reply<Command: KeysReplying>(_ type: Command.Type, _ arguments: String...) throws -> KeysReply {
        try Command.parse(arguments).reply(now: Self.now)
    }

    private func certificate(
        _ key: PublicKey, days: Double = 700, seed: UInt64 = 91, changes: (inout CertificateTemplate) -> Void = { _ in }
    ) throws -> ParsedCertificate {
        var office = try TestCertificateAuthority(
            notBefore: Self.now - 86_400, notAfter: Self.now + 900 * 86_400, seed: seed)
        return try office.merchantCertificate(key, identifier: Self.merchant) {
            $0.notAfter = Self.now + days * 86_400
            changes(&$0)
        }
    }

    /// A private key as DER begins as a PKCS#12 file does, and needs no password.
    @Test func privateKeyAsDERIsNoArchive() throws {
        try inFolder { folder in
            var generator = SeededGenerator(seed: 3, label: "DER")
            let key = PrivateKey.p256(try P256PrivateKey(using: &generator))
            let file = folder.appendingPathComponent("k.der")
            try Data(key.pkcs8).write(to: file)
            let store = folder.appendingPathComponent("store").path
            #expect(throws: CommandFailure(.refused, code: "certificate-missing", reason: "a processing key needs its certificate")) {
                try reply(KeysImport.self, file.path, "--purpose", "processing", "--store", store)
            }
            let imported = try reply(KeysImport.self, file.path, "--purpose", "signing", "--store", store)
            #expect(imported.object["publicKeyHash"] == .text(StrictBase64.encode(key.publicKey.sha256)))
        }
    }

    @Test func oldKeyThatIsImportedAgainSaysThatItStaysOld() throws {
        try inFolder { folder in
            let store = folder.appendingPathComponent("store").path
            var files: [String] = []
            for seed in [UInt64(1), 2] {
                var generator = SeededGenerator(seed: seed, label: "import twice")
                let key = PrivateKey.p256(try P256PrivateKey(using: &generator))
                let file = folder.appendingPathComponent("\(seed).pem").path
                let text = PEMText.Block(label: "PRIVATE KEY", bytes: key.pkcs8).text + (try certificate(key.publicKey).pem)
                try text.write(toFile: file, atomically: true, encoding: .utf8)
                files.append(file)
                #expect(try reply(KeysImport.self, file, "--store", store).object["state"] == .text("active"))
            }
            let again = try reply(KeysImport.self, files[0], "--store", store)
            #expect(again.object["state"] == .text("old"))
            #expect(again.warnings.contains { $0.contains("keys activate") })
        }
    }

    @Test func keyIsMadeRequestedCertifiedImportedListedAndRetired() throws {
        try inFolder { folder in
            let keyFile = folder.appendingPathComponent("k.pem").path
            let store = folder.appendingPathComponent("store").path
            let made = try reply(KeysMake.self, "--kind", "ec", "--out", keyFile)
            let mode = try FileManager.default.attributesOfItem(atPath: keyFile)[.posixPermissions] as? Int
            #expect(mode == 0o600)
            let csr = try reply(KeysRequest.self, "--merchant", Self.merchant, "--key", keyFile)
            #expect(csr.object["publicKeyHash"] == made.object["publicKeyHash"])
            let request = try CertificateRequest(pem: csr.text)
            #expect(request.subject.userID == Self.merchant)
            let certificateFile = folder.appendingPathComponent("c.pem").path
            try certificate(request.publicKey).pem.write(toFile: certificateFile, atomically: true, encoding: .utf8)
            let imported = try reply(KeysImport.self, certificateFile, "--key", keyFile, "--store", store)
            #expect(imported.object["purpose"] == .text("processing"))
            #expect(imported.object["state"] == .text("active"))
            #expect(imported.object["publicKeyHash"] == made.object["publicKeyHash"])
            let list = try reply(KeysList.self, "--store", store)
            #expect(list.warnings.isEmpty)
            #expect(list.text.contains("active"))
            #expect(list.json.contains(#""daysLeft":700"#))
            let check = try reply(KeysCheck.self, "--merchant", Self.merchant, "--store", store)
            #expect(check.exitCode == 0)
            #expect(try reply(KeysCheck.self, "--merchant", "merchant.other", "--store", store).exitCode == 1)
            guard case .text(let id)? = imported.object["id"] else {
                Issue.record("the reply names no id")
                return
            }
            #expect(throws: PaymentCryptoError(code: .keyActive, reason: "")) { try reply(KeysRetire.self, id, "--store", store) }
            #expect(try reply(KeysRetire.self, id, "--even-active", "--store", store).object["state"] == .text("retired"))
            #expect(try reply(KeysList.self, "--store", store).json.contains(#""state":"retired""#))
        }
    }

    @Test(arguments: [(59.0, "less than 60"), (29, "less than 30"), (14, "less than 15"), (6, "less than 7"), (-1, "ended at")])
    func endOfACertificateIsWarnedOf(_ days: Double, _ words: String) throws {
        try inFolder { folder in
            var generator = SeededGenerator(seed: 92)
            let key = try P256PrivateKey(using: &generator)
            let store = KeyStore(folder: folder.appendingPathComponent("store"))
            let certificate = try certificate(key.publicKey, days: days, changes: { $0.notBefore = Self.now - 10 * 86_400 })
            _ = try store.add(.p256(key), certificate: certificate, purpose: .processing, at: Self.now)
            let list = try reply(KeysList.self, "--store", folder.appendingPathComponent("store").path)
            #expect(list.exitCode == 0)
            #expect(list.warnings.count == 1)
            #expect(list.warnings.first?.contains(words) == true)
            #expect(list.json.contains(#""warnings":["#))
        }
    }

    @Test func pkcs12IsImportedWithItsPassword() throws {
        try inFolder { folder in
            let key = try RSAPrivateKey(bits: 2048)
            let archive = PKCS12Archive(privateKeyDER: key.pkcs8, certificate: try certificate(key.publicKey), chain: [])
            let file = folder.appendingPathComponent("k.p12").path
            try Data(archive.encoded(password: "secret", name: "k")).write(to: URL(fileURLWithPath: file))
            let password = folder.appendingPathComponent("password").path
            try "secret\n".write(toFile: password, atomically: true, encoding: .utf8)
            let store = folder.appendingPathComponent("store").path
            let imported = try reply(KeysImport.self, file, "--password-file", password, "--store", store)
            #expect(imported.object["kind"] == .text("rsa"))
            try "wrong\n".write(toFile: password, atomically: true, encoding: .utf8)
            #expect(throws: PaymentCryptoOpenSSLError.self) {
                try reply(KeysImport.self, file, "--password-file", password, "--store", store)
            }
        }
    }

    @Test(.enabled(if: Vectors.available("apple-pay-acceptance/kat/unionpay-test-merchant.pfx")))
    func oldSigningArchiveIsImported() throws {
        try inFolder { folder in
            let password = folder.appendingPathComponent("password").path
            try "000000".write(toFile: password, atomically: true, encoding: .utf8)
            let file = try Vectors.url("apple-pay-acceptance/kat/unionpay-test-merchant.pfx").path
            let store = folder.appendingPathComponent("store").path
            let imported = try reply(KeysImport.self, file, "--password-file", password, "--store", store)
            #expect(imported.object["purpose"] == .text("signing"))
            #expect(try KeyStore(folder: URL(fileURLWithPath: store)).ring(.signing).active.key.certificate != nil)
        }
    }

    @Test func merchantCertificateForClientAuthenticationIsAnIdentityKey() throws {
        try inFolder { folder in
            let key = try RSAPrivateKey(bits: 2048)
            let clientAuthentication = CertificateExtension(
                oid: .extendedKeyUsage, value: [0x30, 0x0A, 0x06, 0x08, 0x2B, 0x06, 0x01, 0x05, 0x05, 0x07, 0x03, 0x02])
            let certificate = try certificate(key.publicKey, changes: { $0.extensions.append(clientAuthentication) })
            let file = folder.appendingPathComponent("both.pem").path
            let text = PEMText.Block(label: "PRIVATE KEY", bytes: key.pkcs8).text + certificate.pem
            try text.write(toFile: file, atomically: true, encoding: .utf8)
            let imported = try reply(KeysImport.self, file, "--store", folder.appendingPathComponent("store").path)
            #expect(imported.object["purpose"] == .text("identity"))
        }
    }

    @Test func sm2KeyIsMadeAndKeptForSigning() throws {
        try inFolder { folder in
            let keyFile = folder.appendingPathComponent("k.pem").path
            let store = folder.appendingPathComponent("store").path
            let made = try reply(KeysMake.self, "--kind", "sm2", "--out", keyFile)
            let imported = try reply(KeysImport.self, keyFile, "--store", store)
            #expect(imported.object["kind"] == .text("sm2"))
            #expect(imported.object["publicKeyHash"] == made.object["publicKeyHash"])
            let stored = try KeyStore(folder: URL(fileURLWithPath: store)).keys[0]
            let der = try KeyStore(folder: URL(fileURLWithPath: store)).pkcs8(stored.id)
            #expect(try SM2PrivateKey(der: der).publicKey == SM2PrivateKey(pem: String(contentsOfFile: keyFile, encoding: .utf8)).publicKey)
        }
    }

    @Test func existingKeyFileIsNotOverwritten() throws {
        try inFolder { folder in
            let keyFile = folder.appendingPathComponent("k.pem").path
            _ = try reply(KeysMake.self, "--kind", "ec", "--out", keyFile)
            let before = try Data(contentsOf: URL(fileURLWithPath: keyFile))
            #expect { try reply(KeysMake.self, "--kind", "ec", "--out", keyFile) } throws: {
                ($0 as? CommandFailure)?.code == "file-exists" && ($0 as? CommandFailure)?.exitCode == 1
            }
            #expect(try Data(contentsOf: URL(fileURLWithPath: keyFile)) == before)
        }
    }

    @Test func certificateOfAnotherKeyIsRefused() throws {
        try inFolder { folder in
            var generator = SeededGenerator(seed: 93)
            let key = try P256PrivateKey(using: &generator)
            let other = try P256PrivateKey(using: &generator)
            let file = folder.appendingPathComponent("both.pem").path
            let text = PEMText.Block(label: "PRIVATE KEY", bytes: key.pkcs8).text + (try certificate(other.publicKey).pem)
            try text.write(toFile: file, atomically: true, encoding: .utf8)
            #expect(throws: PaymentCryptoError(code: .keyMismatch, reason: "")) {
                try reply(KeysImport.self, file, "--store", folder.appendingPathComponent("store").path)
            }
        }
    }

    @Test func requestForAnUnfitKeyIsRefused() throws {
        try inFolder { folder in
            let keyFile = folder.appendingPathComponent("k.pem").path
            _ = try reply(KeysMake.self, "--kind", "ec", "--out", keyFile)
            #expect { try reply(KeysRequest.self, "--merchant", Self.merchant, "--key", keyFile, "--kind", "identity") } throws: {
                ($0 as? CommandFailure)?.code == "key-kind" && ($0 as? CommandFailure)?.exitCode == 1
            }
            #expect(throws: (any Error).self) { try KeysRequest.parse(["--merchant", "shop", "--key", keyFile]) }
        }
    }

    @Test func faultsMapToTheirExitCodes() {
        #expect(CommandFailure(PaymentCryptoError(code: .unknownKey, reason: "x")).exitCode == 1)
        #expect(CommandFailure(PaymentCryptoError(code: .keyStoreUnavailable, reason: "x")).exitCode == 70)
        #expect(CommandFailure(CancellationError()).exitCode == 70)
        #expect(
            CommandFailure(PaymentCryptoError(code: .unknownKey, reason: "no \"x\"")).json
                == #"{"error":{"code":"unknown-key","reason":"no \"x\""}}"#)
    }

    @Test func commandEndsWithTheExitCodeOfItsOutcome() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("keys-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = folder.appendingPathComponent("store").path
        let list = try KeysList.parse(["--store", store, "--json"])
        try await list.run()
        let retire = try KeysRetire.parse(["0123456789abcdef", "--store", store, "--json"])
        await #expect(throws: ExitCode(1)) { try await retire.run() }
        let check = try KeysCheck.parse(["--merchant", Self.merchant, "--store", store])
        await #expect(throws: ExitCode(1)) { try await check.run() }
        let missing = try KeysImport.parse([folder.appendingPathComponent("none.pem").path, "--store", store])
        await #expect(throws: ExitCode(1)) { try await missing.run() }
        // A folder that is a file cannot be made: that is our fault, not the caller's.
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("keys-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data().write(to: file)
        let blocked = try KeysRetire.parse(["0123", "--store", file.appendingPathComponent("store").path])
        await #expect(throws: ExitCode(70)) { try await blocked.run() }
    }
}
