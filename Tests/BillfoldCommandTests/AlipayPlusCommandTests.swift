import AlipayPlus
import ApplePay
import ArgumentParser
import BillfoldDiagnosis
import BillfoldJSON
import BillfoldTestSupport
import Foundation
import PaymentCrypto
import Testing

@testable import billfold

/// The Alipay+ commands on their own messages, on recorded ones, and on what a stranger would send.
final class AlipayPlusCommandTests {
    private let folder: URL
    private let key: RSAPrivateKey
    private let body = #"{"paymentRequestId":"R-1"}"#

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("alipay-plus-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        key = try RSAPrivateKey(bits: 2048)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private func file(_ name: String, _ text: String) throws -> String {
        let path = folder.appendingPathComponent(name).path
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        return path
    }

    private func privateKey() throws -> String {
        try file("key.pem", PEMText.Block(label: "PRIVATE KEY", bytes: PrivateKey.rsa(key).pkcs8).text)
    }

    private func publicKey() throws -> String {
        try file("key.pub", PEMText.Block(label: "PUBLIC KEY", bytes: key.publicKey.subjectPublicKeyInfo).text)
    }

    private func run(_ command: some ReplyingCommand) async throws -> CommandReply { try await command.reply() }

    private func refusal(_ body: () async throws -> CommandReply) async -> CommandFailure? {
        do {
            _ = try await body()
            return nil
        } catch { return CommandFailure(error) }
    }

    private func signed(_ extra: String...) async throws -> CommandReply {
        try await run(
            AlipayPlusSign.parse(
                [
                    file("body.json", body), "--key", privateKey(), "--path", "/aps/api/v1/payments/pay", "--client-id", "SANDBOX_1",
                    "--time",
                    "2026-03-01T10:15:30+08:00",
                ] + extra))
    }

    @Test func signedRequestIsVerified() async throws {
        let signed = try await signed()
        #expect(signed.object["signedText"]?.string == "POST /aps/api/v1/payments/pay\nSANDBOX_1.2026-03-01T10:15:30+08:00.\(body)")
        #expect(signed.text.hasPrefix("POST /aps/api/v1/payments/pay HTTP/1.1\r\n") && signed.text.hasSuffix("\r\n\r\n\(body)"))
        let request = try file("request.http", signed.text)
        let verified = try await run(
            AlipayPlusVerify.parse([request, "--key", publicKey(), "--at", "2026-03-01T02:19:30Z"]))
        #expect(verified.object["outcome"]?.string == "verified" && verified.object["clientId"]?.string == "SANDBOX_1")
        #expect(verified.object["signedText"]?.string == signed.object["signedText"]?.string)
        #expect(verified.text.contains("verified with key version 1"))
        let late = await refusal {
            try await run(AlipayPlusVerify.parse([request, "--key", publicKey(), "--at", "2026-03-01T02:21:30Z"]))
        }
        #expect(late?.code == "stale-time" && late?.exitCode == 1)
    }

    @Test func signedRequestIsSignedAgainAsAFile() async throws {
        let request = try file("request.http", try await signed().text)
        let again = try await run(
            AlipayPlusSign.parse([request, "--key", privateKey(), "--key-version", "2", "--time", "2026-03-01T10:16:30+08:00"]))
        #expect(again.object["headers"]?["client-id"]?.string == "SANDBOX_1" && again.object["path"]?.string == "/aps/api/v1/payments/pay")
        #expect(again.object["headers"]?["signature"]?.string?.hasPrefix("algorithm=RSA256,keyVersion=2,signature=") == true)
        let other = try file("again.http", again.text)
        let failure = await refusal { try await run(AlipayPlusVerify.parse([other, "--key", publicKey(), "--key-version", "1"])) }
        #expect(failure?.code == "unknown-key-version")
    }

    @Test func answerIsSignedAndVerifiedWithThePathOfItsRequest() async throws {
        let answer = try file("answer.http", try await signed("--answer").text)
        let path = "/aps/api/v1/payments/pay"
        let verified = try await run(AlipayPlusVerify.parse([answer, "--key", publicKey(), "--path", path]))
        #expect(verified.object["path"]?.string == path)
        #expect(await refusal { try await run(AlipayPlusVerify.parse([answer, "--key", publicKey()])) }?.exitCode == 64)
        let other = await refusal { try await run(AlipayPlusVerify.parse([answer, "--key", publicKey(), "--path", path + "x"])) }
        #expect(other?.code == "signature-mismatch" && other?.exitCode == 1)
    }

    /// What the wallets of a payment sheet need counts, and nothing else: no word of Alipay's own client, and none that nothing was judged.
    @Test func doctorJudgesAPropertyListByThePaymentSheetsWallets() async throws {
        let wallets = ["gcash", "alipayhk"].map {
            #"{"walletName":"\#($0.uppercased())","redirectionInfo":{"schemeUrl":"\#($0)://pay"}}"#
        }
        let data =
            #"{"version":1,"environment":"SANDBOX","paymentId":"P","merchantId":"M","acquirerId":"A","expiryTime":"2026-01-02T03:14:05Z","#
            + #""sheetUrl":"https://sheet.example/","wallets":[\#(wallets.joined(separator: ","))]}"#
        func doctor(_ queries: [String], _ arguments: String...) async throws -> (code: Int32, text: String) {
            let list = queries.map { "<string>\($0)</string>" }.joined()
            let entries = "<key>LSApplicationQueriesSchemes</key><array>\(list)</array>"
            let plist = #"<?xml version="1.0"?><plist version="1.0"><dict>\#(entries)</dict></plist>"#
            let reply = try await run(
                DoctorCommand.parse([file("Info.plist", plist), file("data.json", data), "--at", "2026-01-02T03:00:00Z"] + arguments))
            return (reply.exitCode, reply.text)
        }
        let sound = try await doctor(["gcash", "alipayhk"])
        #expect(sound.code == 0 && !sound.text.contains("app-scheme-unknown"), "\(sound.text)")
        let missing = try await doctor(["alipayhk"], "--app-scheme", "teashop")
        #expect(missing.code == 1, "\(missing.text)")
        for code in ["alipay-plus-app.query-scheme-missing", "alipay-plus-app.return-scheme-unregistered"] {
            #expect(missing.text.contains(code), "\(missing.text)")
        }
        #expect(!missing.text.contains("alipay-app."), "\(missing.text)")
        // An app that also pays by Alipay's own client asks for its wallet.
        #expect(
            try await doctor(["gcash", "alipayhk", "alipay"], "--app-scheme", "teashop").text.contains("alipay-app.scheme-unregistered"))
    }

    @Test func doctorSaysWhichKeyVersionFits() async throws {
        let request = try file("request.http", try await signed().text)
        let other = try file(
            "client-v1.pub", PEMText.Block(label: "PUBLIC KEY", bytes: try RSAPrivateKey(bits: 2048).publicKey.subjectPublicKeyInfo).text)
        func doctor(_ arguments: String...) async throws -> CommandReply { try await run(DoctorCommand.parse([request] + arguments)) }
        let named = try await doctor(other, "--key", "2=\(publicKey())", "--key", "1=\(other)")
        #expect(named.exitCode == 1 && named.object["error"]?["code"]?.string == "alipay-plus.key-version")
        #expect(
            named.object["error"]?["reason"]?.string == "The message names key version 1, and the key of version 2 made its signature.")
        #expect(try await doctor("--key", "1=\(publicKey())").exitCode == 0)
        for wrong in ["client.pem", "x=client.pem", "=client.pem", "1=", "-1=client.pem"] {
            #expect(await refusal { try await run(DoctorCommand.parse([request, "--key=\(wrong)"])) }?.exitCode == 64, "\(wrong)")
        }
        #expect(await refusal { try await run(DoctorCommand.parse([request, "--key", "1=a.pem", "--key", "2=a.pem"])) }?.exitCode == 64)
    }

    @Test func changedByteIsRefused() async throws {
        let request = try file("request.http", try await signed().text.replacing("R-1", with: "R-2"))
        let failure = await refusal { try await run(AlipayPlusVerify.parse([request, "--key", publicKey()])) }
        #expect(failure?.code == "signature-mismatch" && failure?.exitCode == 1)
    }

    private struct Recorded: Decodable {
        struct Request: Decodable {
            var requestLine: String
            var headers: [[String]]
            var bodyUtf8: String
        }
        struct Keys: Decodable {
            struct Pair: Decodable { var publicPem: String }
            var acqp: Pair
        }
        var requests: [Request]?
        var keys: Keys?
    }

    @Test(.enabled(if: Vectors.available("alipay-plus-acquirer/captured-client-requests.json")))
    func recordedRequestsAreVerifiedAsTheyAre() async throws {
        let folder = "alipay-plus-acquirer/"
        let recorded = try Vectors.json(folder + "captured-client-requests.json", as: Recorded.self)
        let keys = try #require(try Vectors.json(folder + "signature-vectors.json", as: Recorded.self).keys)
        let pem = try file("acqp.pub", keys.acqp.publicPem)
        for request in try #require(recorded.requests) {
            let lines = [request.requestLine] + request.headers.map { $0.joined(separator: ": ") }
            let path = try file("request.http", lines.joined(separator: "\r\n") + "\r\n\r\n" + request.bodyUtf8)
            let verified = try await run(AlipayPlusVerify.parse([path, "--key", pem]))
            #expect(verified.object["clientId"]?.string == "SANDBOX_SHARED0000001")
        }
    }

    @Test func wrongInputIsSaidToBeWrong() async throws {
        let request = try file("body.json", body)
        let noPath = await refusal { try await run(AlipayPlusSign.parse([request, "--key", privateKey(), "--client-id", "C"])) }
        #expect(noPath?.exitCode == 64)
        let noClient = await refusal { try await run(AlipayPlusSign.parse([request, "--key", privateKey(), "--path", "/a"])) }
        #expect(noClient?.exitCode == 64)
        let badTime = await refusal { try await signed("--time", "soon") }
        #expect(badTime?.code == "wrong-instant" && badTime?.exitCode == 64)
        let badKey = await refusal {
            try await run(AlipayPlusSign.parse([request, "--key", request, "--path", "/a", "--client-id", "C"]))
        }
        #expect(badKey?.exitCode == 1)
        #expect(await refusal { try await run(AlipayPlusVerify.parse([request, "--key", publicKey()])) }?.code == "malformed-message")
        #expect(throws: (any Error).self) { try AlipayPlusSign.parse([request, "--key", "k", "--key-version", "-1"]) }
    }

    @Test(arguments: [
        ("https://gqr.alipay.com/281017040012rqWv0ch7G7Q5AZ5AZJOv4Igf", "order-code", "prefix", "281017040012"),
        ("251001020123456789012345", "payment-code", "issuer", "251001"),
        ("https://pay.shop.example/s/1", "entry-code", "host", "pay.shop.example"),
    ])
    func codesAreTakenApart(text: String, kind: String, name: String, value: String) async throws {
        let reply = try await run(AlipayPlusDecodeCode.parse([text, "--entry-domain", "shop.example"]))
        #expect(reply.object["outcome"]?.string == "decoded" && reply.object["kind"]?.string == kind && reply.object[name]?.string == value)
        #expect(reply.text.hasPrefix(kind))
    }

    @Test func paymentCodeIsMaskedUntilItIsRevealed() async throws {
        let text = "251001020123456789012345"
        let masked = try await run(AlipayPlusDecodeCode.parse([text]))
        #expect(!masked.text.contains("0123456789012345") && !JSONValue.object(masked.object).text.contains("0123456789012345"))
        let revealed = try await run(AlipayPlusDecodeCode.parse([text, "--reveal"]))
        #expect(revealed.object["number"]?.string == "0123456789012345" && revealed.object["code"]?.string == text)
    }

    @Test func otherTextIsNoCode() async {
        let failure = await refusal { try await run(AlipayPlusDecodeCode.parse(["https://pay.shop.example/s/1"])) }
        #expect(failure?.code == "malformed-code" && failure?.exitCode == 1)
    }
}
