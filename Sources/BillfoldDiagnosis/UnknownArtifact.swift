/// What can be said of an artifact that no diagnostician knows: what its bytes are, and what they were held against.
struct UnknownArtifact {
    let artifact: Artifact
    /// What the diagnosticians judge.
    let tried: [String]

    private enum Content {
        case empty
        case text(String)
        case binary(String?)
    }

    var identification: Diagnosis.Identification {
        .init(artifact: artifact.name, kind: "unknown", summary: "\(summary): nothing that a diagnostician knows")
    }

    var finding: Finding {
        var evidence: [Finding.Evidence] = [.init("bytes", String(artifact.bytes.count)), .init("content", summary)]
        if case .binary = content { evidence.append(.init("first bytes", firstBytes)) }
        if !tried.isEmpty { evidence.append(.init("tried as", tried.joined(separator: "; "))) }
        return Finding(
            code: "unknown-artifact", severity: .warning, subject: artifact.name, cause: cause, evidence: evidence, mend: mend)
    }

    private var summary: String {
        switch content {
        case .empty: "an empty file"
        case .text(let form): form
        case .binary(let form): form ?? "binary data"
        }
    }

    private var cause: String {
        if case .empty = content { return "The file holds nothing, so there was nothing to judge." }
        return "Nobody could read this file, so nothing in it was judged."
    }

    private var mend: String {
        if case .empty = content { return "Look at how the file was written: what was to be in it got lost before it was handed over." }
        return "Hand over the file as it was received: a token, message, request, log, certificate or key."
    }

    private var content: Content {
        guard !artifact.bytes.isEmpty else { return .empty }
        if let form = Self.signatures.first(where: { artifact.bytes.starts(with: $0.bytes) })?.form { return .binary(form) }
        let text = String(decoding: artifact.bytes, as: UTF8.self)
        guard text.utf8.elementsEqual(artifact.bytes), text.unicodeScalars.allSatisfy(Self.isOfText) else {
            return .binary(nil)
        }
        guard let first = text.unicodeScalars.first(where: { !$0.properties.isWhitespace }) else { return .text("white space") }
        switch first {
        case "{", "[": return .text("text that looks like JSON")
        case "<": return .text("text that looks like XML or HTML")
        default: return .text("text")
        }
    }

    private var firstBytes: String {
        artifact.bytes.prefix(8).map { byte in
            let digits = String(byte, radix: 16, uppercase: true)
            return digits.count == 1 ? "0\(digits)" : digits
        }.joined(separator: " ")
    }

    private static func isOfText(_ scalar: Unicode.Scalar) -> Bool {
        ["\t", "\n", "\r", "\u{FEFF}"].contains(scalar) || scalar.properties.generalCategory != .control
    }

    /// How files begin that people hand over by mistake.
    private static let signatures: [(bytes: [UInt8], form: String)] = [
        ([0x50, 0x4B, 0x03, 0x04], "a ZIP archive"), ([0x1F, 0x8B], "data packed by gzip"), ([0x25, 0x50, 0x44, 0x46], "a PDF document"),
        ([0x89, 0x50, 0x4E, 0x47], "a PNG picture"), ([0xFF, 0xD8, 0xFF], "a JPEG picture"), ([0x7F, 0x45, 0x4C, 0x46], "a program"),
        (Array("SQLite format 3".utf8), "a SQLite store, which db check knows"),
    ]
}
