import BillfoldJSON
import Foundation
import NIOHTTP1
import Testing

@testable import billfold

/// Names of registered parties: whose they are, and what a key is for.
@Suite(.serialized) struct OwnPartyTests {
    private func object(_ ending: Program.Ending) throws -> [String: Any] {
        try #require(JSONSerialization.jsonObject(with: Data(ending.output.utf8)) as? [String: Any], "\(ending)")
    }

    private func refusal(_ ending: Program.Ending) throws -> (code: String, reason: String) {
        let error = try #require(object(ending)["error"] as? [String: String], "\(ending)")
        return (error["code"] ?? "", error["reason"] ?? "")
    }

    private func entry(_ folder: String, name: String = "Ann") -> OwnParties.Entry {
        OwnParties.Entry(
            role: "acquirer", name: name, slug: OwnPartyRegistration.slug(of: name), folder: folder, registeredAt: "2026-11-30T00:00:00Z",
            space: true)
    }

    /// Who registers again into the same folder goes on; another's folder is not taken from them, unless it is gone.
    @Test func aNameIsItsFoldersUntilThatIsGone() throws {
        let root = FileManager.default.temporaryDirectory.appendingPathComponent("billfold-parties-\(UUID())").path
        defer { try? FileManager.default.removeItem(atPath: root) }
        for name in ["data", "a", "b"] {
            try FileManager.default.createDirectory(atPath: "\(root)/\(name)", withIntermediateDirectories: true)
        }
        for name in ["a", "b"] { try CommandFile.writePrivate("\(root)/\(name)/acquirer.env", "X=1\n") }
        let parties = OwnParties("\(root)/data")
        let (first, second) = (entry("\(root)/a"), entry("\(root)/b"))
        #expect(try parties.take(first, replacing: false) == nil)
        var kept = first
        kept.variables = ["ALIPAY_PLUS_CLIENT_ID": "SANDBOX_OWN_1", "ALIPAY_PLUS_PRIVATE_KEY_FILE": "\(root)/a/acquirer.pem"]
        try parties.keep(kept)
        #expect(try parties.take(first, replacing: false) == kept)
        #expect(try parties.find("acquirer", named: "Ann")?.variables == kept.variables)
        let taken = #expect(throws: CommandFailure.self) { try parties.take(second, replacing: false) }
        #expect(taken?.code == "name-taken" && taken?.kind == .refused)
        for words in ["\(root)/a", "SANDBOX_OWN_1", "2026-11-30", "--replace", "sandbox parties", "sandbox end acquirer --name Ann"] {
            #expect(taken?.reason.contains(words) == true, "\(words): \(taken?.reason ?? "")")
        }
        // Another role, or another name, is free.
        var other = second
        other.role = "author"
        #expect(try parties.take(other, replacing: false) == nil)
        #expect(try parties.take(entry("\(root)/b", name: "ann"), replacing: false) == nil)
        #expect(try parties.take(second, replacing: true) == kept)
        try parties.giveBack(second, to: kept)
        #expect(try parties.find("acquirer", ofSpace: "own-\(first.slug)") == kept)
        try FileManager.default.removeItem(atPath: "\(root)/a")
        #expect(try parties.take(second, replacing: false) == kept)
    }

    @Test(arguments: ["merchant", "acquirer", "author"]) func aTakenNameIsToldAndCanBeReplacedOrEnded(role: String) async throws {
        try await ServedSandbox.run { served in
            try await served.findable()
            let place = ["--data", served.folder, "--json"]
            func register(_ folder: String, _ more: [String] = []) async throws -> Program.Ending {
                try await Program.run(
                    ["sandbox", "register", role, "--name", "Shared", "--to", served.folder + "/" + folder] + more + place)
            }
            #expect(try object(await register("a"))["ended"] is NSNull)
            let refused = try await register("b")
            let told = try refusal(refused)
            #expect(refused.status == 1 && told.code == "name-taken" && told.reason.contains(served.folder + "/a"), "\(told)")
            #expect(!FileManager.default.fileExists(atPath: served.folder + "/b"))
            let list = try object(await Program.run(["sandbox", "parties"] + place))["parties"] as? [[String: Any]]
            #expect(list?.map { $0["name"] as? String } == ["Shared"] && list?.first?["folder"] as? String == served.folder + "/a")
            let replaced = try object(await register("b", ["--replace"]))
            #expect((replaced["ended"] as? String)?.contains(served.folder + "/a") == true, "\(replaced)")
            if role == "merchant" { try await isEnded(served, "a") }
            #expect(try refusal(await register("a")).code == "name-taken")
            // Ended, the name is free, and the keys that it had are of no use.
            let end = ["sandbox", "end", role, "--name", "Shared"] + place
            #expect(try object(await Program.run(end))["ended"] as? Bool == true)
            if role == "merchant" { try await isEnded(served, "b") }
            #expect(try refusal(await Program.run(end)).code == "party-not-found")
            #expect(try await register("a").status == 0)
        }
    }

    private func isEnded(_ served: ServedSandbox, _ folder: String) async throws {
        let key = try CommandFile.key("\(served.folder)/\(folder)/api.key")
        let answer = try await LocalClient.send(.GET, served.merchant + "/v1/orders", key: key)
        #expect(answer.status == 401 && String(decoding: answer.body, as: UTF8.self).contains("this API key was ended"))
    }

    @Test func anAcquirersKeyIsForItsOwnPayments() async throws {
        try await ServedSandbox.run { served in
            try await served.findable()
            let place = ["--data", served.folder, "--json"]
            let folder = served.folder + "/acquirer"
            let registering = ["sandbox", "register", "acquirer", "--name", "Carl", "--space", "--to", folder] + place
            #expect(try await Program.run(registering).status == 0)
            let key = ["--key-file", folder + "/space.key"]
            for name in ["payment-sheet.paid", "payment-sheet.code-paid"] {
                let ending = try await Program.run(["trigger", name] + key + place)
                #expect(ending.status == 0, "\(ending)")
                #expect(try object(ending)["state"] as? String == "paid")
                #expect(try object(ending)["notifyUrl"] as? String == "http://127.0.0.1:3000/alipay-plus/notify")
            }
            // What it is not for is said together with what it is for: no circle.
            for command in [["trigger", "payment.succeeded"], ["trigger", "token.active"], ["listen", "--count", "1"]] {
                let ending = try await Program.run(command + key + place)
                let told = try refusal(ending)
                #expect(ending.status == 64 && told.code == "key-not-taken" && told.reason.contains("payment-sheet.paid"), "\(told)")
            }
            let shops = try await Program.run(["trigger", "payment-sheet.paid", "--key-file", served.folder + "/api.key"] + place)
            let told = try refusal(shops)
            #expect(
                told.code == "key-not-taken" && told.reason.contains("space.key") && told.reason.contains("payment.succeeded"), "\(told)")
            #expect(try await Program.run(["sandbox", "end", "acquirer", "--name", "Carl"] + place).status == 0)
            #expect(try refusal(await Program.run(["trigger", "payment-sheet.paid"] + key + place)).code == "unauthorized")
        }
    }

    @Test func nobodyTakesWhatIsTheSameForAll() async throws {
        let ending = try await Program.run(["sandbox", "end", "bank"])
        #expect(ending.status == 64 && ending.errors.contains("one bank"), "\(ending)")
    }
}
