import Testing
import UnionPay

@Suite struct BodyTests {
    @Test func formBodyEscapesValuesOnTheWireOnly() throws {
        let fields: UnionPayFields = ["backUrl": "https://a.example/?x=1&y=2", "accNo": "a+b/c=", "version": "5.1.0"]
        let body = try FormBody.encode(fields)
        #expect(body == "accNo=a%2Bb%2Fc%3D&backUrl=https%3A%2F%2Fa.example%2F%3Fx%3D1%26y%3D2&version=5.1.0")
        #expect(try FormBody.decode(Array(body.utf8)).dictionary == fields.dictionary)
    }

    @Test(arguments: [
        ("a=1&a=2", UnionPayError.Code.duplicateField), ("a=%2", .malformedBody), ("a=%zz", .malformedBody), ("a", .malformedBody),
        ("=1", .malformedBody), ("a=1&", .malformedBody), ("a=1&&b=2", .malformedBody), ("a%62=1", .malformedBody),
        ("a=%ff", .unencodableText), ("a=1%EF%BF", .unencodableText), ("a=%ED%A0%80", .unencodableText), ("a=1+2%", .malformedBody),
        ("encoding=EBCDIC", .unsupported),
    ])
    func malformedFormBodyIsRefused(body: String, code: UnionPayError.Code) {
        let error = #expect(throws: UnionPayError.self) { try FormBody.decode(Array(body.utf8)) }
        #expect(error?.code == code)
    }

    /// The sign that stands for unreadable bytes is a character like any other where it was sent.
    @Test(arguments: [("%EF%BF%BD", "\u{FFFD}"), ("a+%2B+%25b%00", "a + %b\0"), ("%E9%93%B6+%e8%81%94", "银 联"), ("", "")])
    func escapedValueIsReadByteForByte(value: String, text: String) throws {
        #expect(try FormBody.decode(Array("a=\(value)&b=1".utf8)).dictionary == ["a": text, "b": "1"])
    }

    @Test func gbkFormBodyIsReadInItsOwnEncoding() throws {
        let fields: UnionPayFields = ["encoding": "GBK", "respMsg": "成功[0000000]"]
        let body = try FormBody.encode(fields)
        #expect(body.contains("%B3%C9%B9%A6"))
        #expect(try FormBody.decode(Array(body.utf8)).dictionary == fields.dictionary)
    }

    @Test func replyKeepsSeparatorsInsideBrackets() throws {
        let body = "accSplitData={a=1&b=[c=2&d={e=3}]}&list=x[y=1&z=2]w&respMsg=成功[0000000]&signature=a+b%2B=="
        let fields = try ReplyBody.decode(Array(body.utf8))
        #expect(fields["accSplitData"] == "{a=1&b=[c=2&d={e=3}]}")
        #expect(fields["list"] == "x[y=1&z=2]w")
        #expect(fields["respMsg"] == "成功[0000000]")
        #expect(fields["signature"] == "a+b%2B==")
        #expect(try ReplyBody.encode(fields) == Array(body.utf8))
    }

    @Test(arguments: ["a={b=1&c=2", "a=1&a=2", "=1", "a", "a=1&", "a=[}&b=1"])
    func malformedReplyIsRefused(body: String) {
        #expect(throws: UnionPayError.self) { try ReplyBody.decode(Array(body.utf8)) }
    }

    /// Nested brackets with separators in them come back as they went out.
    @Test(arguments: 0..<400) func anyBalancedValueSurvivesTheReplyBody(seed: Int) throws {
        var dice = Dice(seed: UInt64(seed))
        func value(_ depth: Int, _ isInside: Bool) -> String {
            (0..<Int.random(in: 0...6, using: &dice)).map { _ in
                switch Int.random(in: 0...7, using: &dice) {
                case 0 where depth < 4: return "{" + value(depth + 1, true) + "}"
                case 1 where depth < 4: return "[" + value(depth + 1, true) + "]"
                case 2 where isInside: return "&"
                case 3: return "="
                case 4: return "银联"
                default: return dice.letters(1...4)
                }
            }.joined()
        }
        var fields = UnionPayFields()
        for index in 0..<Int.random(in: 1...8, using: &dice) { fields["k\(index)"] = value(0, false) }
        #expect(try ReplyBody.decode(try ReplyBody.encode(fields)).dictionary == fields.dictionary, "seed \(seed)")
    }

    @Test(arguments: 0..<300) func garbageNeverCrashesTheParsers(seed: Int) {
        var dice = Dice(seed: UInt64(seed))
        let alphabet = Array("ab=&{}[]%+2 \u{ff}é\n".utf8)
        let body = (0..<Int.random(in: 0...60, using: &dice)).map { _ in alphabet.randomElement(using: &dice) ?? 0 }
        _ = try? FormBody.decode(body)
        if let fields = try? ReplyBody.decode(body), let again = try? ReplyBody.encode(fields) {
            #expect((try? ReplyBody.decode(again).dictionary) == fields.dictionary, "seed \(seed)")
        }
    }

    @Test func valueThatAReplyCannotCarryIsRefused() {
        #expect(throws: UnionPayError.self) { try ReplyBody.encode(["a": "1&b=2"]) }
    }
}
