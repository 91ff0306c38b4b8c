import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import BillfoldStorageSQLite
import Foundation
import Logging
import Testing

@testable import billfold

@Suite struct OperatorsCommandTests {
    private static let password = "correct horse battery"

    /// A data folder with a store in it, as `db migrate` leaves it.
    private struct Place {
        let folder: String
        var data: String { folder + "/data" }
        var store: String { data + "/billfold.sqlite" }

        func run(_ arguments: String...) async throws -> Program.Ending {
            try await Program.run(["operators"] + arguments + ["--data", data])
        }

        func passwordFile(_ text: String) throws -> String {
            let file = folder + "/\(UUID())"
            try (text + "\nnot this line").write(toFile: file, atomically: true, encoding: .utf8)
            return file
        }

        func trail() async throws -> AuditTrail {
            let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            let store = try await DatabasePlace(store).open(logger, mustExist: true)
            let trail = try await DataFolder(data).operatorAudit().trail(in: store)
            try await store.close()
            return trail
        }
    }

    private func withPlace(isMigrated: Bool = true, _ body: (Place) async throws -> Void) async throws {
        let place = Place(folder: FileManager.default.temporaryDirectory.appendingPathComponent("operators-\(UUID())").path)
        defer { try? FileManager.default.removeItem(atPath: place.folder) }
        try FileManager.default.createDirectory(
            atPath: place.data, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        if isMigrated { #expect(try await Program.run(["db", "migrate", "--kind", "cards", "--database", place.store]).status == 0) }
        try await body(place)
    }

    private func object(_ ending: Program.Ending) throws -> [String: Any] {
        try #require(JSONSerialization.jsonObject(with: Data(ending.output.utf8)) as? [String: Any])
    }

    @Test func operatorsComeAndGoAndEachChangeIsInTheTrail() async throws {
        try await withPlace { place in
            let file = try place.passwordFile(Self.password)
            let added = try await place.run("add", "lin", "--roles", "viewer,operator", "--password-file", file)
            #expect(added.status == 0 && added.output == "lin can sign in as operator, viewer\n")
            let again = try await place.run("add", "lin", "--roles", "viewer", "--password-file", file, "--json")
            #expect(again.status == 1 && again.output.contains(#""code":"conflict""#))
            #expect(try await place.run("add", "wang", "--roles", "approver", "--password-file", file, "--json").status == 0)
            #expect(try await place.run("disable", "wang").status == 0)

            let list = try object(await place.run("list", "--json"))
            let operators = try #require(list["operators"] as? [[String: Any]])
            #expect(operators.compactMap { $0["name"] as? String } == ["lin", "wang"])
            #expect(operators.map { $0["roles"] as? [String] } == [["operator", "viewer"], ["approver"]])
            #expect(operators.map { $0["disabledAt"] != nil } == [false, true])

            #expect(try await place.run("reset", "wang", "--password-file", try place.passwordFile("another long one")).status == 0)
            let readable = try await place.run("list")
            #expect(readable.output.split(separator: "\n").map { $0.split(separator: " ").first } == ["NAME", "lin", "wang"])
            #expect(readable.output.split(separator: "\n").allSatisfy { !$0.contains("scrypt") })

            let trail = try await place.trail()
            #expect(
                trail.rows.map { "\($0.action) \($0.object) \($0.result)" } == [
                    "operator.add lin done: operator,viewer", "operator.add lin refused: name taken", "operator.add wang done: approver",
                    "operator.disable wang done", "operator.reset wang done",
                ])
            #expect(trail.rows.allSatisfy { $0.actor == "account:\(NSUserName())" })
            guard case .intact = trail.verdict else {
                Issue.record("the trail is broken")
                return
            }
        }
    }

    @Test func weakAndMissingPasswordsAreRefusedAndNothingIsKept() async throws {
        try await withPlace { place in
            for weak in ["elevenchars", "aaaaaaaaaaaaaaaa"] {
                let ending = try await place.run(
                    "add", "lin", "--roles", "viewer", "--password-file", try place.passwordFile(weak), "--json")
                #expect(ending.status == 1 && ending.output.contains(#""code":"weak-password""#))
                #expect(!(ending.output + ending.errors).contains(weak))
            }
            // Standard input is empty here, and no terminal.
            let none = try await place.run("add", "lin", "--roles", "viewer", "--json")
            #expect(none.status == 64 && none.output.contains(#""code":"password-missing""#))
            #expect(try object(await place.run("list", "--json"))["operators"] as? [String] == [])
            #expect(try await place.trail().rows.isEmpty)
        }
    }

    @Test(arguments: [
        ["add", "lin"], ["add", "lin", "--roles", "chief"], ["add", "lin", "--roles", ","], ["disable"], ["reset"],
        ["add", "lin", "--roles", "viewer", "--password", "correct horse battery"],
    ])
    func wrongUsageEndsWith64(arguments: [String]) async throws {
        let ending = try await Program.run(["operators"] + arguments + ["--json"])
        #expect(ending.status == 64 && ending.output.contains(#""code":"usage""#))
    }

    @Test func nobodyIsNotFound() async throws {
        try await withPlace { place in
            #expect(try await place.run("disable", "nobody", "--json").output.contains(#""code":"not-found""#))
            let file = try place.passwordFile(Self.password)
            #expect(try await place.run("reset", "nobody", "--password-file", file).status == 1)
        }
    }

    @Test func aStoreThatIsNotReadyIsRefused() async throws {
        try await withPlace(isMigrated: false) { place in
            let none = try await place.run("list", "--json")
            #expect(none.status == 1 && none.output.contains(#""code":"no-store""#))
            #expect(FileManager.default.createFile(atPath: place.store, contents: nil))
            let empty = try await place.run("list", "--json")
            #expect(empty.status == 1 && empty.output.contains(#""code":"no-store""#))
        }
        try await withPlace { place in
            let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            let older = try SQLiteDatabase(SQLiteConfiguration(path: place.store), logger: logger)
            _ = try await older.write { try $0.execute("DELETE FROM billfold_migrations WHERE name = 'server-0002-approval-lines'") }
            try await older.close()
            let behind = try await place.run("list", "--json")
            #expect(behind.status == 1 && behind.output.contains(#""code":"database-unmigrated""#))
        }
    }

    /// With another audit key the trail would be broken from there on.
    @Test func anotherDataFolderIsRefused() async throws {
        try await withPlace { place in
            let file = try place.passwordFile(Self.password)
            #expect(try await place.run("add", "lin", "--roles", "viewer", "--password-file", file).status == 0)
            let ending = try await Program.run([
                "operators", "disable", "lin", "--data", place.folder + "/other", "--database", place.store, "--json",
            ])
            #expect(ending.status == 1 && ending.output.contains(#""code":"audit-key-mismatch""#))
            #expect(try await place.trail().rows.count == 1)
        }
    }

    /// Run in another place than the servers, it must not begin a trail under a key of its own.
    @Test func aStoreElsewhereNeedsTheServersDataFolder() async throws {
        try await withPlace { place in
            let file = try place.passwordFile(Self.password)
            let ending = try await Program.run([
                "operators", "add", "lin", "--roles", "viewer", "--password-file", file, "--database", place.store, "--json",
            ])
            #expect(ending.status == 1 && ending.output.contains(#""code":"audit-key-missing""#))
            #expect(try await place.trail().rows.isEmpty)
        }
    }
}
