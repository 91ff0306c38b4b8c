import BillfoldStorage
import BillfoldStorageSQLite
import Foundation
import Logging
import Testing

@Suite struct DatabaseCommandTests {
    private func withFolder(_ body: (String) async throws -> Void) async throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("billfold-db-\(UUID())").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: path) }
        try await body(path)
    }

    @Test(arguments: [["check"], ["migrate", "--dry-run"]])
    func aStoreThatIsNotThereIsNotSoundAndIsNotMade(command: [String]) async throws {
        try await withFolder { folder in
            let ending = try await Program.run(["db"] + command + ["--database", "\(folder)/typo.sqlite", "--json"])
            #expect(ending.status == 1)
            #expect(ending.output.contains(#""code":"no-store""#))
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
        }
    }

    @Test(arguments: ["cards", "alipay-gateway", "alipay-plus", "wallet", "issuer", "sandbox-unionpay", "sandbox-party"])
    func whatIsMigratedIsSoundAndKnownForWhatItIs(kind: String) async throws {
        try await withFolder { folder in
            let store = ["--database", "\(folder)/store.sqlite"]
            #expect(try await Program.run(["db", "migrate", "--kind", kind] + store).status == 0)
            // Whose it is the store says itself.
            let again = try await Program.run(["db", "migrate"] + store)
            #expect(again.status == 0 && again.output == "The schema is up to date.\n", "\(again)")
            let check = try await Program.run(["db", "check"] + store)
            #expect(check.status == 0, "\(check)")
            #expect(check.output.contains("kind      \(kind): "))
            #expect(check.output.contains("0 pending") && check.output.hasSuffix("The store is sound.\n"))
            let copy = try await Program.run(["db", "backup", "--to", "\(folder)/copy.sqlite"] + store)
            #expect(copy.status == 0, "\(copy)")
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder).sorted().prefix(1) == ["copy.sqlite"])
            let other = try await Program.run(["db", "migrate", "--kind", kind == "wallet" ? "cards" : "wallet", "--json"] + store)
            #expect(other.status == 1 && other.output.contains(#""code":"store-kind-differs""#))
        }
    }

    @Test func aNewStoreIsMadeForAKindAlone() async throws {
        try await withFolder { folder in
            let store = ["--database", "\(folder)/store.sqlite"]
            let ending = try await Program.run(["db", "migrate", "--json"] + store)
            #expect(ending.status == 64 && ending.output.contains(#""code":"store-kind-missing""#))
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
            #expect(try await Program.run(["db", "migrate", "--kind", "purse"] + store).status == 64)
        }
    }

    /// An empty file is no store, and a file that holds somebody else's tables is not ours to fill.
    @Test func whatIsNotOursIsLeftAsItIs() async throws {
        try await withFolder { folder in
            let store = ["--database", "\(folder)/store.sqlite", "--json"]
            try Data().write(to: URL(filePath: "\(folder)/store.sqlite"))
            let check = try await Program.run(["db", "check"] + store)
            #expect(check.status == 1 && check.output.contains(#""code":"no-store""#))
            #expect(try Data(contentsOf: URL(filePath: "\(folder)/store.sqlite")).isEmpty)
            let foreign = try SQLiteDatabase(
                SQLiteConfiguration(path: "\(folder)/store.sqlite"), logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
            _ = try await foreign.write { try $0.execute("CREATE TABLE guests (name TEXT)") }
            try await foreign.close()
            let migrate = try await Program.run(["db", "migrate", "--kind", "cards"] + store)
            #expect(migrate.status == 1 && migrate.output.contains(#""code":"store-unknown""#), "\(migrate.output)")
        }
    }

    @Test func anAuditKeyThatIsNotThereIsNotMade() async throws {
        try await withFolder { folder in
            let store = ["--database", "\(folder)/store.sqlite"]
            #expect(try await Program.run(["db", "migrate", "--kind", "cards"] + store).status == 0)
            let ending = try await Program.run(["db", "check", "--data", folder, "--json"] + store)
            #expect(ending.status == 1 && ending.output.contains(#""code":"audit-key-missing""#))
            #expect(!FileManager.default.fileExists(atPath: folder + "/audit.key"))
        }
    }

    /// As `serve` finds it: by the data folder alone, or where nobody names one in `.billfold`.
    @Test(arguments: [["check"], ["migrate", "--dry-run"], ["backup", "--to", "copy.sqlite"]])
    func theStoreOfADataFolderNeedsNoName(command: [String]) async throws {
        try await withFolder { folder in
            let store = "\(folder)/billfold.sqlite"
            #expect(try await Program.run(["db", "migrate", "--kind", "cards", "--database", store]).status == 0)
            try Data((0..<32).map { _ in UInt8.random(in: 0...255) }).write(to: URL(filePath: "\(folder)/audit.key"))
            let ending = try await Program.run(["db"] + command + ["--data", folder])
            #expect(ending.status == 0, "\(ending)")
            let none = try await Program.run(["db"] + command + ["--json"])
            #expect(none.status == 1 && none.output.contains("there is no store at .billfold/billfold.sqlite"), "\(none)")
        }
    }

    /// Every store of a sandbox that was used and has ended.
    @Test func theStoresOfASandboxAreSound() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("billfold-stores-\(UUID())").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await ServedSandbox.run { sandbox in
            _ = try await sandbox.buy()
            // Copies, for the sandbox takes its folder with it.
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            for name in try FileManager.default.contentsOfDirectory(atPath: sandbox.folder) where name.hasSuffix(".sqlite") {
                let copied = try await Program.run(["db", "backup", "--database", "\(sandbox.folder)/\(name)", "--to", "\(folder)/\(name)"])
                #expect(copied.status == 0, "\(name): \(copied)")
            }
            try FileManager.default.copyItem(atPath: sandbox.folder + "/audit.key", toPath: folder + "/audit.key")
        }
        let stores = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".sqlite") }.sorted()
        #expect(Set(["billfold", "alipay-gateway", "alipay-plus", "wallet", "issuer"].map { $0 + ".sqlite" }).isSubset(of: stores))
        for name in stores {
            let check = try await Program.run(["db", "check", "--audit-key", "\(folder)/audit.key", "--database", "\(folder)/\(name)"])
            #expect(check.status == 0, "\(name): \(check)")
            let pending = try await Program.run(["db", "migrate", "--dry-run", "--database", "\(folder)/\(name)"])
            #expect(pending.output == "The schema is up to date.\n", "\(name): \(pending)")
        }
    }

    @Test(arguments: [
        ["db", "check", "--data", "a", "--audit-key", "b"], ["keys", "make", "--kind", "zz"], ["apple-pay", "open-token"], ["doctor"],
        ["no-such-command"], ["unionpay", "verify"],
    ])
    func wrongUsageIsOneObjectForPrograms(command: [String]) async throws {
        let ending = try await Program.run(command + ["--json"])
        #expect(ending.status == 64)
        let object = try #require(JSONSerialization.jsonObject(with: Data(ending.output.utf8)) as? [String: [String: String]])
        #expect(object["error"]?["code"]?.isEmpty == false && object["error"]?["reason"]?.isEmpty == false)
    }
}
