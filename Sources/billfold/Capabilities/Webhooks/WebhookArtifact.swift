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
