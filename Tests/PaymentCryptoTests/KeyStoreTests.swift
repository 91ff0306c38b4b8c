import BillfoldTestSupport
import Crypto
import Foundation
import PaymentCrypto
import PaymentCryptoIssuing
import Testing

struct KeyStoreTests {
    private let now = ChainCase.now
    private let merchant = "merchant.example.shop"

    /// A store in a folder of its own, removed afterwards.
    private func withStore(_ body: (KeyStore, URL) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("key-store-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(KeyStore(folder: folder), folder)
    }

    private func pair(_ seed: UInt64, identifier: String? = nil, days: Double = 700) throws -> (PrivateKey, ParsedCertificate) {
        var office = try ChainCase.authority()
        var generator = SeededGenerator(seed: seed)
        let key = try P256PrivateKey(using: &generator)
        let certificate = try office.merchantCertificate(
            key.publicKey, identifier: identifier ?? merchant, changes: { $0.notAfter = self.now + days * 86_400 })
        return (.p256(key), certificate)
    }

    private func mode(_ url: URL) throws -> Int {
        try #require(try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions] as? Int)
    }

    @Test func newKeyMakesTheOldOneOldAndBothAreInTheRing() throws {
        try withStore { store, _ in
            let (first, firstCertificate) = try pair(51)
            let (second, secondCertificate) = try pair(52)
            let old = try store.add(first, certificate: firstCertificate, purpose: .processing, at: now)
            #expect(old.state == .active)
            let new = try store.add(second, certificate: secondCertificate, purpose: .processing, at: now + 1)
            #expect(try store.keys.map(\.state) == [.old, .active])
            let ring = try store.ring(.processing)
            #expect(try ring.active.id == new.keyID)
            #expect(try ring.key(KeyID(publicKeyHash: firstCertificate.publicKeyHash)).certificate == firstCertificate)
            #expect(try store.ring(.identity).list.isEmpty)
            #expect(try store.activate(old.id).state == .active)
            #expect(try store.keys.map(\.state) == [.active, .old])
        }
    }

    @Test func filesAndFolderAreClosedToOthers() throws {
        try withStore { store, folder in
            let (key, certificate) = try pair(53)
            let stored = try store.add(key, certificate: certificate, purpose: .processing, at: now)
            #expect(try mode(folder) == 0o700)
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            #expect(Set(names) == ["index.json", ".lock", "\(stored.id).key.pem", "\(stored.id).certificate.pem"])
            for name in names { #expect(try mode(folder.appendingPathComponent(name)) == 0o600) }
            let keyFile = folder.appendingPathComponent("\(stored.id).key.pem")
            try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: keyFile.path)
            #expect(throws: PaymentCryptoError(code: .keyStoreExposed, reason: "")) { try store.ring(.processing) }
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path)
            #expect(throws: PaymentCryptoError(code: .keyStoreExposed, reason: "")) { try store.activate(stored.id) }
        }
    }

    @Test func retiredKeyIsGoneAndItsNameStays() throws {
        try withStore { store, folder in
            let (first, firstCertificate) = try pair(54)
            let (second, secondCertificate) = try pair(55)
            let old = try store.add(first, certificate: firstCertificate, purpose: .processing, at: now)
            let new = try store.add(second, certificate: secondCertificate, purpose: .processing, at: now)
            #expect(throws: PaymentCryptoError(code: .keyActive, reason: "")) { try store.retire(new.id, at: now) }
            for _ in 0..<2 { #expect(try store.retire(old.id, at: now + 9).retiredAt == now + 9) }
            #expect(!FileManager.default.fileExists(atPath: folder.appendingPathComponent("\(old.id).key.pem").path))
            #expect(throws: PaymentCryptoError(code: .keyRetired, reason: "")) { try store.pkcs8(old.id) }
            #expect(throws: PaymentCryptoError(code: .keyRetired, reason: "")) { try store.activate(old.id) }
            #expect(throws: PaymentCryptoError(code: .keyRetired, reason: "")) {
                try store.add(first, certificate: firstCertificate, purpose: .processing, at: now)
            }
            #expect(try store.ring(.processing).list.map(\.id) == [new.keyID])
            #expect(try store.retire(new.id, evenActive: true, at: now).state == .retired)
            #expect(throws: PaymentCryptoError(code: .unknownKey, reason: "")) { try store.retire("ffff", at: now) }
        }
    }

    @Test func keyAndCertificateThatAreNoPairAreRefused() throws {
        try withStore { store, _ in
            let (key, _) = try pair(56)
            let (_, certificate) = try pair(57)
            #expect(throws: PaymentCryptoError(code: .keyMismatch, reason: "")) {
                try store.add(key, certificate: certificate, purpose: .processing, at: now)
            }
            #expect(try store.keys.isEmpty)
        }
    }

    @Test func newerCertificateOfTheSameKeyReplacesTheOlderOne() throws {
        try withStore { store, _ in
            let (key, short) = try pair(58, days: 10)
            let (_, long) = try pair(58, days: 400)
            let first = try store.add(key, certificate: short, purpose: .processing, at: now)
            let second = try store.add(key, certificate: long, purpose: .processing, at: now)
            #expect(first.id == second.id)
            #expect(second.notAfter == long.notAfter)
            #expect(try store.certificate(first.id) == long)
            #expect(try store.add(key, certificate: short, purpose: .processing, at: now).notAfter == long.notAfter)
            #expect(try store.keys.count == 1)
        }
    }

    @Test func sealedKeyOpensWithItsKeyAlone() throws {
        try withStore { plain, folder in
            let (key, certificate) = try pair(80)
            let stored = try plain.add(key, certificate: certificate, purpose: .processing, at: now)
            let file = folder.appendingPathComponent("\(stored.id).key.pem")
            #expect(try !plain.isSealed(stored.id))
            let random: @Sendable () -> UInt64 = { 7 }
            let former = [UInt8](repeating: 1, count: 32)
            let first = KeyStore(folder: folder, encryption: try KeyEncryption(key: former, random: random))
            #expect(try first.seal() == 1)
            #expect(try first.isSealed(stored.id))
            #expect(try first.pkcs8(stored.id) == key.pkcs8)
            #expect(try !String(contentsOf: file, encoding: .utf8).contains("BEGIN PRIVATE KEY"))
            #expect(throws: PaymentCryptoError(code: .keySealed, reason: "")) { try plain.pkcs8(stored.id) }
            #expect(throws: PaymentCryptoError(code: .invalidParameter, reason: "")) { try plain.seal() }

            let present = [UInt8](repeating: 2, count: 32)
            let stranger = KeyStore(folder: folder, encryption: try KeyEncryption(key: present, random: random))
            #expect(throws: PaymentCryptoError(code: .unknownKey, reason: "")) { try stranger.pkcs8(stored.id) }
            #expect(try KeyStore(folder: folder, encryption: KeyEncryption(key: present, former: [former], random: random)).seal() == 1)
            #expect(try stranger.pkcs8(stored.id) == key.pkcs8)
            #expect(throws: PaymentCryptoError(code: .unknownKey, reason: "")) { try first.pkcs8(stored.id) }

            // A sealed key in another one's place is not taken for it.
            let (other, otherCertificate) = try pair(81)
            let second = try stranger.add(other, certificate: otherCertificate, purpose: .processing, at: now)
            #expect(try stranger.isSealed(second.id))
            let place = folder.appendingPathComponent("\(second.id).key.pem")
            try FileManager.default.removeItem(at: place)
            try FileManager.default.copyItem(at: file, to: place)
            #expect(throws: PaymentCryptoError(code: .decryptionFailed, reason: "")) { try stranger.pkcs8(second.id) }
        }
    }

    @Test func knownKeyIsNotTakenForAnotherPurpose() throws {
        try withStore { store, _ in
            let (key, certificate) = try pair(82)
            _ = try store.add(key, certificate: certificate, purpose: .processing, at: now)
            #expect(throws: PaymentCryptoError(code: .duplicateKey, reason: "")) {
                try store.add(key, certificate: certificate, purpose: .identity, at: now)
            }
        }
    }

    @Test func folderThatOthersCanEnterIsNotRead() throws {
        try withStore { store, folder in
            let (key, certificate) = try pair(83)
            _ = try store.add(key, certificate: certificate, purpose: .processing, at: now)
            try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder.path)
            #expect(throws: PaymentCryptoError(code: .keyStoreExposed, reason: "")) { try store.keys }
        }
    }

    @Test func endedCertificateOfAnOldKeyIsAWarningOnly() throws {
        try withStore { store, _ in
            let (first, ending) = try pair(84, days: 1)
            let (second, lasting) = try pair(85)
            _ = try store.add(first, certificate: ending, purpose: .processing, at: now)
            _ = try store.add(second, certificate: lasting, purpose: .processing, at: now)
            let test = try KeySelfTest(store, merchantIdentifier: merchant, at: now + 2 * 86_400)
            #expect(test.isPassed)
            #expect(test.rows.map { $0.warnings.map(\.check) } == [[.isInDate], []])
        }
    }

    @Test func damagedIndexIsRefused() throws {
        try withStore { store, folder in
            let (key, certificate) = try pair(59)
            _ = try store.add(key, certificate: certificate, purpose: .processing, at: now)
            let index = folder.appendingPathComponent("index.json")
            let whole = try Data(contentsOf: index)
            for contents in [Data(), whole.dropLast(5), Data(#"{"version":2,"keys":[]}"#.utf8)] {
                try contents.write(to: index)
                try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: index.path)
                #expect(throws: PaymentCryptoError(code: .keyStoreDamaged, reason: "")) { try store.keys }
            }
        }
    }

    @Test func writersOfOneFolderWaitForEachOther() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("key-store-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let pairs = try (0..<8).map { try pair(60 + $0) }
        let now = now
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (key, certificate) in pairs {
                group.addTask {
                    _ = try KeyStore(folder: folder).add(key, certificate: certificate, purpose: .processing, at: now)
                }
            }
            try await group.waitForAll()
        }
        let keys = try KeyStore(folder: folder).keys
        #expect(keys.count == 8)
        #expect(keys.filter { $0.state == .active }.count == 1)
    }

    @Test func selfTestPassesForAGoodKeyAndNamesEachFault() throws {
        try withStore { store, _ in
            #expect(try !KeySelfTest(store, merchantIdentifier: merchant, at: now).isPassed)
            let (key, certificate) = try pair(71)
            let stored = try store.add(key, certificate: certificate, purpose: .processing, at: now)
            let good = try KeySelfTest(store, merchantIdentifier: merchant, at: now)
            #expect(good.isPassed)
            #expect(good.rows.map(\.key.publicKeyHash) == [StrictBase64.encode(certificate.publicKeyHash)])
            #expect(
                try KeySelfTest(store, merchantIdentifier: "merchant.other", at: now).rows[0].failures.map(\.check) == [.merchantMatches])
            let late = try KeySelfTest(store, merchantIdentifier: merchant, at: certificate.notAfter + 1)
            #expect(late.rows[0].failures.map(\.check) == [.isInDate])
            _ = try store.retire(stored.id, evenActive: true, at: now)
            #expect(try KeySelfTest(store, merchantIdentifier: merchant, at: now).rows.isEmpty)
        }
    }

    @Test func selfTestFindsAKeyFileThatWasExchanged() throws {
        try withStore { store, folder in
            let (key, certificate) = try pair(72)
            let (other, _) = try pair(73)
            let stored = try store.add(key, certificate: certificate, purpose: .processing, at: now)
            let file = folder.appendingPathComponent("\(stored.id).key.pem")
            try Data(PEMText.Block(label: "PRIVATE KEY", bytes: other.pkcs8).text.utf8).write(to: file)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
            let test = try KeySelfTest(store, merchantIdentifier: merchant, at: now)
            #expect(test.rows[0].failures.map(\.check) == [.keyMatchesCertificate])
        }
    }

    @Test(arguments: [
        (61.0, KeyExpiry.far), (60, .near(withinDays: 60)), (31, .near(withinDays: 60)), (30, .near(withinDays: 30)),
        (15.5, .near(withinDays: 30)), (15, .near(withinDays: 15)), (7, .near(withinDays: 7)), (0, .near(withinDays: 7)),
        (-0.1, .ended), (-90, .ended),
    ])
    func nearnessOfTheEndHasItsMarks(_ days: Double, _ expected: KeyExpiry) {
        #expect(KeyExpiry(notAfter: now + days * 86_400, now: now) == expected)
        #expect(KeyExpiry.daysLeft(notAfter: now + days * 86_400, now: now) == Int(days.rounded(.down)))
    }
}
