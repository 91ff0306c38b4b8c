import BillfoldJSON
import BillfoldSandbox
import BillfoldServer
import BillfoldStorage
import Foundation
import NIOHTTP1
import Testing

@testable import billfold

/// Times of one's own, over HTTP and in the data folder.
@Suite(.serialized) struct SpaceTests {
    private func answer(_ served: ServedSandbox, _ key: String?, moving seconds: Int64? = nil) async throws -> (Int, JSONObject?) {
        let body = seconds.map { JSONWriter.write(JSONObject([.init("advanceSeconds", .number(String($0)))])) }
        let answer = try await LocalClient.send(body == nil ? .GET : .PUT, served.sandbox + "/clock", key: key, body: body)
        return (answer.status, try? answer.object())
    }

    @Test func keyMovesItsOwnSpaceAndNoOther() async throws {
        try await ServedSandbox.run { served in
            let spaces = FolderSpaces(served.folder)
            try await spaces.enrol("ann", keyHash: PartyCredentials.hash("ann's"), owners: ["own-00000001"])
            try await spaces.enrol("bob", keyHash: PartyCredentials.hash("bob's"), owners: ["own-00000002"])
            let (moved, told) = try await answer(served, "ann's", moving: 960)
            #expect(moved == 200 && told?["offsetSeconds"]?.integer == 960 && told?["space"]?.string == "ann")
            #expect(try await answer(served, "bob's").1?["offsetSeconds"]?.integer == 0)
            #expect(try await answer(served, nil).1?["offsetSeconds"]?.integer == 0)
            #expect(try await answer(served, "carl's").0 == 401)
            #expect(try await answer(served, "", moving: 60).0 == 401)
            #expect(try await answer(served, "ann's", moving: 400 * 86_400).0 == 409)
            // Everybody's time takes all along.
            #expect(try await answer(served, nil, moving: 60).0 == 200)
            #expect(try await answer(served, "ann's").1?["offsetSeconds"]?.integer == 960)
        }
    }

    /// Two books on one folder are two processes of one installation, or a command beside one.
    @Test func spacesAreKeptInTheFolderForAll() async throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("billfold-spaces-\(UUID())").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let folder = try DataFolder(path)
        #expect(try await FolderSpaces(folder.path).read() == [])
        for number in 0..<FolderSpaces.most {
            try await FolderSpaces(folder.path).enrol("own-\(number)", keyHash: "\(number)", owners: ["owner-\(number)"])
        }
        let failure = await #expect(throws: CommandFailure.self) {
            try await FolderSpaces(folder.path).enrol("one more", keyHash: "k", owners: [])
        }
        #expect(failure?.code == "too-many-spaces")
        let clock = try await FolderClockOffset.clocks(in: folder).spaces
        try await clock.change { $0[3].offsetMicroseconds = 5_000_000 }
        // A new key for a space that there is leaves its time.
        try await FolderSpaces(folder.path).enrol("own-3", keyHash: "new", owners: ["owner-3", "another"])
        let found = try #require(try await FolderSpaces(folder.path).read().first { $0.name == "own-3" })
        #expect(found.keys == ["new"] && found.owners == ["owner-3", "another"] && found.offsetMicroseconds == 5_000_000)
    }

    /// What somebody who joins a team types.
    @Test func aMerchantWithASpaceIsRegisteredAndMovesItsTime() async throws {
        try await ServedSandbox.run { served in
            try await served.findable()
            let place = ["--json", "--data", served.folder]
            let registering = ["sandbox", "register", "merchant", "--name", "Ann", "--space", "--to", served.folder + "/ann"] + place
            #expect(try await Program.run(registering).status == 0)
            let clock = ["sandbox", "clock", "--key-file", served.folder + "/ann/api.key"] + place
            let moved = try await Program.run(clock + ["--advance", "16m"])
            #expect(moved.status == 0 && moved.output.contains(#""offsetSeconds":960"#), "\(moved)")
            // Doing it again gives the same space a new key.
            #expect(try await Program.run(registering).status == 0)
            #expect(try await Program.run(clock).output.contains(#""offsetSeconds":960"#))
            let spaces = try await FolderSpaces(served.folder).read()
            #expect(spaces.count == 1 && spaces.first?.owners.count == 3 && spaces.first?.keys.count == 1)
            #expect(try await Program.run(["sandbox", "clock"] + place).output.contains(#""offsetSeconds":0"#))
            // Whose time it is has to be said, and not every role has one.
            #expect(try await Program.run(["sandbox", "clock", "--advance", "1m"] + place).status == 64)
            for back in [["--advance", "-5m"], ["--advance=-5m"]] {
                let refused = try await Program.run(clock + back)
                #expect(refused.status == 64 && refused.output.contains("Time goes forward only"), "\(refused)")
            }
            let stranger = try await Program.run(["sandbox", "clock", "--key-file", served.folder + "/api.key"] + place)
            #expect(stranger.status == 1 && stranger.output.contains("sandbox register merchant --space"), "\(stranger)")
            #expect(try await Program.run(["sandbox", "register", "bank", "--space"] + place).status == 64)
        }
    }

    /// What was printed is done as it stands: the commands of whoever has a space name its key.
    @Test func theStepsOfASpaceNameItsKeyAndItsTime() async throws {
        try await ServedSandbox.run { served in
            try await served.findable()
            for (role, file) in [("merchant", "api.key"), ("acquirer", "space.key")] {
                let folder = served.folder + "/own-" + role
                let registering = ["sandbox", "register", role, "--name", "Own \(role)", "--to", folder, "--json", "--data", served.folder]
                func steps(_ more: [String]) async throws -> String {
                    let ending = try await Program.run(registering + more)
                    let told = try #require(JSONSerialization.jsonObject(with: Data(ending.output.utf8)) as? [String: Any], "\(ending)")
                    return try #require(told["steps"] as? [String]).joined(separator: "\n")
                }
                let bare = try await steps([])
                #expect(!bare.contains("--key-file") && !bare.contains("sandbox clock"), "\(bare)")
                let own = try await steps(["--space"])
                #expect(own.contains("sandbox clock --key-file \(folder)/\(file) --advance"), "\(own)")
                guard role == "merchant" else { continue }
                #expect(bare.contains("clientSecret") && bare.contains("/TN/pay"), "\(bare)")
                for command in ["listen --forward-to http://127.0.0.1:3000/hook", "trigger payment.succeeded"] {
                    #expect(own.contains("billfold \(command) --key-file \(folder)/\(file)"), "\(own)")
                }
            }
        }
    }

    /// A file of the wrong kind is not shown as a key, and is no sign of a server that is away.
    @Test(
        arguments: [
            ("a\nb\n", "has 2 lines"), ("BILLFOLD_API_KEY=x\nBILLFOLD_API_KEY_FILE=y\n# z\n", "has 3 lines"), ("", "is empty"),
            ("a b", "no key has"),
            (nil, "does not exist"),
        ] as [(String?, String)])
    func aFileThatIsNoKeyIsNamed(text: String?, words: String) throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("billfold-key-\(UUID())").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        if let text { try CommandFile.writePrivate(path, text) }
        let failure = #expect(throws: CommandFailure.self) { try CommandFile.key(path) }
        #expect(failure?.code == "key-unusable" && failure?.reason.contains(words) == true, "\(failure?.reason ?? "")")
        #expect(failure?.reason.contains(path) == true)
    }

    @Test func aKeyOfOnesOwnThatIsNoneIsNamed() throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("billfold-own-\(UUID())").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        try CommandFile.writePrivate(path, "a host's name\n")
        let failure = #expect(throws: CommandFailure.self) { try OwnPartyFolder(path + "-folder", key: path) }
        #expect(failure?.reason.contains("--key \(path) holds neither a public key") == true, "\(failure?.reason ?? "")")
        #expect(!FileManager.default.fileExists(atPath: path + "-folder"))
    }

    @Test func aKeyIsReadWithoutItsLineBreak() throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("billfold-key-\(UUID())").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        try CommandFile.writePrivate(path, "bf_test_1\n")
        #expect(try CommandFile.key(path) == "bf_test_1")
    }

    @Test func timesAreWrittenAsPeopleWriteThem() {
        for (text, seconds) in [("90s", 90), ("16m", 960), ("2h", 7_200), ("1d", 86_400)] as [(String, Int64)] {
            #expect(WholeTime(argument: text)?.seconds == seconds)
        }
        for text in ["", "m", "16", "-1m", "1.5h", "0s", "1w", "99999999999d"] { #expect(WholeTime(argument: text) == nil, "\(text)") }
    }
}
