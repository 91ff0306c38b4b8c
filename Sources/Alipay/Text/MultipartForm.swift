import BillfoldJSON
import PaymentCrypto

/// A `multipart/form-data` body (RFC 7578), as the legacy services that take a file are called: text parts are parameters.
public struct MultipartForm: Sendable, Hashable {
    /// One section of the body: a parameter, or a file.
    public struct Part: Sendable, Hashable {
        public let name: String
        /// Of a file; none for a parameter.
        public let fileName: String?
        public let bytes: [UInt8]
    }

    /// The most parts that are read.
    public static let maximumCount = 64
    public let parts: [Part]

    /// The media type with its boundary, as a request's head has it; nil where it is another, or its boundary is not one.
    public static func boundary(ofMediaType text: String) -> String? {
        let pieces = text.split(separator: ";", omittingEmptySubsequences: false).map(trimmed)
        guard pieces.first?.lowercased() == "multipart/form-data" else { return nil }
        let found = pieces.dropFirst().filter { $0.lowercased().hasPrefix("boundary=") }
        guard found.count == 1 else { return nil }
        var boundary = found[0].dropFirst("boundary=".count)
        if boundary.first == "\"", boundary.last == "\"", boundary.count >= 2 { boundary = boundary.dropFirst().dropLast() }
        // RFC 2046, section 5.1.1.
        let isRight = (1...70).contains(boundary.utf8.count) && boundary.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f && $0 != 0x22 }
        return isRight ? String(boundary) : nil
    }

    /// Reads a body strictly: CRLF line ends, one `Content-Disposition: form-data` with a quoted name in each part, a closing
    /// delimiter and nothing behind it. `malformed`, `duplicate-key`, `too-large`.
    public init(_ body: [UInt8], boundary: String) throws(AlipayError) {
        guard body.count <= AlipayParameters.maximumLength else {
            throw AlipayError(
                code: .tooLarge, reason: "\(body.count) bytes of parameters, at most \(AlipayParameters.maximumLength) are read")
        }
        let delimiter = Array("\r\n--\(boundary)".utf8)
        // The first delimiter needs no line before it.
        let text = [0x0d, 0x0a] + body
        var parts: [Part] = []
        var place = 0
        guard Self.isAt(delimiter, text, place: place) else { throw Self.malformed("no delimiter begins the body") }
        place += delimiter.count
        while !Self.isAt([0x2d, 0x2d], text, place: place) {
            guard Self.isAt([0x0d, 0x0a], text, place: place) else { throw Self.malformed("a delimiter's line does not end") }
            guard let end = Self.find(delimiter, text, from: place + 2) else { throw Self.malformed("a part does not end") }
            guard parts.count < Self.maximumCount else {
                throw AlipayError(code: .tooLarge, reason: "more than \(Self.maximumCount) parts")
            }
            let part = try Self.part(text[(place + 2)..<end])
            guard !parts.contains(where: { ExactText.equal($0.name, part.name) }) else {
                throw AlipayError(code: .duplicateKey, reason: "the key \(AlipayError.quoted(part.name)) occurs twice")
            }
            parts.append(part)
            place = end + delimiter.count
        }
        let rest = text[(place + 2)...]
        guard rest.isEmpty || Array(rest) == [0x0d, 0x0a] else { throw Self.malformed("something follows the last delimiter") }
        self.parts = parts
    }

    /// The first file; nil where there is none.
    public var file: [UInt8]? { parts.first { $0.fileName != nil }?.bytes }

    private static func part(_ bytes: ArraySlice<UInt8>) throws(AlipayError) -> Part {
        let blank: [UInt8] = [0x0d, 0x0a, 0x0d, 0x0a]
        let all = Array(bytes)
        guard let end = find(blank, all, from: 0), end <= 1_024, let head = String(utf8: all[..<end]) else {
            throw malformed("a part has no head")
        }
        var disposition: String?
        for line in head.split(separator: "\r\n", omittingEmptySubsequences: false) {
            guard let colon = line.firstIndex(of: ":") else { throw malformed("a part's head is none") }
            guard line[..<colon].lowercased() == "content-disposition" else { continue }
            guard disposition == nil else { throw malformed("a part has two dispositions") }
            disposition = trimmed(line[line.index(after: colon)...])
        }
        guard let disposition, let found = disposition.wholeMatch(of: /form-data; *name="([^"\\]{1,64})"(?:; *filename="([^"\\]{0,200})")?/)
        else { throw malformed("a part has no form-data disposition with a name") }
        guard found.1.utf8.allSatisfy(PercentEncoding.isNameByte) else { throw malformed("a part's name is no key") }
        return Part(name: String(found.1), fileName: found.2.map { String($0) }, bytes: Array(all[(end + blank.count)...]))
    }

    private static func malformed(_ reason: String) -> AlipayError { AlipayError(code: .malformed, reason: reason) }

    private static func isAt(_ wanted: [UInt8], _ text: [UInt8], place: Int) -> Bool {
        text.count - place >= wanted.count && text[place..<(place + wanted.count)].elementsEqual(wanted)
    }

    private static func find(_ wanted: [UInt8], _ text: [UInt8], from start: Int) -> Int? {
        guard text.count - start >= wanted.count else { return nil }
        return (start...(text.count - wanted.count)).first { text[$0] == wanted[0] && isAt(wanted, text, place: $0) }
    }

    private static func trimmed(_ text: some StringProtocol) -> String {
        var rest = Substring(text).drop { $0 == " " || $0 == "\t" }
        while let last = rest.last, last == " " || last == "\t" { rest.removeLast() }
        return String(rest)
    }
}
