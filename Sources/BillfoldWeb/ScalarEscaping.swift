import Mustache

/// Escapes HTML scalar by scalar.
///
/// The template library's own escaping walks over characters, and a quotation mark with a combining mark behind it is
/// one character that it does not recognise: such a value could end an attribute. Control characters that HTML does
/// not allow become U+FFFD.
struct ScalarEscaping: MustacheContentType {
    static let name = "BILLFOLD"

    func escapeText(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "<": result.append(contentsOf: "&lt;".unicodeScalars)
            case ">": result.append(contentsOf: "&gt;".unicodeScalars)
            case "&": result.append(contentsOf: "&amp;".unicodeScalars)
            case "\"": result.append(contentsOf: "&quot;".unicodeScalars)
            case "'": result.append(contentsOf: "&#39;".unicodeScalars)
            case "`": result.append(contentsOf: "&#96;".unicodeScalars)
            case "\n", "\t": result.append(scalar)
            case "\u{0}"..."\u{1f}", "\u{7f}"..."\u{9f}": result.append("\u{fffd}")
            default: result.append(scalar)
            }
        }
        return String(result)
    }
}
