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
            #expect(try await Program.run(["sandbox", "register", "bank", "--space"] + place).status == 64)
        }
    }

    @Test func timesAreWrittenAsPeopleWriteThem() {
        for (text, seconds) in [("90s", 90), ("16m", 960), ("2h", 7_200), ("1d", 86_400)] as [(String, Int64)] {
            #expect(WholeTime(argument: text)?.seconds == seconds)
        }
        for text in ["", "m", "16", "-1m", "1.5h", "0s", "1w", "99999999999d"] { #expect(WholeTime(argument: text) == nil, "\(text)") }
    }
}
