import BillfoldDiagnosis
import Crypto
import Foundation
import PaymentCrypto
import Testing

@testable import billfold

/// A webhook whose signature does not fit: the doctor names the slip that does.
struct WebhookDoctorTests {
    /// Made up for these tests.
    private static let key = [UInt8](0..<32)
    private static let now = Date(timeIntervalSince1970: 1_700_000_000)
    private static let body = #"{"data":{"id":"p","state":"paid"},"id":"evt_1","type":"payment.succeeded"}"#

    private static func code(_ text: String, key: [UInt8] = key) -> [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: Data(text.utf8), using: SymmetricKey(data: key)))
    }

    private static func signature(_ text: String, key: [UInt8] = key) -> String { "v1," + StrictBase64.encode(code(text, key: key)) }

    private static let right = "evt_1.1700000000.\(body)"
    private static let secret = "whsec_" + StrictBase64.encode(key)

    private static func message(
        id: String? = "evt_1", time: String? = "1700000000", signature: String?, body: String = body, more: String = ""
    ) -> Artifact {
        let headers = [("webhook-id", id), ("webhook-timestamp", time), ("webhook-signature", signature)]
            .compactMap { header in header.1.map { "\(header.0): \($0)\r\n" } }.joined()
        return Artifact(name: "hook.http", bytes: Array("POST /hook HTTP/1.1\r\nHost: shop\r\n\(headers)\(more)\r\n\(body)".utf8))
    }

    private static func findings(_ message: Artifact, _ secrets: [String] = [secret]) -> [Finding] {
        let files = secrets.enumerated().map { Artifact(name: "secret-\($0.offset).txt", bytes: Array(($0.element + "\n").utf8)) }
        return Diagnosis(of: [message] + files, by: Capabilities.diagnosticians(DoctorAids(instant: now))).findings
    }

    @Test func whatIsRightIsSaidToBe() throws {
        let other = "whsec_" + StrictBase64.encode([UInt8](32..<64))
        let answer = #"{"id":"we_1","secret":"\#(Self.secret)"}"#
        for secrets in [[Self.secret], [other, Self.secret], [answer], [StrictBase64.encode(Self.key)]] {
            #expect(Self.findings(Self.message(signature: Self.signature(Self.right)), secrets).isEmpty, "\(secrets)")
        }
        let two = Self.signature("older", key: [UInt8](32..<64)) + " " + Self.signature(Self.right)
        #expect(Self.findings(Self.message(signature: two)).isEmpty)
        let diagnosis = WebhookDiagnostician(instant: Self.now).examine([
            Self.message(signature: Self.signature(Self.right)), Artifact(name: "whsec", bytes: Array(Self.secret.utf8)),
        ])
        #expect(diagnosis.identified.map(\.kind) == ["webhook.message", "webhook.secret"])
        #expect(diagnosis.identified.first?.summary.hasSuffix("signed with the secret in whsec") == true)
    }

    /// The example of `docs/webhooks.md`, which a reader hands over as it stands there.
    @Test func theDocumentsExampleIsRightAndOld() {
        let message = Self.message(
            signature: "v1,AxK5yVzVhVOCfx/iGQ4mt0n0VI4s6XmgheYFuIM5NO8=", body: #"{"type":"payment.succeeded"}"#)
        let secret = Artifact(name: "secret.txt", bytes: Array("whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=".utf8))
        let found = WebhookDiagnostician(instant: Date(timeIntervalSince1970: 1_800_000_000)).examine([message, secret]).findings
        #expect(found.map(\.code) == ["webhook.timestamp-old"] && found.first?.severity == .warning)
    }

    private struct Slip: Sendable, CustomStringConvertible {
        var description: String
        var message: Artifact
        init(_ code: String, _ message: Artifact) { (description, self.message) = (code, message) }
    }

    /// With what filters change, and signs that are no ASCII.
    private static let rich = #"{"data":{"id":"p","note":"Tom & Jerry's <茶>"},"id":"evt_1","type":"payment.succeeded"}"#

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("\"", with: "&quot;").replacing("'", with: "&#39;").replacing("<", with: "&lt;")
            .replacing(">", with: "&gt;")
    }

    /// As a server does that takes the bytes of UTF-8 for Latin-1.
    private static func misread(_ text: String) -> String { String(String.UnicodeScalarView(text.utf8.map { Unicode.Scalar($0) })) }

    private static func decoded(_ text: String) -> [UInt8] { (try? StrictBase64.decode(text)) ?? [] }

    private static var carried: [Slip] {
        let good = signature("evt_1.1700000000.\(rich)")
        let quoted = rich.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        return [
            Slip("webhook.body-html-escaped", message(signature: good, body: escaped(rich))),
            Slip("webhook.body-html-escaped", message(signature: good, body: escaped(rich) + "\n")),
            Slip("webhook.body-html-escaped", message(signature: good, body: rich.replacing("&", with: "&amp;"))),
            Slip("webhook.body-quoted", message(signature: good, body: "\"\(quoted)\"")),
            Slip("webhook.body-charset", message(signature: good, body: misread(rich))),
            Slip("webhook.body-charset", message(signature: good, body: "\u{FEFF}\(rich)")),
        ]
    }

    private static var slips: [Slip] {
        let bare = String(secret.dropFirst(6))
        let hexadecimal = code(right).map { String(format: "%02x", $0) }.joined()
        let good = signature(right)
        return [
            Slip("webhook.secret-as-text", message(signature: signature(right, key: Array(secret.utf8)))),
            Slip("webhook.secret-as-text", message(signature: signature(right, key: Array(bare.utf8)))),
            Slip("webhook.secret-prefix-decoded", message(signature: signature(right, key: decoded("whsec/" + bare.dropLast(2))))),
            Slip("webhook.secret-prefix-decoded", message(signature: signature(right, key: decoded("whsec" + bare.dropLast())))),
            Slip("webhook.body-reserialised", message(signature: good, body: body.replacing(":", with: ": ").replacing(",", with: ", "))),
            Slip("webhook.body-line-end", message(signature: good, body: body + "\n")),
            Slip("webhook.signed-text", message(signature: signature(body))),
            Slip("webhook.signed-text", message(signature: signature("1700000000.\(body)"))),
            Slip("webhook.id-altered", message(id: "evt_2", signature: good)),
            Slip("webhook.timestamp-altered", message(time: "1700000007", signature: good)),
            Slip("webhook.header-missing", message(time: nil, signature: nil)),
            Slip("webhook.header-missing", message(signature: nil, more: "X-Webhook-Signature: \(good)\r\n")),
            Slip("webhook.signature-prefix", message(signature: String(good.dropFirst(3)))),
            Slip("webhook.signature-version", message(signature: "v2," + good.dropFirst(3))),
            Slip("webhook.signature-hex", message(signature: hexadecimal)),
            Slip("webhook.signature-hex", message(signature: "v1,\(hexadecimal)")),
            Slip("webhook.signature-hex", message(signature: "sha256=\(hexadecimal)")),
            Slip("webhook.signature-separator", message(signature: "\(good),\(signature("other"))")),
            Slip("webhook.signature-form", message(signature: "v1,short")),
            Slip("webhook.other-secret", message(signature: signature(right, key: [UInt8](32..<64)), more: "webhook-key-id: whk_1\r\n")),
            Slip("webhook.other-secret", message(signature: good, body: body.replacing("paid", with: "open"))),
        ]
    }

    @Test func everySlipIsNamed() {
        for slip in Self.slips + Self.carried {
            let found = Self.findings(slip.message)
            #expect(Set(found.map(\.code)) == [slip.description], "\(slip): \(found)")
            #expect(found.allSatisfy { $0.severity == .defect && !"\($0)".contains(Self.secret.dropFirst(6)) }, "\(slip)")
        }
    }

    @Test func theTimestampsFormAndTwoSlipsAtOnceAreNamed() {
        let milliseconds = Self.message(time: "1700000000000", signature: Self.signature(Self.right))
        #expect(Set(Self.findings(milliseconds).map(\.code)) == ["webhook.timestamp-form", "webhook.timestamp-altered"])
        let ahead = Self.message(time: "1700000301", signature: Self.signature("evt_1.1700000301.\(Self.body)"))
        #expect(Self.findings(ahead).map(\.code) == ["webhook.timestamp-ahead"])
        let both = Self.message(
            signature: Self.signature(Self.right, key: Array(Self.secret.utf8)), body: Self.body.replacing(":", with: ": "))
        #expect(Set(Self.findings(both).map(\.code)) == ["webhook.secret-as-text", "webhook.body-reserialised"])
    }

    /// The message is good, and what its receiver has of the secret is not.
    @Test func aSecretThatIsNotWholeIsNamed() {
        let whole = Self.secret
        let twice: String = whole + String(whole.dropFirst(6).prefix(40))
        let sizes: [String] = [
            String(whole.prefix(46)), String(whole.prefix(48)), String(whole.prefix(30)), String(whole.prefix(15)), twice,
        ]
        let others: [String] = ["\(whole.prefix(20))…", whole.replacing("=", with: "%3D"), "\(whole.dropLast(2))9="]
        let good = Self.message(signature: Self.signature(Self.right))
        for (code, secrets) in [("webhook.secret-size", sizes), ("webhook.secret-base64", others)] {
            for secret in secrets {
                let found = Self.findings(good, [secret])
                #expect(found.map(\.code) == [code], "\(secret): \(found)")
                #expect(found.allSatisfy { $0.severity == .defect && $0.subject == "secret-0.txt" }, "\(secret)")
                #expect(!"\(found)".contains(secret.dropFirst(6)), "\(secret)")
                // Alone, too: it need not wait for a message.
                let alone = Artifact(name: "secret.txt", bytes: Array(secret.utf8))
                let said = WebhookDiagnostician(instant: Self.now).examine([alone])
                #expect(said.findings.first?.code == code && said.identified.map(\.kind) == ["webhook.secret"], "\(secret)")
            }
        }
        // Beside the one that signed, what cannot be read is still said.
        #expect(Self.findings(good, [whole, sizes[1]]).map(\.code) == ["webhook.secret-size"])
        #expect(Self.findings(good, [whole, sizes[0]]).isEmpty)
    }

    /// Read all the same, so that what else is wrong is seen.
    @Test func aSecretThatIsWrittenAnotherWayIsNamed() {
        // A key whose base64 has the signs that alphabets differ in.
        let key = [UInt8](repeating: 0xFB, count: 31) + [0xFF]
        let whole = "whsec_" + StrictBase64.encode(key)
        let good = Self.message(signature: Self.signature(Self.right, key: key))
        let forms = [
            "\"\(whole)\"", String(whole.dropLast()), whole.replacing("+", with: "-").replacing("/", with: "_"),
            "\(whole.prefix(30))\n\(whole.dropFirst(30))",
        ]
        for form in forms {
            let found = Self.findings(good, [form])
            #expect(found.map(\.code) == ["webhook.secret-form"], "\(form): \(found)")
            #expect(found.allSatisfy { $0.severity == .defect && !"\($0)".contains(whole.dropFirst(6).prefix(20)) })
        }
        #expect(Self.findings(good, [whole]).isEmpty)
        let other = Self.findings(Self.message(signature: Self.signature(Self.right)), [String(whole.dropLast())])
        #expect(Set(other.map(\.code)) == ["webhook.secret-form", "webhook.other-secret"])
    }

    @Test func halfOfItIsSaidToBeHalf() {
        #expect(Self.findings(Self.message(signature: Self.signature(Self.right)), []).map(\.code) == ["webhook.no-secret"])
        let alone = Artifact(name: "secret.txt", bytes: Array(Self.secret.utf8))
        #expect(WebhookDiagnostician(instant: Self.now).examine([alone]).findings.map(\.code) == ["webhook.no-message"])
    }

    @Test func everyFindingHasItsRowInTheDocument() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let page = try String(contentsOf: root.appendingPathComponent("docs/webhooks.md"), encoding: .utf8)
        let secrets = ["webhook.secret-size", "webhook.secret-base64", "webhook.secret-form"]
        for code in (Self.slips + Self.carried).map(\.description) + secrets + WebhookSignatures.Form.allCases.map(\.rawValue) {
            #expect(page.contains("`\(code)`"), "\(code)")
        }
    }
}
