import Alipay
import BillfoldJSON
import Foundation

/// A payment's result as the maps of several languages print it: in logs, and in what people copy out of them (alipay.md#modern-result
/// [O]).
enum PrintedResult {
    /// Nil for a text that is no such print.
    static func read(_ text: String) -> PaymentResult? {
        guard text.utf8.count <= PaymentResult.maximumLength * 2,
            let status = text.firstMatch(of: /\bresultStatus\b["')]*\s*[=:]\s*(?:Optional\()?"?([0-9]{4})\b/)?.1,
            let key = text.firstMatch(of: /\bresult\b["')]*\s*[=:]\s*/)
        else { return nil }
        return PaymentResult(status: .init(rawValue: String(status)), result: value(text[key.range.upperBound...]))
    }

    /// What stands behind the name: a quoted text, an object, or a legacy result up to the next name.
    private static func value(_ rest: Substring) -> String {
        var rest = rest
        // Swift prints the optional's name too.
        if let optional = rest.prefixMatch(of: /Optional\(/) { rest = rest[optional.range.upperBound...] }
        switch rest.first {
        case "\"": return quoted(rest)
        case "{": return object(rest)
        default:
            let end = rest.firstRange(of: /[,;]\s*(?:memo|resultStatus|extendInfo|platform)\b|\s*\}\s*$/)?.lowerBound
            return String(rest[..<(end ?? rest.endIndex)])
        }
    }

    /// Up to the closing quotation mark, with escapes undone, `\U5904` of Foundation's print among them.
    private static func quoted(_ rest: Substring) -> String {
        var inner = ""
        var isEscaped = false
        for character in rest.dropFirst() {
            if !isEscaped, character == "\"" { break }
            isEscaped = !isEscaped && character == "\\"
            inner.append(character)
        }
        let spelled = inner.replacing(/\\U([0-9a-fA-F]{4})/) { "\\u\($0.1)" }.replacing("\n", with: "\\n")
        return (try? AlipayJSON.read("\"\(spelled)\""))?.string ?? inner
    }

    /// Up to the brace that closes the first one; braces inside of texts do not count.
    private static func object(_ rest: Substring) -> String {
        var (depth, isText, isEscaped) = (0, false, false)
        for index in rest.indices {
            let character = rest[index]
            if isText {
                if !isEscaped, character == "\"" { isText = false }
                isEscaped = !isEscaped && character == "\\"
            } else if character == "\"" {
                isText = true
            } else if character == "{" {
                depth += 1
            } else if character == "}" {
                depth -= 1
                if depth == 0 { return String(rest[...index]) }
            }
        }
        return String(rest)
    }
}
