import ArgumentParser
import BillfoldServer
import BillfoldTestSupport
import Foundation
import PaymentCrypto
import Testing

@testable import billfold

/// `keys issuer`, in a folder with an issuer's file of its own.
@Suite struct IssuerKeysCommandTests {
    /// An issuer's folder, removed afterwards.
    private struct Office {
        let folder: URL
        /// Seals, where there is one.
        var encryption: KeyEncryption?

        var file: String { folder.appendingPathComponent("issuer.json").path }
        func path(_ name: String) -> String { folder.appendingPathComponent(name).path }
        var held: [String] { get throws { try FileManager.default.contentsOfDirectory(atPath: path("keys")).sorted() } }

        func name(visa: [String] = [], mastercard: [String] = [], decision: [String] = ["d-1"]) throws {
            func list(_ ids: [String]) -> String { ids.map { "\"\($0)\"" }.joined(separator: ",") }
            let text = """
                {"issuer":"bank","programmes":[],"keys":{"folder":"keys","visa":[\(list(visa))],"mastercard":[\(list(mastercard))]},
                 "decisionKeys":[\(list(decision))],"bankKey":"b","processor":{"origin":"https://p.example","credential":"p"},"networks":[]}
                """
            try text.write(toFile: file, atomically: true, encoding: .utf8)
        }

        @discardableResult
        func run<Command: IssuerKeysReplying>(_ type: Command.Type, _ arguments: String...) async throws -> KeysReply {
            try await Command.parse(arguments + ["--issuer", file]).reply(IssuerKeyRing(file, encryption))
        }

        func write(_ name: String, _ text: String, mode: Int = 0o600) throws -> String {
            try text.write(toFile: path(name), atomically: true, encoding: .utf8)
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path(name))
            return path(name)
        }
    }

    private func inOffice(sealing: Bool = false, _ body: (Office) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("issuer-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(at: folder) }
        var office = Office(folder: folder)
        if sealing { office.encryption = try KeyEncryption(key: [UInt8](repeating: 7, count: 32)) { SystemRandomness.bits() } }
        try office.name()
        try await body(office)
    }

    private func refusal(_ code: String, _ step: () async throws -> Void) async {
        do {
            try await step()
            Issue.record("not refused with \(code)")
        } catch {
            #expect(CommandFailure(error).code == code, "\(error)")
        }
    }

    /// Components and check values that were computed with openssl: `openssl enc -des-ede -nopad` of eight zero bytes.
    private static let components = [
        ("0123456789ABCDEFFEDCBA9876543210", "08D7B4"), ("1111111111111111222222222222222F", "505B17"),
    ]
    private static let sum = ("1032547698BADCFEDCFE98BA5476103F", "ABDB07")

    @Test func aZoneKeyIsTheExclusiveOrOfItsComponents() async throws {
        try await inOffice { office in
            try office.name(visa: ["405551.1"])
            let parts = try Self.components.enumerated().map { try office.write("c\($0)", "\($1.0)\n") }
            let reply = try await office.run(
                IssuerKeysImport.self, "--kind", "zone", "--id", "405551.1", "--component", parts[0], "--component", parts[1])
            #expect(reply.object["checkValue"] == .text(Self.sum.1))
            #expect(reply.object["componentCheckValues"] == .list(Self.components.map { .text($0.1) }))
            #expect(reply.object["use"] == .text("active") && reply.object["place"] == .text("plain"))
            #expect(reply.warnings.count == 1)
            // Neither a component nor the key is said.
            for secret in Self.components.map(\.0) + [Self.sum.0] {
                #expect(!reply.json.uppercased().contains(secret) && !reply.text.uppercased().contains(secret))
            }
            let stored = try #require(FileManager.default.contents(atPath: office.path("keys/405551.1.tdes")))
            #expect(stored.allSatisfy { !$0.nonzeroBitCount.isMultiple(of: 2) }, "every byte has odd parity")
            #expect(try zip(stored, Hexadecimal.decode(Self.sum.0)).allSatisfy { $0 & 0xFE == $1 & 0xFE })
            await refusal("duplicate-key") {
                try await office.run(
                    IssuerKeysImport.self, "--kind", "zone", "--id", "405551.1", "--component", parts[0], "--component", parts[1])
            }
        }
    }

    @Test func whatWasWrittenDownWrongIsRefused() async throws {
        try await inOffice { office in
            func load(_ first: String, _ second: String, mode: Int = 0o600, more: [String] = []) async throws {
                let paths = [try office.write("a", first, mode: mode), try office.write("b", second)]
                try await IssuerKeysImport.parse(
                    ["--kind", "zone", "--id", "405551.1", "--component", paths[0], "--component", paths[1], "--issuer", office.file] + more
                ).reply(IssuerKeyRing(office.file, nil)).tell(asJSON: true)
            }
            let (first, second) = (Self.components[0].0, Self.components[1].0)
            await refusal("check-value-mismatch") { try await load("\(first)\n000000\n", second) }
            await refusal("check-value-mismatch") { try await load(first, second, more: ["--check-value", "000000"]) }
            await refusal("component-unusable") { try await load(String(first.dropLast()), second) }
            await refusal("component-unusable") { try await load("\(first)\nnone\n", second) }
            await refusal("component-unusable") { try await load(first, second, mode: 0o640) }
            await refusal("weak-key") { try await load(first, first) }
            await refusal("weak-key") { try await load(String(repeating: "0123456789ABCDEF", count: 2), String(repeating: "1", count: 32)) }
            await refusal("weak-key") { try await load(first, "0022446688AACCEE" + "1E2F3C4D56789ABC") }
            let held = try office.held
            #expect(held.isEmpty)
        }
    }

    @Test(arguments: [2, 3]) func theComponentsOfAMadeKeyMakeItAgain(count: Int) async throws {
        try await inOffice { office in
            let paths = (0..<count).map { office.path("component-\($0)") }
            let made = try await IssuerKeysMake.parse(
                ["--kind", "zone", "--id", "405551.1", "--issuer", office.file] + paths.flatMap { ["--component-out", $0] }
            ).reply(IssuerKeyRing(office.file, nil))
            #expect(try FileManager.default.attributesOfItem(atPath: paths[0])[.posixPermissions] as? Int == 0o600)
            let value = try #require({ if case .text(let text) = made.object["checkValue"] { text } else { nil } }())
            let again = try await IssuerKeysImport.parse(
                ["--kind", "zone", "--id", "405551.2", "--issuer", office.file, "--check-value", value.lowercased()]
                    + paths.flatMap { ["--component", $0] }
            ).reply(IssuerKeyRing(office.file, nil))
            #expect(again.object["checkValue"] == made.object["checkValue"])
            #expect(again.object["componentCheckValues"] == made.object["componentCheckValues"])
        }
    }

    @Test func keysAreListedSealedExchangedAndRetired() async throws {
        try await inOffice { office in
            for (kind, id) in [("zone", "405551.1"), ("zone", "405551.2"), ("signing", "bank-tav-1"), ("decision", "d-1")] {
                try await office.run(IssuerKeysMake.self, "--kind", kind, "--id", id)
            }
            try office.name(visa: ["405551.1", "405551.2"], mastercard: ["bank-tav-1"])
            #expect(try office.held == ["405551.1.tdes", "405551.2.tdes", "bank-tav-1.rsa", "d-1.p256"])
            let plain = try await office.run(IssuerKeysList.self)
            #expect(plain.warnings.count == 4 && plain.exitCode == 0)
            func rows(_ reply: KeysReply) throws -> [[String: KeysValue]] {
                guard case .list(let rows) = try #require(reply.object["keys"]) else { return [] }
                return rows.compactMap { if case .object(let row) = $0 { row } else { nil } }
            }
            #expect(try rows(plain).map { $0["use"] } == ["old", "active", "active", "active"].map { .text($0) })

            var sealing = office
            sealing.encryption = try KeyEncryption(key: [UInt8](repeating: 7, count: 32)) { SystemRandomness.bits() }
            let strict = IssuerKeyFolder(folder: try DataFolder(office.path("keys")), encryption: sealing.encryption, takesPlain: false)
            await refusal("keys-not-sealed") { try strict.validate() }
            #expect(try strict.seal() == 4)
            try strict.validate()
            #expect(try office.held.allSatisfy { $0.hasSuffix(".sealed") })
            let listed = try await sealing.run(IssuerKeysList.self)
            #expect(listed.warnings == [])
            for name in ["checkValue", "publicKeyHash", "id", "use"] {
                #expect(try rows(listed).map { $0[name] } == rows(plain).map { $0[name] }, "\(name)")
            }
            // Again, under another key; then what was interrupted halfway.
            let exchanged = try KeyEncryption(key: [UInt8](repeating: 8, count: 32), former: [[UInt8](repeating: 7, count: 32)]) {
                SystemRandomness.bits()
            }
            let later = IssuerKeyFolder(folder: strict.folder, encryption: exchanged, takesPlain: false)
            #expect(try later.seal() == 4)
            await refusal("unknown-key") { _ = try strict.agreementKey("d-1") }
            try strict.folder.write(later.zoneKeyBytes("405551.1").reveal(), to: "405551.1.tdes")
            await refusal("keys-not-sealed") { try later.validate() }
            #expect(try later.seal() == 4)
            try later.validate()
            try strict.folder.write([UInt8](repeating: 1, count: 16), to: "405551.1.tdes")
            await refusal("key-mismatch") { _ = try later.seal() }

            await refusal("key-active") { try await sealing.run(IssuerKeysRetire.self, "405551.1", "--kind", "zone") }
            try office.name(visa: ["405551.2"], mastercard: ["bank-tav-1"])
            try await sealing.run(IssuerKeysRetire.self, "405551.1", "--kind", "zone")
            #expect(try office.held == ["405551.2.tdes.sealed", "bank-tav-1.rsa.sealed", "d-1.p256.sealed"])
            await refusal("unknown-key") { try await sealing.run(IssuerKeysRetire.self, "405551.1", "--kind", "zone") }
        }
    }

    @Test func aKeyThatTheFileNamesAndThatIsNowhereIsMissed() async throws {
        try await inOffice { office in
            let reply = try await office.run(IssuerKeysList.self)
            #expect(reply.exitCode == 1 && reply.warnings.first?.contains("d-1") == true)
        }
    }

    @Test func keysOfTheWrongKindAndNamesThatNoNetworkHasAreRefused() async throws {
        try await inOffice { office in
            var generator = SeededGenerator(seed: 5, label: "issuer's keys")
            let key = PrivateKey.p256(try P256PrivateKey(using: &generator))
            let pem = try office.write("key.pem", PEMText.Block(label: "PRIVATE KEY", bytes: key.pkcs8).text)
            await refusal("key-kind") { try await office.run(IssuerKeysImport.self, pem, "--kind", "signing", "--id", "a") }
            await refusal("visa-key-set-form") { try await office.run(IssuerKeysMake.self, "--kind", "zone", "--id", "405551") }
            await refusal("invalid-parameter") { try await office.run(IssuerKeysMake.self, "--kind", "decision", "--id", "../d") }
            let imported = try await office.run(IssuerKeysImport.self, pem, "--kind", "decision", "--id", "d-1")
            #expect(imported.object["publicKeyHash"] == .text(StrictBase64.encode(key.publicKey.sha256)))
            for arguments in [
                ["--kind", "zone", "--id", "405551.1", "--component", "a"], ["--kind", "zone", "--id", "405551.1", pem],
                ["--kind", "decision", "--id", "d-2"], ["--kind", "decision", "--id", "d-2", pem, "--component", "a"],
            ] {
                #expect(throws: (any Error).self) { try IssuerKeysImport.parse(arguments + ["--issuer", office.file]) }
            }
        }
    }
}
