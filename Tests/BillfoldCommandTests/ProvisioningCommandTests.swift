import ApplePay
import ApplePayForging
import ArgumentParser
import BillfoldJSON
import BillfoldTestSupport
import Foundation
import PaymentCrypto
import Testing

@testable import billfold

@Suite struct ProvisioningCommandTests {
    private static let at = "2026-11-20T12:00:00Z"
    private static let payload = """
        {"primaryAccountNumber":"5204000012345677","expiration":"12/30","name":"JANE SPECIMEN","nonce":"a1b2c3d4","nonceSignature":"40ff"}
        """

    private struct Desk {
        var folder: URL
        var authority: ProvisioningAuthority

        func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

        @discardableResult func write(_ name: String, _ text: String) throws -> String {
            try Data(text.utf8).write(to: folder.appendingPathComponent(name))
            return path(name)
        }
    }

    private func atDesk(_ body: (Desk) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("provisioning-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        var generator = SystemRandomNumberGenerator()
        let desk = Desk(
            folder: folder,
            authority: try ProvisioningAuthority(
                at: Date(Self.at, strategy: .iso8601), rsaLeafKey: RSAPrivateKey(bits: 2048), using: &generator))
        try desk.write("leaf.pem", desk.authority.leaf.pem)
        try desk.write("chain.pem", desk.authority.intermediate.pem + desk.authority.leaf.pem)
        try desk.write("intermediate.pem", desk.authority.intermediate.pem)
        try desk.write("root.pem", desk.authority.root.pem)
        try desk.write("leaf.key.pem", PEMText.Block(label: "PRIVATE KEY", bytes: desk.authority.leafKey.pkcs8).text)
        try desk.write("payload.json", Self.payload)
        try await body(desk)
    }

    private func reply<Command: ProvisioningReplying>(_ type: Command.Type, _ arguments: [String]) async throws -> JSONObject {
        try await type.parse(arguments).reply().object
    }

    @Test func sealedPayloadOpensMaskedUnlessRevealed() async throws {
        try await atDesk { desk in
            for leaf in ["leaf.pem", "chain.pem"] {
                let sealed = try await reply(ProvisioningSeal.self, ["--leaf", desk.path(leaf), "--payload", desk.path("payload.json")])
                #expect(sealed["publicKeyHash"]?.string == Hexadecimal.encode(desk.authority.leaf.publicKeyHash))
                let data = try #require(sealed["encryptedPassData"]?.string)
                let point = try #require(sealed["ephemeralPublicKey"]?.string)
                #expect(try StrictBase64.decode(point).count == 65)
                try desk.write("sealed.txt", data + "\n")
                try Data(StrictBase64.decode(data)).write(to: URL(filePath: desk.path("sealed.bin")))
                for file in ["sealed.txt", "sealed.bin"] {
                    let arguments = [
                        "--key", desk.path("leaf.key.pem"), "--encrypted-pass-data", desk.path(file), "--ephemeral-public-key", point,
                    ]
                    #expect(try await reply(ProvisioningOpen.self, arguments + ["--reveal"])["plaintext"]?.string == Self.payload)
                    let masked = try #require(try await reply(ProvisioningOpen.self, arguments)["plaintext"]?.string)
                    #expect(masked.contains("520400••••••5677") && masked.contains("a1b2c3d4"))
                    #expect(!masked.contains("5204000012345677") && !masked.contains("JANE"))
                }
            }
            // The answer of seal is enough: it names its key.
            let sealed = try await reply(ProvisioningSeal.self, ["--leaf", desk.path("leaf.pem"), "--payload", desk.path("payload.json")])
            let whole = try desk.write("sealed.json", String(decoding: JSONWriter.write(sealed), as: UTF8.self))
            let open = ["--key", desk.path("leaf.key.pem"), "--reveal", "--encrypted-pass-data"]
            #expect(try await reply(ProvisioningOpen.self, open + [whole])["plaintext"]?.string == Self.payload)
            let failure = await #expect(throws: CommandFailure.self) {
                try await reply(ProvisioningOpen.self, open + [desk.path("sealed.txt")])
            }
            #expect(failure?.code == "usage")
            #expect(ProvisioningOpen.masked(Array("4055".utf8)) == "‹4 bytes›")
            #expect(!ProvisioningOpen.masked(Array(#"{"pan":"5204000012345677","n":5204000012345677}"#.utf8)).contains("5204"))
        }
    }

    @Test func otherSchemeIsMarkedUnconfirmed() async throws {
        try await atDesk { desk in
            let leaf = try desk.write("rsa.pem", try #require(desk.authority.rsaLeaf).pem)
            let key = try desk.write(
                "rsa.key.pem", PEMText.Block(label: "PRIVATE KEY", bytes: try #require(desk.authority.rsaLeafKey).pkcs8).text)
            let sealed = try await reply(ProvisioningSeal.self, ["--leaf", leaf, "--payload", desk.path("payload.json")])
            #expect(sealed["confirmed"]?.bool == false)
            let data = try desk.write("sealed.txt", try #require(sealed["encryptedPassData"]?.string))
            let wrapped = try #require(sealed["wrappedKey"]?.string)
            let whole = try desk.write("sealed.json", String(decoding: JSONWriter.write(sealed), as: UTF8.self))
            let answer = try await reply(ProvisioningOpen.self, ["--key", key, "--encrypted-pass-data", whole, "--reveal"])
            #expect(answer["plaintext"]?.string == Self.payload)
            let arguments = ["--encrypted-pass-data", data, "--wrapped-key", wrapped, "--reveal"]
            #expect(try await reply(ProvisioningOpen.self, ["--key", key] + arguments)["plaintext"]?.string == Self.payload)
            await #expect(throws: ApplePayError(code: .keyKind, reason: "")) {
                try await reply(ProvisioningOpen.self, ["--key", desk.path("leaf.key.pem")] + arguments)
            }
        }
    }

    @Test func chainIsJudgedRuleByRule() async throws {
        try await atDesk { desk in
            let judged = ["--root", desk.path("root.pem"), "--at", Self.at]
            for files in [["chain.pem"], ["leaf.pem", "intermediate.pem"], ["root.pem", "intermediate.pem", "leaf.pem"]] {
                let accepted = try await reply(ProvisioningCheckChain.self, files.map(desk.path) + judged)
                #expect(accepted["accepted"]?.bool == true)
                #expect(accepted["publicKeyHash"]?.string == Hexadecimal.encode(desk.authority.leaf.publicKeyHash))
                #expect(accepted["rules"]?.array?.allSatisfy { $0.object?["outcome"]?.string == "passed" } == true)
            }
            func refusal(_ arguments: [String]) async throws -> String? {
                let reply = try await ProvisioningCheckChain.parse(arguments).reply()
                #expect(reply.exitCode == 1 && reply.object["accepted"]?.bool == false)
                return reply.object["error"]?.object?["code"]?.string
            }
            #expect(try await refusal([desk.path("leaf.pem")] + judged) == "chain-length")
            #expect(try await refusal([desk.path("intermediate.pem")] + judged) == "leaf-count")
            #expect(try await refusal([desk.path("chain.pem"), "--at", Self.at]) == "untrusted-root")
            #expect(
                try await refusal([desk.path("chain.pem"), "--root", desk.path("root.pem"), "--at", "2036-01-01T00:00:00Z"])
                    == "certificate-expired")
            #expect(try await refusal([desk.path("chain.pem"), "--intermediate-name", "Other"] + judged) == "intermediate-name")
            #expect(try await refusal([desk.path("chain.pem"), "--rsa"] + judged) == "leaf-key-kind")
            let damaged = try desk.write("damaged.pem", desk.authority.leaf.pem.replacing("-----END", with: "A\n-----END"))
            #expect(try await refusal([damaged, desk.path("intermediate.pem")] + judged) == "certificate-unreadable")
            #expect(try await refusal([desk.path("payload.json")] + judged) == "certificate-unreadable")
            #expect(throws: (any Error).self) { try ProvisioningCheckChain.parse([]) }
        }
    }

    @Test(.enabled(if: Vectors.available("in-app-provisioning"))) func productionChainOfItsDayIsAccepted() async throws {
        let files = try ["leaf-ecc-uc6-prod-2018-2020", "apple-wwdr-ca-g2"].map {
            try Vectors.url("in-app-provisioning/certs/\($0).pem").path
        }
        #expect(try await reply(ProvisioningCheckChain.self, files + ["--at", "2019-01-01T00:00:00Z"])["accepted"]?.bool == true)
        let damaged = try Vectors.url("in-app-provisioning/certs/negative-damaged-wwdr-ca-g2.pem").path
        let refused = try await reply(ProvisioningCheckChain.self, [files[0], damaged, "--at", "2019-01-01T00:00:00Z"])
        #expect(refused["accepted"]?.bool == false)
        #expect(refused["error"]?.object?["code"]?.string == "certificate-unreadable")
    }

    @Test func visaActivationDataIsMadeAndVerified() async throws {
        try await atDesk { desk in
            let key = try desk.write("zone.key", "0123456789ABCDEFFEDCBA9876543210\n")
            let input = try desk.write(
                "visa.json",
                #"{"network":"visa","keySet":"405551.1","nonce":"a1b2c3d4","primaryAccountNumber":"4055510012345672","expiration":"12/30"}"#
            )
            let made = try await reply(ProvisioningMakeActivationData.self, ["--input", input, "--key", key, "--at", Self.at, "--reveal"])
            let text = try #require(made["text"]?.string)
            #expect(text.hasPrefix("MBPAC-1-FK-405551.1--TDEA-"))
            let code = try #require(made["authenticationCode"]?.string)
            let account = try StrictBase64.decode(try #require(made["encryptedPrimaryAccountNumber"]?.string))
            #expect(String(decoding: account, as: UTF8.self).hasPrefix("MBPAD-1-FK-405551.1--TDEA-"))
            let data = try desk.write("activation.txt", try #require(made["activationData"]?.string))
            func verify(_ input: String, _ key: String) async throws -> CommandReply {
                try await ProvisioningVerifyActivationData.parse(["--activation-data", data, "--input", input, "--key", key]).reply()
            }
            let good = try await verify(input, key)
            #expect(good.exitCode == 0 && good.object["valid"]?.bool == true)
            #expect(good.object["authenticationCode"]?.string != code)
            let cases = [
                (#"{"network":"visa","keySet":"405551.1","nonce":"a1b2c3d5"}"#, "activation-nonce-mismatch"),
                (#"{"network":"visa","keySet":"405551.2","nonce":"a1b2c3d4"}"#, "visa-key-set-form"),
                (#"{"network":"visa","keySet":"405551.1","nonce":"a1b2c3d4","authenticationCode":"0"}"#, "authentication-code-mismatch"),
            ]
            for (input, code) in cases {
                let refused = try await verify(desk.write("wrong.json", input), key)
                #expect(refused.exitCode == 1 && refused.object["valid"]?.bool == false)
                #expect(refused.object["error"]?.object?["code"]?.string == code)
            }
            let other = try desk.write("other.key", "1123456789ABCDEFFEDCBA9876543210")
            #expect(try await verify(input, other).object["error"]?.object?["code"]?.string == "visa-block-form")
            let short = try desk.write("short.key", "0123")
            await #expect(throws: CommandFailure.self) { try await verify(input, short) }
            let nobody = try desk.write("nobody.json", #"{"network":"amex"}"#)
            await #expect(throws: CommandFailure.self) { try await verify(nobody, key) }
        }
    }

    @Test(arguments: ["2", "3", "4"]) func mastercardActivationDataIsMadeAndVerified(version: String) async throws {
        try await atDesk { desk in
            let rsa = try #require(desk.authority.rsaLeafKey)
            let key = try desk.write("tav.pem", PEMText.Block(label: "PRIVATE KEY", bytes: rsa.pkcs8).text)
            let publicKey = try desk.write("tav.pub.pem", rsa.publicKey.pem)
            let certificate = try desk.write("tav.cert.pem", try #require(desk.authority.rsaLeaf).pem)
            func input(_ number: String) -> String {
                """
                {"network":"mastercard","version":"\(version)","primaryAccountNumber":"\(number)","expiration":"12/30","keyAlias":"key-1"}
                """
            }
            let card = try desk.write("card.json", input("5204000012345677"))
            let made = try await reply(ProvisioningMakeActivationData.self, ["--input", card, "--key", key, "--at", Self.at])
            #expect(made["text"]?.string?.contains("5204000012345677") == false)
            let data = try desk.write("tav.json", try #require(made["text"]?.string))
            func verify(_ input: String, _ key: String, _ at: String = Self.at) async throws -> JSONObject {
                try await reply(
                    ProvisioningVerifyActivationData.self, ["--activation-data", data, "--input", input, "--key", key, "--at", at])
            }
            for key in [publicKey, certificate] {
                #expect(try await verify(card, key)["valid"]?.bool == true)
                let other = try desk.write("other.json", input("5204000012345669"))
                #expect(try await verify(other, key)["error"]?.object?["code"]?.string == "authentication-value-signature")
            }
            let late = try await verify(card, publicKey, "2026-11-20T13:00:00Z")
            #expect(late["error"]?.object?["code"]?.string == (version == "2" ? nil : "authentication-value-expired"))
        }
    }

    /// What a stranger gets wrong is wrong usage, and the reason says which file and what.
    @Test func wrongFilesAreNamed() async throws {
        try await atDesk { desk in
            try desk.write("empty", "")
            try desk.write("words.txt", "hi\n")
            try desk.write("zone.key", "0123456789ABCDEFFEDCBA9876543210")
            try desk.write("visa.json", #"{"network":"visa","keySet":"405551.1","nonce":"a1b2c3d4"}"#)
            try desk.write("mc.json", #"{"network":"mastercard","primaryAccountNumber":"5204000012345677","expiration":"12/30"}"#)
            try FileManager.default.createDirectory(at: desk.folder.appendingPathComponent("folder"), withIntermediateDirectories: true)
            func input(_ text: String) throws -> String {
                try desk.write("input.json", text)
                return "input.json"
            }
            func complaint<Command: ProvisioningReplying>(_ type: Command.Type, _ arguments: [String]) async -> CommandFailure? {
                do { _ = try await reply(type, arguments.map { $0.hasPrefix("--") ? $0 : desk.path($0) }) } catch {
                    return CommandFailure(error)
                }
                return nil
            }
            func expect(_ found: CommandFailure?, _ code: String, _ reason: String) {
                #expect(
                    found?.kind == .refused && found?.code == code && found?.reason.contains(reason) == true,
                    "\(found.map { "\($0)" } ?? "none")")
            }
            for (name, reason) in [
                ("absent", "absent does not exist"), ("folder", "folder is a folder"), ("empty", "empty holds no certificate"),
            ] {
                expect(await complaint(ProvisioningSeal.self, ["--leaf", name, "--payload", "payload.json"]), "unreadable-file", reason)
            }
            for (name, reason) in [("empty", "empty is no payload"), ("words.txt", "words.txt is no payload")] {
                expect(await complaint(ProvisioningSeal.self, ["--leaf", "leaf.pem", "--payload", name]), "malformed-json", reason)
            }
            expect(
                await complaint(ProvisioningSeal.self, ["--leaf", "intermediate.pem", "--payload", "payload.json"]), "leaf-count",
                "authority")
            for (key, code, reason) in [
                ("words.txt", "malformed-pem", "words.txt is no private key"), ("leaf.pem", "malformed-pem", "leaf.pem is no private key"),
            ] {
                let found = await complaint(
                    ProvisioningOpen.self, ["--key", key, "--encrypted-pass-data", "words.txt", "--ephemeral-public-key=BAAA"])
                expect(found, code, reason)
            }
            expect(
                await complaint(ProvisioningOpen.self, ["--key", "leaf.key.pem", "--encrypted-pass-data", "empty", "--wrapped-key=BAAA"]),
                "unreadable-file", "empty is empty")
            expect(await complaint(ProvisioningCheckChain.self, ["chain.pem", "--root", "leaf.pem"]), "root-unfit", "no root")
            for (text, code, reason) in [
                (#"{"network":"visa","keySet":"405551","nonce":"a1b2c3d4"}"#, "visa-key-set-form", "input.json: a key set"),
                (#"{"network":"visa","keySet":"405551.1","nonce":"a1b2c3"}"#, "nonce-length", "3 bytes, not 4"),
                (#"{"network":"visa","keySet":"405551.1","nonce":"zz"}"#, "malformed-hex", "input.json"),
                (#"{"network":"visa","keySet":"405551.1"}"#, "input-incomplete", "it names no nonce"),
                (#"{"network":"visa","keySet":"405551.1","nonce":7}"#, "input-incomplete", "nonce is not a text"),
                (#"{"network":"visa","keyset":"405551.1","nonce":"a1b2c3d4"}"#, "input-incomplete", "no member 'keyset'"),
                (#"{"network":"unionPay"}"#, "input-incomplete", "neither visa nor mastercard"), ("[1]", "malformed-json", "input.json"),
                (
                    #"{"network":"mastercard","version":3,"primaryAccountNumber":"5204000012345677"}"#, "input-incomplete",
                    "version is not a text"
                ),
            ] {
                let found = await complaint(ProvisioningMakeActivationData.self, ["--input", try input(text), "--key", "zone.key"])
                expect(found, code, reason)
            }
            expect(
                await complaint(ProvisioningMakeActivationData.self, ["--input", "visa.json", "--key", "absent"]), "unreadable-file",
                "absent")
            expect(
                await complaint(ProvisioningMakeActivationData.self, ["--input", "mc.json", "--key", "leaf.key.pem"]), "malformed-key",
                "leaf.key.pem is no RSA private key")
            for key in ["leaf.key.pem", "leaf.pem"] {
                let found = await complaint(
                    ProvisioningVerifyActivationData.self, ["--activation-data", "words.txt", "--input", "mc.json", "--key", key])
                #expect(
                    found?.kind == .refused && found?.reason.contains("\(key) is no RSA public key") == true,
                    "\(found.map { "\($0)" } ?? "")"
                )
            }
        }
    }

    /// One command's answer is the next one's file, and `--json` is no mistake.
    @Test func answersAreTakenAsFiles() async throws {
        try await atDesk { desk in
            let der = desk.folder.appendingPathComponent("leaf.der")
            try Data(desk.authority.leaf.der).write(to: der)
            let sealed = try await reply(ProvisioningSeal.self, ["--leaf", der.path, "--payload", desk.path("payload.json"), "--json"])
            let answer = try desk.write("sealed.json", String(decoding: JSONWriter.write(sealed), as: UTF8.self))
            let opened = try await reply(
                ProvisioningOpen.self,
                [
                    "--key", desk.path("leaf.key.pem"), "--encrypted-pass-data", answer, "--ephemeral-public-key",
                    try #require(sealed["ephemeralPublicKey"]?.string), "--reveal",
                ])
            #expect(opened["plaintext"]?.string == Self.payload)
            let key = try desk.write("zone.key", "0123456789ABCDEFFEDCBA9876543210")
            let input = try desk.write("visa.json", #"{"network":"visa","keySet":"405551.1","nonce":"a1b2c3d4"}"#)
            let made = try await reply(ProvisioningMakeActivationData.self, ["--input", input, "--key", key])
            let data = try desk.write("made.json", String(decoding: JSONWriter.write(made), as: UTF8.self))
            let verified = try await reply(
                ProvisioningVerifyActivationData.self, ["--activation-data", data, "--input", input, "--key", key])
            #expect(verified["valid"]?.bool == true)
        }
    }

    @Test func doctorNamesTheFaultAndStaysQuietOtherwise() async throws {
        try await atDesk { desk in
            var generator = SystemRandomNumberGenerator()
            let challenge = try desk.authority.challenge(secureElement: "04", account: "a", using: &generator)
            func callback(_ encoding: String) throws -> String {
                let certificates = desk.authority.certificates().map { "\"\(StrictBase64.encode($0))\"" }.joined(separator: ",")
                return try desk.write(
                    "callback.json",
                    """
                    {"certificates":[\(certificates)],"nonce":"\(challenge.nonceText)","nonceSignature":"\(challenge.nonceSignatureText)",\
                    "encoding":"\(encoding)"}
                    """)
            }
            func examine(_ callback: String) async throws -> CommandReply {
                try await DoctorCommand.parse([callback, desk.path("root.pem"), desk.path("leaf.key.pem"), "--at", Self.at]).reply()
            }
            let good = try await examine(callback("hex"))
            #expect(good.exitCode == 0)
            #expect(good.object["findings"]?.array?.isEmpty == true)
            let wrong = try await examine(callback("base64"))
            #expect(wrong.exitCode == 1)
            #expect(wrong.object["error"]?.object?["code"]?.string == "provisioning.nonce-form")
            #expect(wrong.text.contains("hexadecimal digits were read as base64"))
        }
    }
}
