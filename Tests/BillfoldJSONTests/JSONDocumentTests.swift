import BillfoldJSON
import Foundation
import Testing

/// Foundation's coder is the peer: what it writes, ``JSONDocument`` writes byte for byte, and each reads what the other wrote.
struct JSONDocumentTests {
    private enum Kind: String, Codable, Hashable {
        case first, second
    }

    private enum Shape: Codable, Hashable {
        case point
        case circle(radius: Int)
        case box(Int64, height: UInt8)
    }

    private struct Inner: Codable, Hashable {
        var amount: String
        var kind: Kind
        var note: String?
    }

    private struct Whole: Codable, Hashable {
        var text = "a\"b\\c/d\n\tü 张 \u{1F600} \u{7f}"
        var empty = ""
        var signed: [Int64] = [.min, -1, 0, 1, .max]
        var unsigned: [UInt64] = [0, .max]
        var small: [Int8] = [.min, .max]
        var fractions = [0.5, -1.25, 3, 1e-7, 123456.75]
        var flags = [true, false]
        var data = Data([0, 1, 254, 255])
        var absentData: Data?
        var date = Date(timeIntervalSince1970: 1_795_420_800)
        var url = URL(string: "https://example.com/a?b=c")
        var inner = Inner(amount: "33.00", kind: .second, note: nil)
        var list = [Inner(amount: "1", kind: .first, note: "n"), Inner(amount: "2", kind: .second, note: nil)]
        var names = ["b": 2, "a": 1, "A": 3, "a1": 4, "a10": 5, "a2": 6]
        var shapes: [Shape] = [.point, .circle(radius: 3), .box(7, height: 9)]
        var nested: [[String]] = [[], ["x"]]
        var optionals: [Int?] = [1, nil, 3]
        var set: Set<Int> = [5]
    }

    /// Nested containers and super-encoders that are filled after others were begun.
    private struct Handwritten: Codable, Hashable {
        var left: Int
        var right: String
        var base: Inner

        init(left: Int, right: String, base: Inner) {
            self.left = left
            self.right = right
            self.base = base
        }

        private enum Keys: String, CodingKey {
            case pair, list, missing
        }

        private enum Pair: String, CodingKey {
            case left, right
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Keys.self)
            var list = container.nestedUnkeyedContainer(forKey: .list)
            var pair = container.nestedContainer(keyedBy: Pair.self, forKey: .pair)
            try pair.encode(left, forKey: .left)
            try list.encode(right)
            try list.encodeNil()
            try pair.encode(right, forKey: .right)
            var inside = list.nestedContainer(keyedBy: Pair.self)
            try inside.encode(left, forKey: .left)
            try container.encodeNil(forKey: .missing)
            try base.encode(to: container.superEncoder())
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Keys.self)
            var list = try container.nestedUnkeyedContainer(forKey: .list)
            let pair = try container.nestedContainer(keyedBy: Pair.self, forKey: .pair)
            left = try pair.decode(Int.self, forKey: .left)
            right = try list.decode(String.self)
            #expect(try list.decodeNil())
            #expect(try list.decodeNil() == false)
            #expect(try list.nestedContainer(keyedBy: Pair.self).decode(Int.self, forKey: .left) == left)
            #expect(list.isAtEnd && list.count == 3)
            #expect(try container.decodeNil(forKey: .missing) && container.allKeys.count == 3)
            base = try Inner(from: container.superDecoder())
        }
    }

    /// Adds to what a part of it has begun, and has members in no order at three levels.
    private struct Joined: Codable, Hashable {
        var base = Inner(amount: "1", kind: .second, note: nil)
        var values = ["z": ["b": [2.5], "a": []], "é": [:], "e": ["\"": [1]]]
        var after = "last"

        private enum Keys: String, CodingKey {
            case values, after
        }

        init() {}

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Keys.self)
            try container.encode(values, forKey: .values)
            try base.encode(to: encoder)
            try container.encode(after, forKey: .after)
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Keys.self)
            values = try container.decode([String: [String: [Double]]].self, forKey: .values)
            after = try container.decode(String.self, forKey: .after)
            base = try Inner(from: decoder)
        }
    }

    /// Goes on where a member refuses, two levels down and behind a member that was written.
    private struct Forgiving: Encodable {
        /// Held: each dictionary has an order of its own.
        let pairs = ["z": 1, "y": 2]

        private enum Keys: String, CodingKey {
            case a, b, c, list
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Keys.self)
            try? container.encode(["x": [1, Double.infinity]], forKey: .b)
            try container.encode(pairs, forKey: .c)
            try? container.encode(Double.nan, forKey: .list)
            var list = container.nestedUnkeyedContainer(forKey: .list)
            try? list.encode([["q": -Double.infinity]])
            try list.encode(3)
            try container.encode("last", forKey: .a)
        }
    }

    private enum Place: String, CodingKey {
        case a, b, list, after, count
    }

    /// Writes a number in place of a value that refuses halfway.
    private struct Lenient: Encodable {
        private struct Halfway: Encodable {
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: Place.self)
                try container.encode("written", forKey: .a)
                var list = container.nestedUnkeyedContainer(forKey: .b)
                try list.encode(Double.nan)
            }
        }

        var isSilent = false

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            do { try container.encode(Halfway()) } catch { if !isSilent { try container.encode(7) } }
        }
    }

    /// Asks a list for its length after a member was written behind it.
    private struct Counting: Encodable {
        var isExact = true

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Place.self)
            var list = container.nestedUnkeyedContainer(forKey: .list)
            try list.encode("one")
            try container.encode(1, forKey: .after)
            if isExact && list.count != 1 { throw CocoaError(.coderInvalidValue) }
            try container.encode(list.count, forKey: .count)
        }
    }

    private static func foundation(_ value: some Encodable) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .iso8601
        return Array(try encoder.encode(value))
    }

    private static func read<Value: Decodable>(_ type: Value.Type, _ bytes: [UInt8]) throws -> Value {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        return try decoder.decode(type, from: Data(bytes))
    }

    private func check<Value: Codable & Hashable>(_ value: Value, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let (ours, theirs) = (try JSONDocument.encode(value), try Self.foundation(value))
        #expect(String(decoding: ours, as: UTF8.self) == String(decoding: theirs, as: UTF8.self), sourceLocation: sourceLocation)
        #expect(try JSONDocument.decode(Value.self, theirs) == value, sourceLocation: sourceLocation)
        #expect(try Self.read(Value.self, ours) == value, sourceLocation: sourceLocation)
    }

    @Test func everyShapeIsWrittenAndReadAsByFoundation() throws {
        try check(Whole())
        try check(Handwritten(left: -4, right: "r", base: Inner(amount: "9", kind: .first, note: nil)))
        try check(Joined())
        try check([[Joined()], []])
        try check([Inner]())
        try check(["only": [Kind.first]])
        try check("text")
        try check(Int?.some(4))
        try check([String: [String: Int]]())
    }

    /// A tree is the peer of what is written without one.
    @Test(arguments: [true, false], [true, false])
    func keysStayAsTheyAreAndScalarsBecomeTextsWhereAsked(sortsKeys: Bool, scalarsAsTexts: Bool) throws {
        let values: [any Encodable] = [
            Whole(), Handwritten(left: -4, right: "r", base: Inner(amount: "9", kind: .first, note: nil)), Joined(), [[Joined()], []],
            Forgiving(), Lenient(), Lenient(isSilent: true), Counting(), Counting(isExact: false), ["only": [Kind.first]], "text", true,
            4.5,
            Int?.none, [1, nil], [String: Int](),
        ]
        for value in values {
            let ours = try JSONDocument.encode(value, sortsKeys: sortsKeys, scalarsAsTexts: scalarsAsTexts)
            let tree = JSONWriter.write(
                try JSONValue(encoding: value, scalarsAsTexts: scalarsAsTexts), style: JSONStyle(sortsKeys: sortsKeys))
            #expect(String(decoding: ours, as: UTF8.self) == String(decoding: tree, as: UTF8.self))
        }
        let plain = String(decoding: try JSONDocument.encode(Joined(), sortsKeys: sortsKeys, scalarsAsTexts: scalarsAsTexts), as: UTF8.self)
        #expect(plain.hasPrefix(#"{"values":"#) == !sortsKeys && plain.contains(#"["2.5"]"#) == scalarsAsTexts)
    }

    @Test func nothingStaysOfAMemberThatRefused() throws {
        let text = #"{"a":"last","c":{"y":2,"z":1},"list":[3]}"#
        #expect(try JSONDocument.encode(Forgiving()) == Array(text.utf8))
        #expect(try JSONDocument.encode([Forgiving(), Forgiving()]) == Array("[\(text),\(text)]".utf8))
    }

    @Test func aValueMayBeWrittenInPlaceOfOneThatRefused() throws {
        #expect(try JSONDocument.encode(Lenient()) == Array("7".utf8))
        #expect(try JSONDocument.encode(["x": [Lenient(), Lenient()]]) == Array(#"{"x":[7,7]}"#.utf8))
        #expect(try JSONDocument.encode([Lenient(isSilent: true)]) == Array("[{}]".utf8))
    }

    @Test(arguments: [true, false])
    func aListThatWasLeftKnowsItsLength(isExact: Bool) throws {
        let text = #"{"after":1,"count":1,"list":["one"]}"#
        #expect(try JSONDocument.encode(Counting(isExact: isExact)) == Array(text.utf8))
        #expect(try JSONDocument.encode([Counting(isExact: isExact)]) == Array("[\(text)]".utf8))
    }

    @Test func equalValuesHaveEqualBytes() throws {
        let pairs = (0..<200).map { ("key\($0)", $0) }
        let bytes = try JSONDocument.encode(Dictionary(uniqueKeysWithValues: pairs))
        #expect(try JSONDocument.encode(Dictionary(uniqueKeysWithValues: pairs.reversed())) == bytes)
    }

    @Test func aRefusalNamesThePlace() throws {
        func path(_ text: String) throws -> String {
            let error = try #require(throws: DecodingError.self) { try JSONDocument.decode(Whole.self, Array(text.utf8)) }
            switch error {
            case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
                return context.codingPath.map(\.stringValue).joined(separator: ".")
            case .keyNotFound(let key, let context): return (context.codingPath + [key]).map(\.stringValue).joined(separator: ".")
            @unknown default: return "?"
            }
        }
        #expect(try path(#"{"text":1}"#) == "text")
        #expect(try path(#"{"text":"a"}"#) == "empty")
        #expect(try path(#"{"text":"a","empty":"","signed":[1,9223372036854775808]}"#) == "signed.1")
        #expect(try path("[]").isEmpty)
        #expect(throws: JSONError(code: .duplicateKey, reason: "")) {
            try JSONDocument.decode([String: Int].self, Array(#"{"a":1,"a":2}"#.utf8))
        }
        #expect(throws: JSONError(code: .malformed, reason: "")) { try JSONDocument.decode([String: Int].self, Array(#"{"a":1"#.utf8)) }
        #expect(throws: DecodingError.self) { try JSONDocument.decode([Data].self, Array(#"["not base64!"]"#.utf8)) }
        #expect(throws: DecodingError.self) { try JSONDocument.decode([Date].self, Array(#"["yesterday"]"#.utf8)) }
        #expect(throws: EncodingError.self) { try JSONDocument.encode([Double.nan]) }
    }

    /// Every byte that is written otherwise, and its neighbours, at every place of a text that is looked at eight bytes at a time.
    @Test(arguments: ["\u{0}", "\u{1f}", " ", "\"", "#", "\\", "]", "/", "\u{7f}", "\u{80}", "ü", "张", "\u{1F600}"])
    func textsAreWrittenAndReadWhereverTheirSpecialLettersStand(_ letter: String) throws {
        for length in 0...20 {
            for place in 0...length {
                let text = String(repeating: "a", count: place) + letter + String(repeating: "z", count: length - place)
                let foundations = try JSONEncoder.plain.encode([text])
                let ours = try JSONDocument.encode([text])
                #expect(try JSONDecoder().decode([String].self, from: Data(ours)) == [text])
                #expect(try JSONDocument.decode([String].self, Array(foundations)) == [text])
                let slashes = String(decoding: JSONWriter.write(.string(text), style: JSONStyle(escapesSlash: true)), as: UTF8.self)
                #expect(slashes.contains("\\/") == (letter == "/"))
                let ascii = JSONWriter.write(.string(text), style: JSONStyle(isASCII: true))
                #expect(try JSONReader.read(ascii).string == text && ascii.allSatisfy { $0 < 0x80 })
            }
        }
    }

    /// Lengths around what a document begins with in memory.
    @Test(arguments: 980...1_010) func aTextIsWrittenWhereTheMemoryEnds(_ length: Int) {
        let text = String(repeating: "a", count: length)
        #expect(JSONWriter.write(.array([.string(text), .string("b")])) == Array("[\"\(text)\",\"b\"]".utf8))
    }

    @Test(arguments: [0, 1, 7, 8, 9, 16])
    func aControlLetterIsRefusedWhereverItStands(_ place: Int) {
        let text = String(repeating: "ü", count: place) + "\n"
        #expect(throws: JSONError.self) { try JSONReader.read(Array("\"\(text)\"".utf8)) }
        #expect(throws: JSONError.self) { try JSONReader.read(Array("\"\(text)".utf8)) }
        #expect(throws: JSONError.self) { try JSONReader.read(Array("\"\(text.dropLast())".utf8)) }
    }

    @Test func aDocumentIsDecodedAnewWhenItsBytesChange() throws {
        let documents = DecodedDocuments<String, [String]>(capacity: 2)
        for round in 0..<3 {
            for name in ["a", "b", "c"] {
                for value in [[name], [name, "\(round)"], [name]] {
                    #expect(try documents.value(name, JSONDocument.encode(value)) == value)
                }
            }
        }
        #expect(throws: (any Error).self) { try documents.value("a", Array("{".utf8)) }
        #expect(try documents.value("a", JSONDocument.encode(["a"])) == ["a"])
    }
}

extension JSONEncoder {
    fileprivate static var plain: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        return encoder
    }
}
