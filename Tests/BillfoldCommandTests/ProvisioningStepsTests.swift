import ApplePay
import ArgumentParser
import BillfoldJSON
import BillfoldTestSupport
import Crypto
import Foundation
import PaymentCrypto
import Testing

@testable import billfold

/// `provisioning seal --steps` and `provisioning open --steps`: a bank's engineer finds the first value in which his code differs.
@Suite struct ProvisioningStepsTests {
    private static let payload = #"{"primaryAccountNumber":"5204000012345677","expiration":"12/30","name":"JANE SPECIMEN"}"#

    private struct Bench {
        var folder: URL

        func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

        @discardableResult func write(_ name: String, _ text: String) throws -> String {
            try Data(text.utf8).write(to: folder.appendingPathComponent(name))
            return path(name)
        }

        @discardableResult func write(_ name: String, _ object: JSONObject) throws -> String {
            try write(name, String(decoding: JSONWriter.write(object), as: UTF8.self))
        }

        func makeKey(_ name: String, _ kind: String, isMarked: Bool = true) throws -> String {
            var generator = SystemRandomNumberGenerator()
            let arguments = ["--kind", kind, "--out", path(name)] + (isMarked ? ["--test"] : [])
            _ = try KeysMake.parse(arguments).reply(using: &generator)
            return path(name)
        }
    }

    private func atBench(_ body: (Bench) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("steps-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let bench = Bench(folder: folder)
        try bench.write("payload.json", Self.payload)
        try await body(bench)
    }

    private func seal(_ bench: Bench, key: String, _ more: [String] = []) async throws -> CommandReply {
        try await ProvisioningSeal.parse(
            ["--leaf-key", key, "--payload", bench.path("payload.json"), "--steps", "--test-keys"] + more
        ).reply()
    }

    private func open(_ sealed: String, key: String, _ more: [String] = []) async throws -> CommandReply {
        try await ProvisioningOpen.parse(["--key", key, "--encrypted-pass-data", sealed, "--steps", "--test-keys"] + more).reply()
    }

    /// An object of the answer with one value changed.
    private func changed(_ steps: JSONObject, _ name: String) -> JSONObject {
        var steps = steps
        let text = steps[name]?.string ?? ""
        steps[name] = .string((text.hasPrefix("0") ? "1" : "0") + text.dropFirst())
        return steps
    }

    @Test(arguments: ["ec", "rsa"]) func aSecondRunAgreesWithTheFirst(kind: String) async throws {
        try await atBench { bench in
            let key = try bench.makeKey("leaf.key", kind)
            let first = try await seal(bench, key: key)
            #expect(first.exitCode == 0 && first.object["error"] == nil)
            let steps = try #require(first.object["steps"]?.object)
            let names = steps.members.map(\.key)
            #expect(names.count == (kind == "ec" ? 12 : 8) && names.contains("aesKey") && names.contains("tag"))
            let expected = try bench.write("expected.json", steps)
            let whole = try bench.write("sealed.json", first.object)
            for file in [expected, whole] {
                let second = try await seal(bench, key: key, ["--expected", file])
                #expect(second.exitCode == 0, "\(String(describing: second.object["error"]?.text))")
                #expect(second.object["encryptedPassData"]?.string == first.object["encryptedPassData"]?.string)
                #expect(second.object["notCompared"]?.array?.compactMap(\.string) == (kind == "ec" ? nil : ["wrappedKey"]))
                let opened = try await open(whole, key: key, ["--expected", file])
                #expect(opened.exitCode == 0, "\(String(describing: opened.object["error"]?.text))")
                #expect(opened.object["notCompared"]?.array?.compactMap(\.string) == (kind == "ec" ? ["ephemeralPrivateKey"] : nil))
            }
            #expect(try await open(whole, key: key).object["steps"]?["plaintext"]?.string == Hexadecimal.encode(Array(Self.payload.utf8)))
        }
    }

    @Test(arguments: ["ec", "rsa"]) func theFirstValueThatDiffersIsNamed(kind: String) async throws {
        try await atBench { bench in
            let key = try bench.makeKey("leaf.key", kind)
            let first = try await seal(bench, key: key)
            let sealed = try bench.write("sealed.json", first.object)
            let steps = try #require(first.object["steps"]?.object)
            for name in steps.members.map(\.key) where name != "wrappedKey" && name != "ephemeralPrivateKey" {
                let wrong = try bench.write("wrong.json", changed(steps, name))
                for answer in [
                    try await seal(bench, key: key, ["--expected", wrong]), try await open(sealed, key: key, ["--expected", wrong]),
                ] {
                    #expect(answer.exitCode == 1 && answer.object["error"]?["code"]?.string == "step-differs")
                    // Another AES key is taken, and shows in what follows it.
                    if kind == "rsa", name == "aesKey", answer.object["encryptedPassData"] != nil {
                        #expect(answer.object["firstDifference"]?["step"]?.string == "ciphertext")
                        continue
                    }
                    #expect(answer.object["firstDifference"]?["step"]?.string == name)
                    #expect(answer.object["firstDifference"]?["billfolds"]?.string == steps[name]?.string)
                    #expect(answer.object["firstDifference"]?["yours"]?.string == changed(steps, name)[name]?.string)
                    #expect(answer.object["error"]?["reason"]?.string?.hasPrefix("\(name) is the first value that differs") == true)
                }
            }
            // Two of them: the earlier one.
            let two = try bench.write("two.json", changed(changed(steps, "tag"), "nonce"))
            #expect(try await open(sealed, key: key, ["--expected", two]).object["firstDifference"]?["step"]?.string == "nonce")
            let short = try bench.write("short.json", JSONObject([.init("tag", .string("00"))]))
            let answer = try await open(sealed, key: key, ["--expected", short])
            #expect(answer.object["error"]?["reason"]?.string?.contains("yours has 1 bytes, billfold's has 16") == true)
        }
    }

    /// Whoever does not give the key gets one that is drawn, and no advice about the form of what follows from it.
    @Test(arguments: [("ec", "ephemeralPrivateKey"), ("rsa", "aesKey")])
    func aKeyThatWasDrawnHereIsNamedAsTheCause(kind: String, drawn: String) async throws {
        try await atBench { bench in
            let key = try bench.makeKey("leaf.key", kind)
            let first = try await seal(bench, key: key)
            let sealed = try bench.write("sealed.json", first.object)
            var steps = try #require(first.object["steps"]?.object)
            steps[drawn] = nil
            let mine = try bench.write("mine.json", steps)
            let reason = try await seal(bench, key: key, ["--expected", mine]).object["error"]?["reason"]?.string ?? ""
            #expect(reason.contains("\(drawn) was drawn here") && reason.contains("open --steps"), "\(reason)")
            #expect(try await open(sealed, key: key, ["--expected", mine]).exitCode == 0)
        }
    }

    @Test func aPayloadThatStaysClosedWithoutStepsNamesThem() async throws {
        try await atBench { bench in
            let (key, other) = (try bench.makeKey("leaf.key", "ec"), try bench.makeKey("other.key", "ec"))
            let sealed = try bench.write("sealed.json", try await seal(bench, key: key).object)
            await #expect {
                try await ProvisioningOpen.parse(["--key", other, "--encrypted-pass-data", sealed]).reply()
            } throws: { ($0 as? ApplePayError)?.reason.contains("--steps") == true }
        }
    }

    @Test func aSealedAnswerOnStandardInputIsOpened() async throws {
        try await atBench { bench in
            let key = try bench.makeKey("leaf.key", "ec")
            let sealed = try await seal(bench, key: key).object
            let ending = try await Program.run(
                ["provisioning", "open", "--key", key, "--encrypted-pass-data", "-"], input: JSONWriter.write(sealed))
            #expect(ending.status == 0 && ending.output.contains("plaintext"), "\(ending)")
        }
    }

    /// A bank that swaps counter and secret: its payload does not open, and the steps say where it began.
    @Test func aPayloadThatDoesNotOpenShowsItsSteps() async throws {
        try await atBench { bench in
            let key = try bench.makeKey("leaf.key", "ec")
            let first = try await seal(bench, key: key)
            let steps = try #require(first.object["steps"]?.object)
            let secret = try #require(steps["sharedSecret"]?.string)
            let input = try Hexadecimal.decode(secret + "00000001" + (steps["otherInfo"]?.string ?? ""))
            let wrongKey = Array(SHA256.hash(data: input))
            let box = try AESGCM(key: wrongKey).seal(Array(Self.payload.utf8), nonce: [UInt8](repeating: 0, count: 12))
            var sealed = first.object
            sealed["encryptedPassData"] = .string(StrictBase64.encode(box))
            let file = try bench.write("sealed.json", sealed)
            let alone = try await open(file, key: key)
            #expect(alone.exitCode == 1 && alone.object["error"]?["code"]?.string == "decryption-refused")
            #expect(
                alone.object["steps"]?["aesKey"] != nil && alone.object["steps"]?["plaintext"] == nil && alone.object["plaintext"] == nil)
            let theirs = try bench.write(
                "theirs.json",
                JSONObject([
                    .init("sharedSecret", .string(secret)), .init("kdfInput", .string(Hexadecimal.encode(input))),
                    .init("aesKey", .string(Hexadecimal.encode(wrongKey))), .init("tag", .string(Hexadecimal.encode(box.suffix(16)))),
                ]))
            let beside = try await open(file, key: key, ["--expected", theirs])
            #expect(beside.exitCode == 1 && beside.object["firstDifference"]?["step"]?.string == "kdfInput")
            #expect(beside.object["error"]?["reason"]?.string?.contains("the counter 00000001 comes first") == true)
        }
    }

    @Test func onlyTestKeysHaveSteps() async throws {
        try await atBench { bench in
            let (marked, plain) = (try bench.makeKey("test.key", "ec"), try bench.makeKey("plain.key", "ec", isMarked: false))
            let payload = ["--payload", bench.path("payload.json")]
            func code(_ arguments: [String]) async throws -> String? {
                do {
                    _ = try await ProvisioningSeal.parse(arguments + payload).reply()
                    return nil
                } catch let error as CommandFailure { return error.code }
            }
            #expect(try await code(["--leaf-key", marked, "--steps", "--test-keys"]) == nil)
            #expect(try await code(["--leaf-key", marked, "--steps"]) == "test-keys-unsaid")
            #expect(try await code(["--leaf-key", plain, "--steps", "--test-keys"]) == "not-a-test-key")
            // The mark stands before the key, as a line of its own, or nowhere.
            let text = try String(contentsOfFile: plain, encoding: .utf8)
            let other = try String(contentsOfFile: marked, encoding: .utf8)
            let wrongs = [
                ("after", text + TestKeyMark.line + "\n"), ("within", "x " + TestKeyMark.line + "\n" + text),
                // A key whose first line does not stand at the line's beginning is read all the same, and is the one that counts.
                ("indented", " " + text + other), ("tab", "\t" + text + TestKeyMark.line + "\n" + text), ("two", other + text),
                ("certificate", TestKeyMark.line + "\n-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n" + text),
                ("spaced", " " + TestKeyMark.line + "\n" + text), ("empty", ""), ("alone", TestKeyMark.line + "\n"),
            ]
            for (name, wrong) in wrongs {
                #expect(try await code(["--leaf-key", bench.write(name, wrong), "--steps", "--test-keys"]) == "not-a-test-key", "\(name)")
            }
            let own = try bench.write("own.key", "Bag\n\(TestKeyMark.line)\n" + text)
            #expect(try await code(["--leaf-key", own, "--steps", "--test-keys"]) == nil)
            #expect(throws: (any Error).self) { try ProvisioningSeal.parse(["--leaf", marked, "--steps", "--test-keys"] + payload) }
            #expect(throws: (any Error).self) { try ProvisioningSeal.parse(["--leaf", marked, "--test-keys"] + payload) }
            #expect(throws: (any Error).self) { try ProvisioningSeal.parse(["--leaf", marked, "--expected", "x"] + payload) }
            #expect(throws: (any Error).self) { try ProvisioningSeal.parse(payload) }
            #expect(throws: (any Error).self) { try KeysMake.parse(["--kind", "encryption", "--out", bench.path("x"), "--test"]) }
            let sealed = try await seal(bench, key: marked)
            let file = try bench.write("sealed.json", sealed.object)
            let unmarked = await #expect(throws: CommandFailure.self) { try await open(file, key: plain) }
            #expect(unmarked?.code == "not-a-test-key" && unmarked?.kind == .refused)
        }
    }

    /// Whoever has only a certificate, such as that of Apple's broker, gets no steps.
    @Test(.enabled(if: Vectors.available("in-app-provisioning"))) func aLeafOfApplesHasNoSteps() async throws {
        try await atBench { bench in
            let leaf = try Vectors.url("in-app-provisioning/certs/leaf-ecc-uc6-prod-2018-2020.pem").path
            let arguments = [
                "--leaf", leaf, "--leaf-key", try bench.makeKey("test.key", "ec"), "--payload", bench.path("payload.json"), "--steps",
                "--test-keys",
            ]
            let failure = await #expect(throws: CommandFailure.self) { try await ProvisioningSeal.parse(arguments).reply() }
            #expect(failure?.code == "key-not-of-leaf")
        }
    }

    @Test func expectationsThatCannotBeReadAreWrongUsage() async throws {
        try await atBench { bench in
            let key = try bench.makeKey("test.key", "ec")
            func code(_ text: String) async throws -> String? {
                do {
                    return try await seal(bench, key: key, ["--expected", bench.write("e.json", text)]).object["error"]?["code"]?.string
                } catch let error as CommandFailure { return error.code }
            }
            #expect(try await code(#"{"sharedsecret":"00"}"#) == "step-unknown")
            #expect(try await code("{}") == "step-unknown")
            #expect(try await code(#"{"tag":"0"}"#) == "malformed-hexadecimal")
            #expect(try await code(#"{"tag":7}"#) == "malformed-hexadecimal")
            #expect(try await code(#"{"wrappedKey":"00","nonce":"000000000000000000000000"}"#) == nil, "said to be not compared")
            let rsa = try bench.makeKey("rsa.key", "rsa")
            let sealed = try await seal(bench, key: rsa, ["--expected", bench.write("e.json", #"{"sharedSecret":"00"}"#)])
            #expect(sealed.exitCode == 1 && sealed.object["error"]?["code"]?.string == "step-absent")
        }
    }

    struct Known: Decodable {
        struct Vector: Decodable {
            var staticPrivateKeyHex: String
            var ephemeralPrivateKeyHex: String
            var ephemeralPublicKeyUncompressedHex: String
            var sharedSecretHex: String
            var otherInfoHex: String
            var aes256KeyHex: String
            var ivHex: String
            var plaintextUtf8: String
            var encryptedPassDataHex: String
        }
        var vectors: [Vector]
    }

    @Test(.enabled(if: Vectors.available("in-app-provisioning"))) func knownAnswersAgreeStepByStep() async throws {
        try await atBench { bench in
            let decoder = JSONDecoder()
            decoder.keyDecodingStrategy = .convertFromSnakeCase
            let known = try decoder.decode(Known.self, from: Data(Vectors.bytes("in-app-provisioning/ecc-v2-both-sides.json")))
            try #require(!known.vectors.isEmpty)
            for vector in known.vectors {
                let key = try P256PrivateKey(scalar: Hexadecimal.decode(vector.staticPrivateKeyHex))
                let path = try bench.write("k.pem", TestKeyMark.line + "\n" + PEMText.Block(label: "PRIVATE KEY", bytes: key.pkcs8).text)
                try bench.write("payload.json", vector.plaintextUtf8)
                let expected = try bench.write(
                    "expected.json",
                    JSONObject(
                        [
                            ("ephemeralPrivateKey", vector.ephemeralPrivateKeyHex),
                            ("ephemeralPublicKey", vector.ephemeralPublicKeyUncompressedHex),
                            ("sharedSecret", vector.sharedSecretHex),
                            ("otherInfo", vector.otherInfoHex),
                            ("kdfInput", "00000001" + vector.sharedSecretHex + vector.otherInfoHex),
                            ("aesKey", vector.aes256KeyHex), ("nonce", vector.ivHex),
                            ("encryptedPassData", vector.encryptedPassDataHex),
                        ].map { .init($0.0, .string($0.1)) }))
                let sealed = try await seal(bench, key: path, ["--expected", expected])
                #expect(sealed.exitCode == 0, "\(String(describing: sealed.object["error"]?.text))")
                let opened = try await open(bench.write("sealed.json", sealed.object), key: path, ["--expected", expected])
                #expect(opened.exitCode == 0, "\(String(describing: opened.object["error"]?.text))")
            }
        }
    }
}
