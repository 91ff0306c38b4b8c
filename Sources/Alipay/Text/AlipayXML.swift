import BillfoldJSON

/// The little XML that legacy answers use: elements, attributes and text.
///
/// There is no document type, hence no entity of a stranger's own and nothing to load; no CDATA, no processing instruction but the
/// declaration, and a limit on bytes and nesting.
public enum AlipayXML {
    /// A name with its text.
    public struct Field: Sendable, Hashable {
        public var name: String
        public var value: String

        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// An element with all that is inside of it.
    public struct Element: Sendable, Hashable {
        public var name: String
        public var attributes: [String: String]
        /// Text directly inside, without that of children.
        public var text: String
        public var children: [Element]

        public init(_ name: String, attributes: [String: String] = [:], text: String = "", children: [Element] = []) {
            self.name = name
            self.attributes = attributes
            self.text = text
            self.children = children
        }

        /// The first child of that name.
        public subscript(name: String) -> Element? { children.first { ExactText.equal($0.name, name) } }
    }

    public static let maximumLength = 1_048_576
    public static let maximumDepth = 16

    /// Reads a document in the charset that its declaration names, UTF-8 without one. `malformed-xml`, `too-large`, `unencodable-text`.
    public static func read(_ bytes: [UInt8]) throws(AlipayError) -> (root: Element, charset: AlipayCharset) {
        guard bytes.count <= maximumLength else { throw AlipayError(code: .tooLarge, reason: "the XML has \(bytes.count) bytes") }
        // The declaration is ASCII in either charset.
        let head = String(decoding: bytes.prefix(128).map { $0 < 0x80 ? $0 : UInt8(ascii: "?") }, as: UTF8.self)
        var charset = AlipayCharset.utf8
        if head.hasPrefix("<?xml"), let match = head.prefix(while: { $0 != ">" }).firstMatch(of: /encoding\s*=\s*["']([^"']*)["']/) {
            guard let named = AlipayCharset(name: String(match.output.1)) else {
                throw AlipayError(code: .unsupported, reason: "the XML's encoding is neither UTF-8 nor GBK")
            }
            charset = named
        }
        var reader = AlipayXMLReader(Array(try charset.decode(bytes).utf8))
        return (try reader.document(), charset)
    }

    /// Writes a document with its declaration. `unencodable-text` for a character outside the charset or outside XML.
    public static func write(_ root: Element, charset: AlipayCharset) throws(AlipayError) -> [UInt8] {
        var text = "<?xml version=\"1.0\" encoding=\"\(charset.rawValue.uppercased())\"?>"
        append(root, to: &text)
        guard text.unicodeScalars.allSatisfy({ $0.value >= 0x20 || $0 == "\t" || $0 == "\n" || $0 == "\r" }) else {
            throw AlipayError(code: .unencodableText, reason: "XML has no control characters")
        }
        return try charset.encode(text)
    }

    private static func append(_ element: Element, to text: inout String) {
        text += "<\(element.name)"
        for (name, value) in element.attributes.sorted(by: { $0.key < $1.key }) { text += " \(name)=\"\(escaped(value))\"" }
        text += ">" + escaped(element.text)
        for child in element.children { append(child, to: &text) }
        text += "</\(element.name)>"
    }

    static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&apos;"
            // A reader would turn them into line feeds otherwise.
            case "\r": result += "&#13;"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
