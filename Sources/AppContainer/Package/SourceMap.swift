import BillfoldJSON

/// A source map of version 3: from places in packed code to places in the files the author wrote.
///
/// Indexed maps (`sections`) are refused: no packer used here writes them.
public struct SourceMap: Sendable {
    /// A place in a file. Lines and columns count from 1, as engines and editors do.
    public struct Place: Sendable, Hashable {
        public var file: String
        public var line: Int
        public var column: Int

        public init(file: String, line: Int, column: Int) {
            self.file = file
            self.line = line
            self.column = column
        }
    }

    /// One mapping; all numbers count from 0, as in the format.
    private struct Segment {
        var column: Int
        var source: Int
        var line: Int
        var sourceColumn: Int
    }

    public let sources: [String]
    /// As it was read, for sending it on.
    let text: String
    private let lines: [[Segment]]

    /// Reads the map's JSON text; `malformed-source-map`.
    public init(_ bytes: [UInt8]) throws(AppContainerError) {
        let object: JSONObject
        do throws(JSONError) {
            object = try JSONReader.readObject(bytes, maximumBytes: 33_554_432)
        } catch {
            throw Self.malformed("no JSON object: \(error.code)")
        }
        guard object["version"]?.integer == 3 else { throw Self.malformed("another version than 3") }
        guard let sources = object["sources"]?.array?.map(\.string), let mappings = object["mappings"]?.string else {
            throw Self.malformed("no sources or no mappings")
        }
        text = String(decoding: bytes, as: UTF8.self)
        let root = object["sourceRoot"]?.string ?? ""
        self.sources = sources.map { root + ($0 ?? "") }
        lines = try Self.read(mappings, sources: sources.count)
    }

    /// The original place of one in the packed code, both counted from 1: that of the nearest mapping at or before it on its line.
    public func original(line: Int, column: Int) -> Place? {
        guard lines.indices.contains(line - 1) else { return nil }
        let segments = lines[line - 1]
        var (low, high) = (0, segments.count)
        while low < high {
            let middle = (low + high) / 2
            if segments[middle].column <= column - 1 { low = middle + 1 } else { high = middle }
        }
        guard let segment = low > 0 ? segments[low - 1] : segments.first else { return nil }
        return Place(file: sources[segment.source], line: segment.line + 1, column: segment.sourceColumn + 1)
    }

    private static func read(_ mappings: String, sources: Int) throws(AppContainerError) -> [[Segment]] {
        var lines: [[Segment]] = []
        var current: [Segment] = []
        var (column, source, line, sourceColumn) = (0, 0, 0, 0)
        var fields: [Int] = []
        var number = 0
        var shift = 0

        func end() throws(AppContainerError) {
            guard shift == 0 else { throw malformed("a number is cut off") }
            guard !fields.isEmpty else { return }
            guard [1, 4, 5].contains(fields.count) else { throw malformed("a mapping of \(fields.count) numbers") }
            column += fields[0]
            if fields.count > 1 {
                source += fields[1]
                line += fields[2]
                sourceColumn += fields[3]
                guard (0..<sources).contains(source), line >= 0, sourceColumn >= 0, column >= 0 else {
                    throw malformed("a mapping to a place that is none")
                }
                current.append(Segment(column: column, source: source, line: line, sourceColumn: sourceColumn))
            }
            fields.removeAll(keepingCapacity: true)
        }

        for byte in mappings.utf8 {
            switch byte {
            case UInt8(ascii: ","): try end()
            case UInt8(ascii: ";"):
                try end()
                lines.append(current.sorted { $0.column < $1.column })
                current = []
                column = 0
            default:
                guard let digit = digit(byte) else { throw malformed("a character that is no base64 digit") }
                guard shift <= 30, fields.count < 5 else { throw malformed("a number or a mapping that is too long") }
                number |= (digit & 31) << shift
                if digit & 32 != 0 {
                    shift += 5
                } else {
                    // The lowest bit is the sign.
                    fields.append(number & 1 == 0 ? number >> 1 : -(number >> 1))
                    (number, shift) = (0, 0)
                }
            }
        }
        try end()
        lines.append(current.sorted { $0.column < $1.column })
        return lines
    }

    private static func digit(_ byte: UInt8) -> Int? {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): Int(byte) - 65
        case UInt8(ascii: "a")...UInt8(ascii: "z"): Int(byte) - 97 + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(byte) - 48 + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }

    private static func malformed(_ reason: String) -> AppContainerError {
        AppContainerError(code: .malformedSourceMap, reason: reason)
    }
}
