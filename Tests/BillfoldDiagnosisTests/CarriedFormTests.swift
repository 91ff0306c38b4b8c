import BillfoldDiagnosis
import Foundation
import Testing

/// What stands round a file does not hide it.
@Suite struct CarriedFormTests {
    /// Knows one text, and nothing round it.
    private struct Porter: Diagnostician {
        var subjects: String { "the word" }

        func examine(_ artifacts: [Artifact]) -> Diagnosis {
            Diagnosis(
                identified: artifacts.filter { $0.bytes == Array(CarriedFormTests.word.utf8) }
                    .map { .init(artifact: $0.name, kind: "word", summary: "the word") })
        }
    }

    static let word = #"{"word":"open/sesame, and \"so\" on","of":{"tea":"1 + 1 = 2 & more"}}"#

    private static func units(_ text: String, isLittle: Bool) -> [UInt8] {
        (isLittle ? [0xFF, 0xFE] : [0xFE, 0xFF])
            + text.utf16.flatMap { isLittle ? [UInt8($0 & 0xFF), UInt8($0 >> 8)] : [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    }

    private static func percent(_ text: String) -> String { text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "" }

    private static let base64 = Data(word.utf8).base64EncodedString()

    static let forms: [(words: String?, bytes: [UInt8])] = [
        (nil, Array(word.utf8)),
        ("behind a byte order mark", [0xEF, 0xBB, 0xBF] + Array(word.utf8)),
        ("in UTF-16", units(word, isLittle: true)),
        ("in UTF-16", units(word, isLittle: false)),
        ("with blanks and line ends round it", Array("\r\n \(word)\n".utf8)),
        ("in a line of a log, or beside other text", Array("2026-11-27 10:00:00 INFO request=\(word) took 12 ms\n".utf8)),
        (
            "as a text of JSON",
            Array("\"\(word.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("/", with: "\\/"))\"".utf8)
        ),
        ("with entities of HTML", Array(word.replacing("&", with: "&amp;").replacing("\"", with: "&quot;").utf8)),
        ("percent-encoded", Array(percent(word).utf8)),
        ("percent-encoded", Array(percent(word).replacing("%2F", with: "%2f").replacing("%7B", with: "%7b").utf8)),
        ("in base64", Array(base64.utf8)),
        ("in base64", Array((base64.prefix(40) + "\r\n" + base64.dropFirst(40)).utf8)),
        ("in base64", Array(base64.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "").utf8)),
    ]

    @Test(arguments: forms.indices) func contentIsFound(index: Int) {
        let form = Self.forms[index]
        let diagnosis = Diagnosis(of: [Artifact(name: "a", bytes: form.bytes)], by: [Porter()])
        #expect(diagnosis.findings.isEmpty, "\(form)")
        #expect(diagnosis.identified.first?.kind == "word", "\(form)")
        #expect(diagnosis.identified.dropFirst().map(\.summary) == (form.words.map { ["its content stood \($0)"] } ?? []))
    }

    @Test(arguments: ["\u{FEFF}hello", "{}", "aGVsbG8gd29ybGQsIGhlbGxvIHdvcmxk", "100% of it", "100%zz", "\"a text\"", "{\"open\":", ""])
    func whatNobodyKnowsStaysUnknown(text: String) {
        let diagnosis = Diagnosis(of: [Artifact(name: "a", bytes: Array(text.utf8))], by: [Porter()])
        #expect(diagnosis.findings.map(\.code) == ["unknown-artifact"])
    }
}
