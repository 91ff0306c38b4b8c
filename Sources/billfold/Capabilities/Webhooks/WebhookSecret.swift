import BillfoldDiagnosis
import BillfoldJSON
import Foundation
import PaymentCrypto

/// An endpoint's secret, as the answer that told it has it, or alone (docs/webhooks.md).
struct WebhookSecret {
    static let prefix = "whsec_"
    /// What a secret has that is told here; Standard Webhooks allows 24 to 64.
    static let size = 32
    private static let allowed = 24...64

    /// A key that a verifier took in place of the right one.
    struct KeySlip {
        var code: String
        var cause: String
        /// What the key was.
        var what: String
    }

    let name: String
    /// What stands behind the prefix, as the file has it.
    let bare: String
    let bytes: [UInt8]
    /// What a strict verifier refuses about how the secret is written; nil where it is written well.
    let form: String?

    /// What a verifier may have taken for the key, the right one first.
    var keys: [(key: [UInt8], slip: KeySlip?)] {
        let text = (code: "webhook.secret-as-text", cause: "The secret's text was the key, in place of the bytes that it stands for.")
        let front = (
            code: "webhook.secret-prefix-decoded",
            cause: "The prefix was decoded with the base64 behind it, so other bytes were the key than the secret's."
        )
        let whole = Self.prefix + bare
        var keys: [(key: [UInt8], slip: KeySlip?)] = [(bytes, nil)]
        func add(_ key: [UInt8]?, _ mistake: (code: String, cause: String), what: String) {
            guard let key, !key.isEmpty else { return }
            keys.append((key, KeySlip(code: mistake.code, cause: mistake.cause, what: what)))
        }
        add(Array(whole.utf8), text, what: "the whole text, \(Self.prefix) and all")
        add(Array(bare.utf8), text, what: "the text behind \(Self.prefix), as it stands")
        add(Self.generous(whole), front, what: "the whole text decoded, _ taken for / as in URL-safe base64")
        add(Self.generous(whole.replacing("_", with: "")), front, what: "the whole text decoded, _ passed over")
        return keys
    }

    /// A file that is a secret, whole or not.
    enum Reading {
        case whole(WebhookSecret)
        /// It names what is wrong with it; no key can be had of it.
        case broken(Finding)
    }

    /// Nil for what is none. A text of base64 without the prefix is one only beside a webhook.
    static func reading(_ artifact: Artifact, besideWebhook: Bool) -> Reading? {
        guard artifact.bytes.count <= 16_384, let content = String(utf8: artifact.bytes) else { return nil }
        let told = (try? JSONReader.readObject(artifact.bytes, maximumBytes: 16_384))?["secret"]?.string
        let text = (told ?? content).trimmingCharacters(in: .whitespacesAndNewlines)
        let marks = CharacterSet(charactersIn: "\"'`")
        let unquoted = text.trimmingCharacters(in: marks)
        guard unquoted.hasPrefix(prefix) else {
            guard besideWebhook, told == nil, (32...128).contains(text.utf8.count) else { return nil }
            guard let bytes = try? StrictBase64.decode(text), allowed.contains(bytes.count) else { return nil }
            return .whole(WebhookSecret(name: artifact.name, bare: text, bytes: bytes, form: nil))
        }
        guard unquoted.utf8.count <= 512 else { return nil }
        let bare = String(unquoted.dropFirst(prefix.count))
        let isQuoted = !ExactText.equal(unquoted, text)
        if let bytes = try? StrictBase64.decode(bare), allowed.contains(bytes.count) {
            return .whole(
                WebhookSecret(name: artifact.name, bare: bare, bytes: bytes, form: isQuoted ? "quotation marks stand round it" : nil))
        }
        return written(bare, in: artifact.name)
    }

    /// A secret that strict base64 refuses: the slip in how it is written, or what is lost.
    private static func written(_ bare: String, in name: String) -> Reading {
        if let (place, sign) = bare.unicodeScalars.enumerated().first(where: { !isOfBase64($0.element) }) {
            let code = String(sign.value, radix: 16, uppercase: true)
            return .broken(noBase64(name, .init("first sign that is none", "at place \(place + 1) behind \(prefix), U+\(code)")))
        }
        let letters = bare.unicodeScalars.filter { $0 != "=" && !$0.properties.isWhitespace }.count
        let isWhole = letters * 6 / 8 == size || letters % 4 == 0 && allowed.contains(letters * 6 / 8)
        guard letters % 4 != 1, isWhole else { return .broken(wrongSize(name, bytes: letters * 6 / 8)) }
        guard let bytes = generous(bare) else { return .broken(noBase64(name, .init("behind the last byte", "bits that no byte takes"))) }
        let form =
            if bare.contains(where: { "-_".contains($0) }) {
                "it is in the alphabet of URLs, with - and _"
            } else if bare.contains(where: \.isWhitespace) {
                "there are blanks or line ends in it"
            } else {
                "the = at its end is not as base64 has it"
            }
        return .whole(WebhookSecret(name: name, bare: bare, bytes: bytes, form: form))
    }

    private static func noBase64(_ name: String, _ evidence: Finding.Evidence) -> Finding {
        Finding(
            code: "webhook.secret-base64", subject: name, cause: "What stands behind whsec_ is no base64.", evidence: [evidence],
            mend:
                "Copy the secret whole from the answer to making the endpoint or its rotation: letters, digits, + and /, with = at the end. A place holder or an encoding on the way puts other signs into it."
        )
    }

    static func wrongSize(_ name: String, bytes: Int, severity: Finding.Severity = .defect) -> Finding {
        Finding(
            code: "webhook.secret-size", severity: severity, subject: name,
            cause:
                "The secret stands for \(bytes) bytes, and those that are told here for \(size): \(bytes < size ? "a part of it was lost" : "it is too long"), or it is another sender's.",
            evidence: [.init("bytes", String(bytes)), .init("bytes of a whole one", String(size))],
            mend:
                "Copy it whole from the answer to making the endpoint: whsec_ and 44 signs, of which the last is =. A column that is too short, or a double click that stops at + or /, cuts it. If it is lost, rotate the endpoint's secret."
        )
    }

    /// What is said of a secret that could be read, though not as a strict verifier reads it.
    var formFinding: Finding? {
        form.map {
            Finding(
                code: "webhook.secret-form", subject: name,
                cause: "The secret is written so that libraries refuse it, or take another key for it.",
                evidence: [.init("what is wrong", $0)],
                mend:
                    "Keep it as it was told: whsec_ and the base64 behind it on one line, nothing round it, + and / and the = at its end left alone."
            )
        }
    }

    private static func isOfBase64(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "A"..."Z", "a"..."z", "0"..."9", "+", "/", "-", "_", "=": true
        default: scalar.properties.isWhitespace
        }
    }

    /// Base64 as lenient decoders read it: of either alphabet, blanks passed over, filled up by itself; nil where bits are left over.
    private static func generous(_ text: String) -> [UInt8]? {
        var letters = text.filter { !$0.isWhitespace && $0 != "=" }.replacing("-", with: "+").replacing("_", with: "/")
        if letters.utf8.count % 4 == 1 { letters.removeLast() }
        return try? StrictBase64.decode(letters + String(repeating: "=", count: (4 - letters.utf8.count % 4) % 4))
    }
}
