import ArgumentParser
import BillfoldDiagnosis
import BillfoldServer
import Foundation
import PaymentCrypto
import Testing

@testable import billfold

/// Keys at rest: sealed under a key that lies elsewhere.
@Suite struct KeyEncryptionTests {
    private func inFolder(_ body: (URL) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("encryption-\(UUID())")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder)
    }

    private func makeKey(_ file: URL) throws -> [String: String] {
        _ = try KeysMake.parse(["--kind", "encryption", "--out", file.path]).reply(now: Date(timeIntervalSince1970: 0))
        return [KeyEncryptionKey.variable: file.path]
    }

    @Test func ownKeysAreSealedAndOpenAgain() throws {
        try inFolder { folder in
            let environment = try makeKey(folder.appendingPathComponent("kek"))
            let data = folder.appendingPathComponent("data").path
            let plain = try DataFolder(data).symmetric("audit").reveal()
            let encryption = try KeyEncryptionKey.encryption(environment)
            let sealed = try DataFolder(data, encryption: encryption)
            #expect(try sealed.symmetric("audit").reveal() == plain)
            let hashing = try sealed.symmetric("hashing").reveal()
            #expect(hashing.count == 32)
            #expect(try sealed.sealSymmetricKeys() == 2)
            #expect(try sealed.symmetric("audit").reveal() == plain)
            for name in ["audit", "hashing"] {
                let error = #expect(throws: ServerError.self) { try DataFolder(data).symmetric(name) }
                #expect(error?.code == .keySealed)
            }
            let other = try KeyEncryptionKey.encryption(makeKey(folder.appendingPathComponent("other")))
            let error = #expect(throws: ServerError.self) { try DataFolder(data, encryption: other).symmetric("audit") }
            #expect(error?.code == .keyUnusable)
        }
    }

    @Test func nothingIsNamedAndNothingIsSealed() throws {
        for environment in [[:], [KeyEncryptionKey.variable: ""]] {
            let encryption = try KeyEncryptionKey.encryption(environment)
            #expect(encryption == nil)
        }
    }

    @Test(arguments: [(0o644, String(repeating: "a1", count: 32)), (0o600, "a1"), (0o600, ""), (0o600, String(repeating: "zz", count: 32))])
    func unusableKeyFileIsRefused(mode: Int, text: String) throws {
        try inFolder { folder in
            let file = folder.appendingPathComponent("kek")
            try Data(text.utf8).write(to: file)
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file.path)
            let error = #expect(throws: CommandFailure.self) { try KeyEncryptionKey.encryption([KeyEncryptionKey.variable: file.path]) }
            #expect(error?.code == "encryption-key-unusable")
            #expect(error?.reason.contains("a1a1") == false)
        }
    }
}
