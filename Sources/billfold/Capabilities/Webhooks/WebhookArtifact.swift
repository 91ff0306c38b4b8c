import BillfoldDiagnosis
import BillfoldJSON
import Foundation
import PaymentCrypto

/// A webhook as it came: headers, an empty line and the body's exact bytes, with or without the request's first line (docs/webhooks.md).
struct WebhookArtifact {
    static let id = "webhook-id"
    static let timestamp = "webhook-timestamp"
    static let signature = "webhook-signature"

    let name: String
    let headers: [(name: String, value: String)]
    let body: [UInt8]

    /// Nil for what has no header of a webhook.
    init?(_ artifact: Artifact) {
        guard artifact.bytes.count <= 1_048_576, let end = Self.headEnd(artifact.bytes) else { return nil }
        name = artifact.name
        let head = String(decoding: artifact.bytes[..<end.lowerBound], as: UTF8.self)
        headers = head.split(whereSeparator: \.isNewline).compactMap { line in
            guard let colon = line.firstIndex(of: ":") else { return nil }
            let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
            return (line[..<colon].lowercased(), value)
        }
        body = Array(artifact.bytes[end.upperBound...])
        guard headers.contains(where: { $0.name.hasPrefix("webhook-") || $0.name.hasPrefix("svix-") }) else { return nil }
    }

    private static func headEnd(_ bytes: [UInt8]) -> Range<Int>? {
        for index in bytes.indices where bytes[index] == 0x0A {
            if index + 1 < bytes.count, bytes[index + 1] == 0x0A { return index..<(index + 2) }
            if index + 2 < bytes.count, bytes[index + 1] == 0x0D, bytes[index + 2] == 0x0A { return index..<(index + 3) }
        }
        return nil
    }

    func value(_ name: String) -> String? { headers.first { ExactText.equal($0.name, name) && !$0.value.isEmpty }?.value }

    var json: JSONValue? { try? JSONReader.read(body, maximumBytes: 1_048_576) }

    /// The event's own name for itself.
    var eventID: String? { json?["id"]?.string }
}

/// An endpoint's secret, as the answer that told it has it, or alone.
struct WebhookSecret {
    static let prefix = "whsec_"

    let name: String
    /// With or without its prefix, as the file has it.
    let text: String
    let bytes: [UInt8]

    /// Nil for what is none. A text of base64 without the prefix is one only beside a webhook.
    init?(_ artifact: Artifact, besideWebhook: Bool) {
        guard artifact.bytes.count <= 16_384, let whole = String(utf8: artifact.bytes) else { return nil }
        let told = (try? JSONReader.readObject(artifact.bytes, maximumBytes: 16_384))?["secret"]?.string
        text = (told ?? whole).trimmingCharacters(in: .whitespacesAndNewlines)
        guard text.hasPrefix(Self.prefix) || besideWebhook && told == nil && (32...128).contains(text.utf8.count) else { return nil }
        let base64 = text.hasPrefix(Self.prefix) ? String(text.dropFirst(Self.prefix.count)) : text
        guard let bytes = try? StrictBase64.decode(base64), (16...96).contains(bytes.count) else { return nil }
        (name, self.bytes) = (artifact.name, bytes)
    }

    /// What a verifier may have taken for the key, the right one first.
    var keys: [(key: [UInt8], slip: String?)] {
        let bare = text.hasPrefix(Self.prefix) ? String(text.dropFirst(Self.prefix.count)) : text
        return [
            (bytes, nil), (Array((Self.prefix + bare).utf8), "the whole text, \(Self.prefix) and all"),
            (Array(bare.utf8), "the text behind \(Self.prefix), as it stands"),
        ]
    }
}
