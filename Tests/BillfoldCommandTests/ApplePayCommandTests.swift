import ApplePay
import ArgumentParser
import BillfoldJSON
import Foundation
import PaymentCrypto
import Testing

@testable import billfold

@Suite struct ApplePayCommandTests {
    private static let signedAt = "2026-11-20T12:00:00Z"

    /// A folder of its own, removed afterwards.
    private func inFolder(_ body: (URL) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("apple-pay-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await body(folder)
    }

    private func reply<Command: ReplyingCommand>(_ type: Command.Type, _ arguments: [String]) async throws -> CommandReply {
        try await type.parse(arguments).reply()
    }

    private func make(_ folder: URL, _ more: [String] = []) async throws -> String {
        let token = folder.appendingPathComponent("token-\(UUID().uuidString).json").path
        _ = try await reply(
            MakeToken.self,
            ["--authority", folder.appendingPathComponent("wallet").path, "--signed-at", Self.signedAt, "--output", token] + more)
        return token
    }

    private func open(_ folder: URL, _ token: String, kind: String = "ec", _ more: [String] = []) async throws -> CommandReply {
        let wallet = folder.appendingPathComponent("wallet")
        return try await reply(
            OpenToken.self,
            [
                token, "--certificate", wallet.appendingPathComponent("merchant-\(kind).cert.pem").path, "--key",
                wallet.appendingPathComponent("merchant-\(kind).key.pem").path, "--root", wallet.appendingPathComponent("root.pem").path,
                "--at",
                Self.signedAt,
            ] + more)
    }

    @Test(arguments: [("EC_v1", "ec", "visa", "USD"), ("RSA_v1", "rsa", "chinaUnionPay", "CNY")])
    func madeTokenOpensMaskedUnlessRevealed(version: String, kind: String, network: String, currency: String) async throws {
        try await inFolder { folder in
            let token = try await make(
                folder, ["--version", version, "--network", network, "--currency", currency, "--application-data", "order-1"])
            let opened = try await open(folder, token, kind: kind)
            #expect(opened.exitCode == 0)
            #expect(opened.object["transactionAmount"]?.integer == 3_300)
            #expect(opened.object["applicationData"]?.string?.count == 64)
            let masked = try #require(opened.object["applicationPrimaryAccountNumber"]?.string)
            #expect(masked.contains("••••••"))
            #expect(opened.object["payload"] == nil)
            let revealed = try await open(folder, token, kind: kind, ["--reveal"])
            #expect(revealed.object["applicationPrimaryAccountNumber"]?.string?.contains("•") == false)
            #expect(revealed.object["payload"]?.object != nil)
        }
    }

    /// Apple's portal hands out DER, and openssl writes either.
    @Test func certificateKeyAndRootMayBeDER() async throws {
        try await inFolder { folder in
            let token = try await make(folder)
            let wallet = folder.appendingPathComponent("wallet")
            for name in ["merchant-ec.cert.pem", "merchant-ec.key.pem", "root.pem"] {
                let file = wallet.appendingPathComponent(name)
                let block = try #require(try PEMText(String(contentsOf: file, encoding: .utf8)).blocks.first)
                try Data(block.bytes).write(to: file)
                let opened = try await open(folder, token)
                #expect(opened.exitCode == 0, "\(name): \(opened.text)")
            }
            try Data([0x30, 0x82, 0x01, 0x00]).write(to: wallet.appendingPathComponent("merchant-ec.cert.pem"))
            await #expect(throws: (any Error).self) { try await open(folder, token) }
        }
    }

    @Test(arguments: [
        ("no-signing-time", "signing-time-missing"), ("embedded-other-content", "embedded-content"),
        ("flipped-data", "message-digest-mismatch"),
    ])
    func refusalNamesTheRule(flaw: String, code: String) async throws {
        try await inFolder { folder in
            let refused = try await open(folder, make(folder, ["--flaw", flaw, "--native"]))
            #expect(refused.exitCode == 1)
            #expect(refused.object["error"]?.object?["code"]?.string == code)
            #expect(refused.text.contains(code))
        }
    }

    @Test func staleTokenIsRefusedUnlessAnyAgeIsAllowed() async throws {
        try await inFolder { folder in
            let token = try await make(folder)
            let stale = try await open(folder, token, ["--at", "2026-11-20T13:00:00Z"])
            #expect(stale.object["error"]?.object?["code"]?.string == "token-stale")
            #expect(try await open(folder, token, ["--at", "2026-11-20T13:00:00Z", "--any-age"]).exitCode == 0)
        }
    }

    @Test func doctorNamesTheFaultAndStaysQuietOtherwise() async throws {
        try await inFolder { folder in
            let wallet = folder.appendingPathComponent("wallet")
            func files(_ token: String) -> [String] {
                [token] + ["merchant-rsa.cert.pem", "merchant-rsa.key.pem", "root.pem"].map { wallet.appendingPathComponent($0).path }
                    + ["--at", Self.signedAt]
            }
            let good = try await reply(DoctorCommand.self, files(make(folder, ["--version", "RSA_v1"])))
            #expect(good.exitCode == 0, "\(good.text)")
            #expect(good.text.contains("nothing wrong was found"))
            let bad = try await reply(DoctorCommand.self, files(make(folder, ["--version", "RSA_v1", "--flaw", "oaep-mask-sha1"])))
            #expect(bad.exitCode == 1)
            #expect(bad.object["error"]?.object?["code"]?.string == "apple-pay.oaep-hash")
        }
    }

    /// What a stranger wrote is shown, and drives no terminal.
    @Test func strangersTextIsPrintedWithoutItsControls() async throws {
        try await inFolder { folder in
            let file = folder.appendingPathComponent("request.json").path
            let text =
                #"{"merchantIdentifier":"merchant.x\u001b[2J\u001b]0;owned\u0007\u202e","countryCode":"CN","currencyCode":"CNY","#
                + #""supportedNetworks":["visa\u009b31m"],"merchantCapabilities":["threeDSecure"],"paymentSummaryItems":[]}"#
            try Data(text.utf8).write(to: URL(fileURLWithPath: file))
            for reply in [try await reply(DoctorCommand.self, [file]), try await reply(LintRequest.self, [file])] {
                #expect(reply.exitCode == 1)
                let hostile = reply.text.unicodeScalars.filter {
                    $0 != "\n" && [.control, .format].contains($0.properties.generalCategory)
                }
                #expect(hostile.isEmpty, "\(hostile)")
            }
        }
    }

    @Test func filesOfOneNameAreToldApartAndUnknownOnesNamed() async throws {
        try await inFolder { folder in
            let wallet = folder.appendingPathComponent("wallet")
            let token = try await make(folder)
            var files: [String] = []
            for (name, bytes) in [("one", try Data(contentsOf: URL(fileURLWithPath: token))), ("two", Data("garbage".utf8))] {
                let place = folder.appendingPathComponent(name)
                try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
                files.append(place.appendingPathComponent("t.json").path)
                try bytes.write(to: place.appendingPathComponent("t.json"))
            }
            let answer = try await reply(
                DoctorCommand.self, files + [wallet.appendingPathComponent("root.pem").path, "--at", Self.signedAt])
            let identified = answer.object["identified"]?.array?.compactMap(\.object) ?? []
            #expect(identified.first { $0["artifact"]?.string == files[0] }?["kind"]?.string == "apple-pay.token")
            #expect(identified.first { $0["artifact"]?.string == files[1] }?["kind"]?.string == "unknown")
            #expect(answer.object["findings"]?.array?.compactMap { $0.object?["subject"]?.string } == [files[1]])
            #expect(!answer.text.contains("nothing wrong"))
        }
    }

    @Test func rootFileWithoutACertificateIsRefused() async throws {
        try await inFolder { folder in
            let token = try await make(folder)
            let key = folder.appendingPathComponent("wallet/merchant-ec.key.pem").path
            do {
                _ = try await open(folder, token, ["--root", key])
                Issue.record("a key was taken for a root")
            } catch let failure as CommandFailure { #expect(failure.code == "unreadable-file") }
        }
    }

    @Test func madeKeysAreTheirOwnersAlone() async throws {
        try await inFolder { folder in
            _ = try await make(folder)
            let wallet = folder.appendingPathComponent("wallet")
            func mode(_ url: URL) throws -> Int? { try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions] as? Int }
            #expect(try mode(wallet) == 0o700)
            let keys = try FileManager.default.contentsOfDirectory(at: wallet, includingPropertiesForKeys: nil).filter {
                $0.lastPathComponent.contains("key.pem")
            }
            #expect(keys.count > 1)
            for key in keys { #expect(try mode(key) == 0o600, "\(key.lastPathComponent)") }
        }
    }

    @Test func lintNamesTheRule() async throws {
        try await inFolder { folder in
            let file = folder.appendingPathComponent("request.json")
            let request = PaymentRequest(
                merchantIdentifier: "merchant.example.shop", countryCode: "CN", currencyCode: "CNY", supportedNetworks: [.chinaUnionPay],
                merchantCapabilities: [.threeDSecure], paymentSummaryItems: [.init(label: "Example Shop", amount: "33.00")])
            try Data(JSONWriter.write(request.json)).write(to: file)
            let refused = try await reply(LintRequest.self, [file.path])
            #expect(refused.exitCode == 1)
            #expect(refused.object["error"]?.object?["code"]?.string == "apple-pay.request.emv-missing")
        }
    }

    @Test func wrongUsageIsNotARefusal() async throws {
        await #expect(throws: CommandFailure.self) { try await reply(LintRequest.self, ["/nonexistent.json"]) }
        await #expect(throws: CommandFailure.self) {
            try await reply(MakeToken.self, ["--authority", "/tmp", "--signed-at", "yesterday"])
        }
    }
}
