import ArgumentParser
import BillfoldDiagnosis
import BillfoldJSON
import Foundation
import Testing

@testable import billfold

/// What somebody types who does not know the program yet.
@Suite struct CommandLineTests {
    private func object(_ ending: Program.Ending) throws -> [String: Any] {
        try #require(JSONSerialization.jsonObject(with: Data(ending.output.utf8)) as? [String: Any], "\(ending)")
    }

    private func withFile(_ bytes: [UInt8], _ body: (String) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("typed-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("file")
        try Data(bytes).write(to: file)
        try await body(file.path)
    }

    @Test func theVersionNamesTheCommitAndTheBuild() async throws {
        let flag = try await Program.run(["--version"])
        let command = try await Program.run(["version"])
        #expect(flag.status == 0 && command.status == 0 && flag.output == command.output)
        #expect(flag.output.wholeMatch(of: /(\d+\.\d+\.\d+\S*) \(commit \S+, (debug|release) build, .+\)\n/) != nil, "\(flag.output)")
        let told = try object(await Program.run(["version", "--json"]))
        #expect(told["version"] as? String == Billfold.version && Set(told.keys) == ["version", "commit", "build", "system"])
    }

    @Test(arguments: [
        (["servee"], "serve"), (["seve", "--data", "x"], "serve"), (["operatros", "list"], "operators"), (["keys", "mak"], "make"),
        (["apple-pay", "opentoken"], "open-token"), (["trigge"], "trigger"), (["replay", "x"], "mini-program replay"),
        (["csr"], "keys csr"),
    ])
    func aMisspeltCommandGetsTheNearest(arguments: [String], meant: String) async throws {
        let ending = try await Program.run(arguments)
        #expect(ending.status == 64 && ending.errors.contains("Did you mean \(meant)?"), "\(ending)")
        let json = try await Program.run(arguments + ["--json"])
        #expect(json.status == 64 && json.output.contains(#""code":"usage""#) && json.output.contains(meant), "\(json)")
    }

    @Test func nothingIsGuessedWhereNothingIsNear() {
        let unknown = MisspeltCommand(["keys", "xyzzy"], of: Billfold.self)
        #expect(unknown?.meant == [] && unknown?.text.contains("There are make, csr, import, ") == true)
        #expect(MisspeltCommand(["serve", "--dat", "x"], of: Billfold.self) == nil)
        #expect(MisspeltCommand(["help"], of: Billfold.self) == nil)
        #expect(MisspeltCommand(["help", "servee"], of: Billfold.self)?.meant == ["serve"])
        #expect(MisspeltCommand([], of: Billfold.self) == nil)
    }

    @Test func namesAreNearByWhatAHandSlipsOver() {
        #expect(NearestNames(of: "tuor", among: ["serve", "tour"]).likely == ["tour"])
        #expect(NearestNames(of: "SERVE", among: ["serve", "tour"]).likely == ["serve"])
        #expect(NearestNames(of: "oper", among: ["open", "operators"]).likely == ["open", "operators"])
        #expect(NearestNames(of: "x", among: ["serve"]).likely.isEmpty)
        #expect(NearestNames(of: "", among: ["serve"]).likely.isEmpty)
        #expect(NearestNames(of: "c", among: ["c", "b", "a"]).first(5) == ["c", "b", "a"])
    }

    @Test func aFlipThatIsNoneGetsTheNearestAndTheListIsApart() async throws {
        let ending = try await Program.run(["tour", "--flip", "merchant:certificate"])
        #expect(ending.status == 64 && ending.errors.contains("merchant:certificate-request") && ending.errors.count < 300, "\(ending)")
        let list = try await Program.run(["tour", "--flip", "list"])
        #expect(list.status == 0 && list.output.split(separator: "\n").map(String.init) == Flip.all.map(\.name))
        let help = try await Program.run(["tour", "--help"])
        #expect(help.status == 0 && !help.output.contains("merchant:certificate-request") && help.output.contains("--flip list"))
    }

    // MARK: Files

    @Test(arguments: [["doctor"], ["apple-pay", "lint-request"], ["provisioning", "check-chain"], ["mini-program", "lint"]])
    func aFileThatIsNotThereIsNoWrongUsage(command: [String]) async throws {
        let ending = try await Program.run(command + ["missing", "--json"])
        #expect(ending.status == 1 && ending.output.contains("missing does not exist"), "\(ending)")
    }

    @Test func whatNobodyKnowsIsNotAllWell() async throws {
        for (bytes, said) in [
            ([], "an empty file"), (Array("Dear bank,\n".utf8), "text"), (Array(#" {"a":1}"#.utf8), "text that looks like JSON"),
            ([0, 1, 2, 0xFF, 0xFE], "binary data"), ([0x89, 0x50, 0x4E, 0x47, 1], "a PNG picture"),
        ] as [([UInt8], String)] {
            try await withFile(bytes) { file in
                let reply = try await DoctorCommand.parse([file]).reply()
                #expect(reply.exitCode == 1 && reply.text.contains("file: \(said)"), "\(reply.text)")
                #expect(reply.text.contains("tried as") && !reply.text.contains("nothing wrong"))
                #expect(reply.object["error"]?["code"]?.string == "unknown-artifact")
            }
        }
    }

    @Test func aFolderIsSaidToLackWhatAMiniProgramHas() async throws {
        try await withFile(Array("text".utf8)) { file in
            let folder = URL(fileURLWithPath: file).deletingLastPathComponent().path
            let other = try await Program.run(["doctor", folder])
            #expect(other.status == 1 && other.output.contains("a mini program, its package or run"), "\(other)")
            try FileManager.default.removeItem(atPath: file)
            let empty = try await Program.run(["doctor", folder, "--json"])
            #expect(empty.status == 1 && empty.output.contains("a folder without files"), "\(empty)")
        }
    }

    @Test func aFileThatIsTooLargeIsRefusedAndTheLimitIsInTheHelp() async throws {
        try await withFile(Array(repeating: 0x20, count: 2 << 20)) { file in
            let ending = try await Program.run(["doctor", file])
            #expect(ending.status == 1 && ending.errors.contains("has more than 1 MB"), "\(ending)")
        }
        let help = try await Program.run(["doctor", "--help"])
        #expect(help.output.contains("1 MB") && help.output.contains("32 MB"))
    }

    // MARK: Standard input

    @Test(arguments: [
        (["doctor", "-"], #"{"merchantIdentifier":1}"#), (["apple-pay", "lint-request", "-"], "{"),
        (["alipay", "verify", "notification", "-", "--key", "-"], "a=1"), (["unionpay", "verify", "-", "--root", "x"], "a=1"),
    ])
    func aDashIsStandardInput(arguments: [String], text: String) async throws {
        let ending = try await Program.run(arguments + ["--json"], input: Array(text.utf8))
        // Whatever is said of the text: it was read.
        #expect(ending.status != 0 && !ending.output.contains("- does not exist"), "\(ending)")
    }

    @Test func standardInputIsReadAsAFileIs() async throws {
        let plist =
            #"<?xml version="1.0"?><plist version="1.0"><dict><key>LSApplicationQueriesSchemes</key><array><string>uppaysdk</string></array></dict></plist>"#
        let ending = try await Program.run(["doctor", "-", "--json"], input: Array(plist.utf8))
        let identified = try #require(object(ending)["identified"] as? [[String: Any]])
        #expect(
            identified.first?["artifact"] as? String == "standard input" && identified.first?["kind"] as? String != "unknown", "\(ending)")
        let twice = try await Program.run(["doctor", "-", "-"], input: Array(plist.utf8))
        #expect(twice.status == 64 && twice.errors.contains("read once"), "\(twice)")
        let large = try await Program.run(
            ["apple-pay", "lint-request", "-"], input: Array(repeating: 0x20, count: (1 << 20) + 1))
        #expect(large.status == 1 && large.errors.contains("standard input has more than 1 MB"), "\(large)")
    }
}
