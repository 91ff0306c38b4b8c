import Mustache

/// The templates under `Resources`, named by their path without the ending, for example `console/home`.
///
/// Every value is escaped. No template may switch that off: the pages' tests refuse the unescaped forms.
package enum PageTemplates {
    /// Renders a template with text, numbers, `Bool`, arrays and dictionaries of such.
    ///
    /// A section is drawn for `true`, for each item of an array, and once for any other value that is there; leave out
    /// what should not be drawn.
    package static func render(_ name: String, _ model: [String: Any]) throws(WebError) -> String {
        guard let page = try library.get().render(model, withTemplate: name) else {
            throw WebError(code: .templateUnknown, reason: "no template is named \(name)")
        }
        return page
    }

    private static let library: Result<MustacheLibrary, WebError> = load()

    private static func load() -> Result<MustacheLibrary, WebError> {
        MustacheContentTypes.register(ScalarEscaping(), named: ScalarEscaping.name)
        do throws(WebError) {
            var library = MustacheLibrary()
            for (path, bytes) in try WebResources.files.get() where path.hasSuffix(".mustache") {
                let text = "{{% CONTENT_TYPE:\(ScalarEscaping.name)}}" + String(decoding: bytes, as: UTF8.self)
                do {
                    try library.register(text, named: String(path.dropLast(".mustache".count)))
                } catch {
                    throw WebError(code: .templateMalformed, reason: "\(path): \(error)")
                }
            }
            return .success(library)
        } catch {
            return .failure(error)
        }
    }
}

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
