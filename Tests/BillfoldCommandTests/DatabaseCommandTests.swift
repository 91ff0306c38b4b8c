import Foundation
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

    @Test func whatIsMigratedIsSound() async throws {
        try await withFolder { folder in
            let store = ["--database", "\(folder)/store.sqlite"]
            #expect(try await Program.run(["db", "migrate"] + store).status == 0)
            let check = try await Program.run(["db", "check"] + store)
            #expect(check.status == 0)
            #expect(check.output.contains("0 pending") && check.output.hasSuffix("The store is sound.\n"))
        }
    }

    @Test(arguments: [
        ["db", "check"], ["keys", "make", "--kind", "zz"], ["apple-pay", "open-token"], ["doctor"], ["no-such-command"],
        ["unionpay", "verify", "/nonexistent"],
    ])
    func wrongUsageIsOneObjectForPrograms(command: [String]) async throws {
        let ending = try await Program.run(command + ["--json"])
        #expect(ending.status == 64)
        let object = try #require(JSONSerialization.jsonObject(with: Data(ending.output.utf8)) as? [String: [String: String]])
        #expect(object["error"]?["code"]?.isEmpty == false && object["error"]?["reason"]?.isEmpty == false)
    }
}
