import BillfoldJSON
import Testing

@Suite struct JSONReaderTests {
    @Test(arguments: [
        ("{}", 0), (#"{"a":1}"#, 1), (#" { "a" : [ true , false , null ] , "b" : "" } "#, 2), (#"{"a":{"a":{"a":1}}}"#, 1),
    ])
    func wellFormedObjectIsRead(text: String, members: Int) throws {
        #expect(try JSONReader.readObject(Array(text.utf8)).members.count == members)
    }

    @Test func stringsAndEscapesAreDecoded() throws {
        let object = try JSONReader.readObject(Array(#"{"a":"\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00é"}"#.utf8))
        #expect(object["a"]?.string == "\"\\/\u{8}\u{C}\n\r\té😀é")
    }

    @Test func unknownMembersKeepTheirOrderAndLiterals() throws {
        let text = #"{"z":1.50,"a":[1e2,-0],"m":{"x":"y"}}"#
        #expect(JSONWriter.write(try JSONReader.readObject(Array(text.utf8))) == Array(text.utf8))
    }

    @Test(arguments: [
        #"{"a":1,"a":2}"#, #"{"a":{"b":1,"b":1}}"#, #"{"a":1,"\u0061":2}"#,
        "{" + (0..<40).map { #""k\#($0)":0"# }.joined(separator: ",") + #","k7":0}"#,
    ])
    func duplicateKeyIsRefused(text: String) {
        #expect(throws: JSONError(code: .duplicateKey, reason: "")) { try JSONReader.readObject(Array(text.utf8)) }
    }

    @Test func canonicallyEquivalentKeysAreDifferentKeys() throws {
        let object = try JSONReader.readObject(Array("{\"\u{E9}\":1,\"e\u{301}\":2}".utf8))
        #expect(object.members.count == 2)
        #expect(object["e\u{301}"]?.integer == 2)
    }

    @Test(arguments: [
        "", " ", "{", "}", "[", "{]", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "[1,]", "[1 2]", "{\"a\":1}x", "{\"a\":1}{}", "nul", "tru", "+1",
        "01",
        "-", "-01", "1.", ".5", "1e", "1e+", "0x1", "NaN", "Infinity", "'a'", "\"", "\"\\", "\"\\x\"", "\"\\u12\"", "\"\\u12g4\"",
        "\"\\ud800\"",
        "\"\\ud800x\"", "\"\\ud800\\n\"", "\"\\ud800\\ud800\"", "\"\\udc00\"", "\"a\u{0}\"", "\"a\nb\"", "\u{FEFF}{}", "// comment\n{}",
        "{\"a\":1 /**/}",
        "\"\\uFF11\u{FF11}11\"x",
    ])
    func malformedTextIsRefused(text: String) {
        #expect(throws: JSONError(code: .malformed, reason: "")) { try JSONReader.read(Array(text.utf8)) }
    }

    @Test(
        arguments: [[0x22, 0xFF, 0x22], [0x22, 0xC0, 0x80, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22], [0x22, 0xE2, 0x82, 0x22], [0xFF]]
            as [[UInt8]])
    func bytesThatAreNotUTF8AreRefused(bytes: [UInt8]) {
        #expect(throws: JSONError(code: .malformed, reason: "")) { try JSONReader.read(bytes) }
    }

    @Test(arguments: [UInt8(ascii: "["), UInt8(ascii: "{")])
    func deepNestingIsRefused(opening: UInt8) {
        var bomb = [UInt8](repeating: opening, count: 60_000)
        if opening == UInt8(ascii: "{") { bomb = Array(String(repeating: #"{"a":"#, count: 10_000).utf8) }
        #expect(throws: JSONError(code: .tooDeep, reason: "")) { try JSONReader.read(bomb) }
    }

    @Test func depthUpToTheLimitIsRead() throws {
        let text = String(repeating: "[", count: 16) + String(repeating: "]", count: 16)
        _ = try JSONReader.read(Array(text.utf8))
        #expect(throws: JSONError.self) { try JSONReader.read(Array("[\(text)]".utf8)) }
    }

    @Test func inputBeyondTheLimitIsRefusedUnread() {
        #expect(throws: JSONError(code: .tooLarge, reason: "")) {
            try JSONReader.read([UInt8](repeating: 0x20, count: 101), maximumBytes: 100)
        }
    }

    @Test(arguments: [("1", 1), ("-7", -7), ("9223372036854775807", Int64.max), ("0", 0)])
    func integerLiteralIsAnInteger(text: String, value: Int64) throws {
        #expect(try JSONReader.read(Array(text.utf8)).integer == value)
    }

    @Test(arguments: ["1e2", "1.0", "1E0", "-0", "9223372036854775808", "0.1"])
    func otherNumbersAreNoIntegers(text: String) throws {
        #expect(try JSONReader.read(Array(text.utf8)).integer == nil)
    }

    @Test func everyTruncationAndByteFlipIsHandled() throws {
        let bytes = Array(#"{"a":"é\ud83d\ude00","b":[1.5e-3,{"c":null}],"d":true}"#.utf8)
        for length in 0..<bytes.count { #expect(throws: JSONError.self) { try JSONReader.read(Array(bytes.prefix(length))) } }
        for index in bytes.indices {
            for bit in 0..<8 {
                var flipped = bytes
                flipped[index] ^= 1 << bit
                // Some flips stay well formed; what matters is that what is read can be written and read again.
                if let value = try? JSONReader.read(flipped) { _ = try JSONReader.read(JSONWriter.write(value)) }
            }
        }
    }

    @Test func everyMemberKnowsTheBytesOfItsValue() throws {
        let bytes = Array(#" { "a" : {"b":"\u0031"} , "é":[1, 2],"c":-0 } "#.utf8)
        let object = try JSONReader.readObject(bytes)
        func source(_ key: String) -> String? { object.member(key).map { String(decoding: bytes[$0.range], as: UTF8.self) } }
        #expect(source("a") == #"{"b":"\u0031"}"#)
        #expect(source("é") == "[1, 2]")
        #expect(source("c") == "-0")
        #expect(object["a"]?["b"]?.string == "1")
    }

    @Test func outermostValueThatIsNoObjectIsRefused() {
        #expect(throws: JSONError(code: .malformed, reason: "")) { try JSONReader.readObject(Array("[]".utf8)) }
    }

    @Test(arguments: JSONStyle.all) func everyStyleIsReadBackAsTheSameValue(style: JSONStyle) throws {
        let text = #"{"z":"a/b \u00e9 \ud83d\ude00 \" \\ \n\u0001","e":{},"l":[],"a":[true,null,{"n":1.50}]}"#
        let value = try JSONReader.read(Array(text.utf8))
        let written = JSONWriter.write(value, style: style)
        var plain = style
        plain.spacing = .compact
        plain.escapesSlash = false
        plain.isASCII = false
        #expect(JSONWriter.write(try JSONReader.read(written)) == JSONWriter.write(value, style: plain))
        #expect(!style.isASCII || written.allSatisfy { $0 < 0x80 })
    }

    @Test(arguments: [
        (JSONStyle(spacing: .spaced), #"{"b": [1, 2], "a": "/"}"#), (JSONStyle(spacing: .colon), #"{"b": [1,2],"a": "/"}"#),
        (JSONStyle(sortsKeys: true), #"{"a":"/","b":[1,2]}"#), (JSONStyle(escapesSlash: true), #"{"b":[1,2],"a":"\/"}"#),
        (JSONStyle(spacing: .twoBlanks), "{\n  \"b\": [\n    1,\n    2\n  ],\n  \"a\": \"/\"\n}"),
    ])
    func styleWritesItsOwnText(style: JSONStyle, text: String) throws {
        let value = try JSONReader.read(Array(#"{"b":[1,2],"a":"/"}"#.utf8))
        #expect(String(decoding: JSONWriter.write(value, style: style), as: UTF8.self) == text)
    }

    @Test func stylesAreAllDifferentInWords() {
        #expect(JSONStyle.all.count == 40)
        #expect(Set(JSONStyle.all.map(\.description)).count == 40)
        #expect(JSONStyle.all.first == .compact)
    }

    @Test func memberThatIsSetKeepsItsPlaceAndNilRemovesIt() {
        var object: JSONObject = [.init("a", 1), .init("b", 2)]
        object["a"] = "x"
        object["b"] = nil
        object["c"] = true
        #expect(JSONWriter.write(object) == Array(#"{"a":"x","c":true}"#.utf8))
        #expect(object.members(besides: ["a"]).map(\.key) == ["c"])
        #expect(JSONValue.texts(["a": "1", "b": nil]).text == #"{"a":"1"}"#)
    }

    @Test(arguments: ["", "x", "a/b", "\"", "\\", "\u{1}\n", "é\u{2028}", String(repeating: "long ", count: 400)])
    func textsAreWrittenAsATreeWritesThem(_ text: String) {
        let object: JSONObject = [.init("b", .string(text)), .init(text, "2"), .init("a", "")]
        #expect(JSONWriter.write(texts: [("absent", nil), ("b", text), (text, "2"), ("c", nil), ("a", "")]) == JSONWriter.write(object))
        #expect(JSONWriter.write(texts: [("absent", nil)]) == Array("{}".utf8))
    }
}
