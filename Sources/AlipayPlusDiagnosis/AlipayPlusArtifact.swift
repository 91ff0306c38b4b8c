import BillfoldJSON

/// An HTTP request or answer of Alipay+ as a file: its first line, headers, an empty line, and the body's exact bytes.
package struct AlipayPlusArtifact {
    package enum Kind {
        case request
        case answer
    }

    package var kind: Kind
    /// Empty for an answer, whose path is its request's.
    package var target: String
    /// Of an answer.
    package var status: Int?
    package var headers: [(name: String, value: String)]
    package var body: [UInt8]

    /// Nil for bytes that are no such message.
    package init?(_ bytes: [UInt8]) {
        self.init(http: bytes)
        guard value("client-id") != nil || value("signature") != nil else { return nil }
    }

    /// Any HTTP message, such as what a receiver answers to a notification.
    init?(http bytes: [UInt8]) {
        guard bytes.count <= 1_048_576, let end = Self.headEnd(bytes) else { return nil }
        let head = String(decoding: bytes[..<end.lowerBound], as: UTF8.self)
        let lines = head.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(String.init)
        guard let first = lines.first else { return nil }
        let words = first.split(separator: " ").map(String.init)
        if first.hasPrefix("HTTP/") {
            (kind, target, status) = (.answer, "", words.count > 1 ? Int(words[1]) : nil)
        } else if words.count == 3, words[2].hasPrefix("HTTP/") {
            (kind, target) = (.request, words[1])
        } else {
            return nil
        }
        headers = lines.dropFirst().compactMap { line in
            guard let colon = line.firstIndex(of: ":") else { return nil }
            return (String(line[..<colon]), String(line[line.index(after: colon)...].drop { $0 == " " }))
        }
        body = Array(bytes[end.upperBound...])
    }

    private static func headEnd(_ bytes: [UInt8]) -> Range<Int>? {
        for index in bytes.indices where bytes[index] == 0x0A {
            if index + 1 < bytes.count, bytes[index + 1] == 0x0A { return index..<(index + 2) }
            if index + 2 < bytes.count, bytes[index + 1] == 0x0D, bytes[index + 2] == 0x0A { return index..<(index + 3) }
        }
        return nil
    }

    /// A header, whatever its letter case.
    package func value(_ name: String) -> String? { headers.first { $0.name.lowercased() == name }?.value }

    package var clientID: String { value("client-id") ?? "" }
    var timeText: String { value(kind == .request ? "request-time" : "response-time") ?? "" }
    var json: JSONObject? { try? JSONReader.readObject(body, maximumBytes: 1_048_576) }

    /// The host that the request went to: that of an absolute target, or of the header.
    var host: String? {
        guard let slashes = target.firstRange(of: "://") else { return value("host") }
        return String(target[slashes.upperBound...].prefix { $0 != "/" })
    }
}
