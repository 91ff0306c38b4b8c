import BillfoldPayments
import BillfoldServer
import Foundation
import PaymentCrypto
import Testing

@testable import billfold

/// Commands beside a server that has its store open in a SQLite file.
@Suite(.serialized) struct BesideServerTests {
    private func object(_ ending: Program.Ending) throws -> [String: Any] {
        try #require(JSONSerialization.jsonObject(with: Data(ending.output.utf8)) as? [String: Any], "\(ending)")
    }

    private func status(_ served: ServedSandbox, key: String) async throws -> Int {
        try await TourClient.get("\(served.merchant)/v1/orders/01890000-0000-7000-8000-000000000000", key: key).status
    }

    @Test func keysAndOperatorsAreMadeByTheServer() async throws {
        try await ServedSandbox.run { served in
            try await served.findable()
            let key = ["keys", "api-key", "--merchant", "two-leaves", "--label", "mine", "--data", served.folder]
            let made = try await Program.run(key + ["--json"])
            let text = try #require(object(made)["apiKey"] as? String)
            #expect(made.status == 0 && text.hasPrefix("bf_test_"))
            #expect(try await status(served, key: text) == 404)
            #expect(try await Program.run(key + ["--revoke"]).output == "ended 1 keys\n")
            #expect(try await status(served, key: text) == 401)
            #expect(try await Program.run(key + ["--revoke"]).status == 1)

            let operators = { (more: [String], password: String?) in
                try await Program.run(["operators"] + more + ["--data", served.folder], input: password.map { Array("\($0)\n".utf8) })
            }
            #expect(try await operators(["list"], nil).output == "no operators\n")
            #expect(try await operators(["add", "lin", "--roles", "viewer"], "correct horse battery").status == 0)
            let again = try await operators(["add", "lin", "--roles", "viewer", "--json"], "correct horse battery")
            #expect(again.status == 1 && again.output.contains(#""code":"conflict""#))
            let weak = try await operators(["add", "wu", "--roles", "viewer", "--json"], "elevenchars")
            #expect(weak.status == 1 && weak.output.contains(#""code":"weak-password""#))
            #expect(try await operators(["disable", "lin"], nil).status == 0)
            #expect(try await operators(["list"], nil).output.split(separator: "\n").count == 2)
            // What nobody but the server's store knows a way around.
            let check = try await Program.run(["db", "check", "--data", served.folder])
            #expect(check.status == 1 && check.errors.contains("stop the server"), "\(check)")
            let log = String(decoding: FileManager.default.contents(atPath: served.folder + ".log") ?? Data(), as: UTF8.self)
            #expect(!log.contains("correct horse battery") && !log.contains("elevenchars") && !log.contains(text))
        }
    }

    /// A socket that others can write to might be theirs: a password is not said to it.
    @Test func aSocketThatOthersReachIsNotAsked() async throws {
        try await ServedSandbox.run { served in
            try await served.findable()
            let socket = served.folder + "/control.sock"
            #expect(try FileManager.default.attributesOfItem(atPath: socket)[.posixPermissions] as? Int == 0o600)
            let list = ["operators", "list", "--json", "--data", served.folder]
            #expect(chmod(socket, 0o666) == 0)
            let exposed = try await Program.run(list)
            #expect(exposed.status == 1 && exposed.output.contains(#""code":"control-exposed""#), "\(exposed)")
            #expect(exposed.output.contains("has mode 666") && exposed.output.contains("chmod go="), "what to do: \(exposed)")
            #expect(chmod(socket, 0o600) == 0)
            #expect(try await Program.run(list).status == 0)
            // A file in its place, or a link to another one, is none.
            try FileManager.default.moveItem(atPath: socket, toPath: socket + ".kept")
            try FileManager.default.createSymbolicLink(atPath: socket, withDestinationPath: socket + ".kept")
            let turned = try await Program.run(list)
            #expect(turned.output.contains(#""code":"control-exposed""#) && turned.output.contains("is a link"), "\(turned)")
            try FileManager.default.removeItem(atPath: socket)
            #expect(FileManager.default.createFile(atPath: socket, contents: Data(), attributes: [.posixPermissions: 0o600]))
            let file = try await Program.run(list)
            #expect(file.output.contains(#""code":"control-exposed""#) && file.output.contains("is no socket"), "\(file)")
            try FileManager.default.removeItem(atPath: socket)
            let none = try await Program.run(list)
            #expect(none.status == 1 && none.output.contains(#""code":"database-in-use""#), "\(none)")
            try FileManager.default.moveItem(atPath: socket + ".kept", toPath: socket)
        }
    }

    /// A folder that is a link is refused, for the link can be turned; the reason says so, and where the folder is.
    @Test func aDataFolderThatIsALinkIsNamedByItsOwnPlace() async throws {
        try await ServedSandbox.run { served in
            try await served.findable()
            let link = served.folder + ".link"
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: served.folder)
            defer { try? FileManager.default.removeItem(atPath: link) }
            let refused = try await Program.run(["operators", "list", "--data", link])
            let place = URL(fileURLWithPath: served.folder).resolvingSymlinksInPath().path
            #expect(refused.status == 1 && refused.errors.contains("is a link"), "\(refused)")
            #expect(refused.errors.contains("--data \(place)"), "\(refused)")
            #expect(try await Program.run(["operators", "list", "--data", place]).status == 0)
        }
    }

    /// Another store's server must not do what was meant for this one.
    @Test func aServerOfAnotherStoreRefuses() async throws {
        try await ServedSandbox.run { served in
            try await served.findable()
            let client = try #require(try ControlClient(folder: served.folder))
            do {
                _ = try await client.answer(ControlMessage(store: "/elsewhere/billfold.sqlite", request: .operators))
                Issue.record("answered for a store that it does not have")
            } catch let failure as CommandFailure { #expect(failure.code == "store-differs") }
            let own = ControlSocket.name(ofStore: served.folder + "/billfold.sqlite")
            guard case .operators(let list) = try await client.answer(ControlMessage(store: own, request: .operators)) else {
                Issue.record("another answer than was asked for")
                return
            }
            #expect(list.isEmpty)
        }
    }

    // MARK: Of the sandbox

    @Test func apartFromAServerTheSandboxIsNotFound() async throws {
        for arguments in [["sandbox", "register", "merchant"], ["listen"], ["trigger", "payment.succeeded"], ["logs"], ["open"]] {
            let ending = try await Program.run(arguments + ["--json"])
            #expect(ending.status == 1 && ending.output.contains(#""code":"no-server""#), "\(arguments): \(ending)")
        }
    }

    @Test func aServerThatHasStoppedIsNotWaitedFor() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("stopped-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        // As a server leaves it; nobody listens at this port.
        try Data(#"{"console":"http://127.0.0.1:1"}"#.utf8).write(to: folder.appendingPathComponent("addresses.json"))
        let start = ContinuousClock.now
        let own = folder.appendingPathComponent("own").path
        for arguments in [
            ["logs", "--once"], ["sandbox", "register", "merchant", "--to", own], ["listen"], ["trigger", "payment.succeeded"], ["open"],
        ] {
            let ending = try await Program.run(arguments + ["--json", "--data", folder.path])
            #expect(ending.status == 1 && ending.output.contains(#""code":"no-server""#), "\(arguments): \(ending)")
            #expect(ending.output.contains("does not answer"), "\(arguments): \(ending)")
        }
        #expect(ContinuousClock.now - start < .seconds(60))
        #expect(!FileManager.default.fileExists(atPath: own))
    }

    // MARK: Registering

    /// Says what is wrong with an address before anything is made.
    @Test(arguments: ["127.0.0.1:3000", "http://127.0.0.1:3000/hook", "ftp://127.0.0.1", "http://", "http://me@localhost:3000", "x"])
    func whatIsNoOriginIsWrongUsage(address: String) async throws {
        let ending = try await Program.run(["sandbox", "register", "merchant", "--address", address])
        #expect(ending.status == 64 && ending.errors.contains("is no origin"), "\(ending)")
        #expect(SandboxRegister.origin(address) == nil && SandboxRegister.origin("http://localhost:3000/") == "http://localhost:3000")
    }

    @Test func aRefusedRegistrationLeavesNothing() async throws {
        try await ServedSandbox.run { served in
            try await served.findable()
            let place = ["--data", served.folder, "--json"]
            // Without the key for it nobody registers.
            let onboarding = served.folder + "/" + AlipayPlusCapability.onboardingKey
            try FileManager.default.moveItem(atPath: onboarding, toPath: onboarding + ".kept")
            let command = ["sandbox", "register", "acquirer", "--to", served.folder + "/deep/own"] + place
            #expect(try await Program.run(command).status == 1)
            #expect(!FileManager.default.fileExists(atPath: served.folder + "/deep"))
            // What was there before stays.
            let folder = served.folder + "/kept"
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
            try Data("mine".utf8).write(to: URL(fileURLWithPath: folder + "/note"))
            #expect(try await Program.run(["sandbox", "register", "acquirer", "--to", folder] + place).status == 1)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["note"])
            try FileManager.default.moveItem(atPath: onboarding + ".kept", toPath: onboarding)
            #expect(try await Program.run(command).status == 0)
        }
    }

    /// Standard input is read once, however many keys the role has; the advice works as it is printed.
    @Test func aKeyFromStandardInputIsEveryKeyOfTheRole() async throws {
        try await ServedSandbox.run { served in
            try await served.findable()
            let folder = served.folder + "/own"
            let key = try RSAPrivateKey(bits: 2048)
            let ending = try await Program.run(
                ["sandbox", "register", "author", "--key", "-", "--data", served.folder, "--to", folder, "--json"],
                input: Array(PEMText.Block(label: "PRIVATE KEY", bytes: key.pkcs8).text.utf8))
            let told = try object(ending)
            let variables = try #require(told["variables"] as? [String: String], "\(ending)")
            #expect(variables["MINI_PROGRAM_ID"] != nil && variables["PACKAGE_PRIVATE_KEY_FILE"] == nil)
            #expect(variables["BILLFOLD_CONSOLE"] == served.console && variables["BILLFOLD_SANDBOX"] == served.sandbox)
            for name in ["author", "packages", "client"] {
                let half = String(decoding: try #require(FileManager.default.contents(atPath: "\(folder)/\(name).pub")), as: UTF8.self)
                #expect(try PublicKey(pem: half).subjectPublicKeyInfo == key.publicKey.subjectPublicKeyInfo)
            }
            let steps = try #require(told["steps"] as? [String])
            #expect(steps.contains { $0.contains("billfold logs --problems --data \(served.folder)") }, "\(steps)")
            #expect(steps.contains { $0.contains("--app-id \(variables["MINI_PROGRAM_ID"] ?? "")") }, "\(steps)")
        }
    }

    @Test(arguments: SandboxRegister.Role.allCases)
    func aPartyOfOnesOwnIsRegisteredAndFindsItsKeysAgain(role: SandboxRegister.Role) async throws {
        try await ServedSandbox.run { served in
            try await served.findable()
            let folder = served.folder + "/own"
            let command = ["sandbox", "register", role.rawValue, "--name", "Own \(role.rawValue)", "--data", served.folder, "--to", folder]
            let first = try object(await Program.run(command + ["--json"]))
            let variables = try #require(first["variables"] as? [String: String])
            #expect((first["steps"] as? [String])?.isEmpty == false)
            let env = try String(contentsOfFile: try #require(first["env"] as? String), encoding: .utf8)
            for (name, value) in variables {
                #expect(env.contains("\(name)="))
                // Every file that is named is there, for its owner alone.
                guard name.hasSuffix("_FILE") else { continue }
                #expect(try FileManager.default.attributesOfItem(atPath: value)[.posixPermissions] as? Int == 0o600, "\(name)")
                let held = String(decoding: FileManager.default.contents(atPath: value) ?? Data(), as: UTF8.self)
                guard name.hasSuffix("PRIVATE_KEY_FILE") else { continue }
                #expect(!env.contains(held.trimmingCharacters(in: .whitespacesAndNewlines)), "\(name) stands in the env file")
            }
            func keys() throws -> [String: Data] {
                let names = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".pem") }
                return Dictionary(
                    uniqueKeysWithValues: names.map { ($0, FileManager.default.contents(atPath: "\(folder)/\($0)") ?? Data()) })
            }
            let before = try keys()
            let again = try object(await Program.run(command + ["--json"]))
            #expect(again["variables"] as? [String: String] == variables)
            #expect(try keys() == before)
        }
    }

    /// One of each journey, as a developer asks for them; what they come to is checked by the command itself.
    @Test func statesComeAbout() async throws {
        try await ServedSandbox.run { served in
            try await served.findable()
            func trigger(_ name: String) async throws -> [String: Any] {
                try object(await Program.run(["trigger", name, "--json", "--data", served.folder]))
            }
            #expect(try await trigger("payment.succeeded")["state"] as? String == "succeeded")
            #expect(try await trigger("payment.failed")["state"] as? String == "failed")
            #expect(try await trigger("payment.unknown")["state"] as? String == "unknown")
            #expect(try await trigger("refund.succeeded")["refundState"] as? String == "succeeded")
            #expect(try await trigger("express-order.paid")["resultStatus"] as? String == "9000")
            #expect(try await trigger("express-order.cancelled")["resultStatus"] as? String == "6001")
            #expect(try await trigger("payment-sheet.paid")["outcome"] != nil)
            let payments = try await MerchantBooks.read(from: served.merchant, key: served.apiKey()).payments
            #expect(Set(payments.map(\.state)) == ["succeeded", "failed", "unknown", "partlyRefunded"])

            let logs = try await Program.run(["logs", "--once", "--data", served.folder])
            #expect(logs.status == 0 && logs.output.contains("  consume  "), "\(logs.output.prefix(2_000))")
            let some = try await Program.run(["logs", "--once", "--party", "unionpay", "--last", "100", "--data", served.folder])
            let lines = some.output.split(separator: "\n")
            #expect(!lines.isEmpty && lines.allSatisfy { $0.lowercased().contains("unionpay") } && lines.count < 2_000)
            // A merchant's own number is a name of its order's story; a story that there is not is said so.
            let own = try await served.placeOrder(reference: "OWN-77")
            let story = try await Program.run(["logs", "--once", "--story", "OWN-77", "--last", "1", "--data", served.folder])
            #expect(story.status == 0 && story.output.contains(own), "\(story)")
            let none = try await Program.run(["logs", "--once", "--story", "OWN-78", "--json", "--data", served.folder])
            #expect(none.status == 1 && none.output.contains(#""code":"unknown-story""#), "\(none)")
            let opened = try await Program.run(["open", "--print", "--data", served.folder])
            #expect(opened.status == 0 && opened.output == "\(served.console)/\n")
        }
    }

    @Test func whatCannotBeTriggeredIsWrongUsage() async throws {
        let list = try await Program.run(["trigger", "--list", "--json"])
        let names = (try object(list)["triggers"] as? [[String: String]] ?? []).compactMap { $0["name"] }
        #expect(names == Trigger.all.map(\.name) && Set(names).count == names.count)
        for arguments in [[], ["payment.succeeded", "--list"]] {
            #expect(try await Program.run(["trigger"] + arguments).status == 64)
        }
        do { _ = try Trigger(named: "payment.succeded") } catch {
            #expect(error.kind == .usage && error.reason.contains("payment.succeeded"))
        }
    }
}
