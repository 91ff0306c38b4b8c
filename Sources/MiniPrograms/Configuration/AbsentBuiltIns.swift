import Foundation

/// What a browser, a simulator or Node has and a mini program's script does not: the engine alone brings none of these, and the container
/// supplies timers only (mini-programs.md#engine [V]; the objects of a browser [I]).
package enum AbsentBuiltIns {
    package static let names = [
        "fetch", "structuredClone", "TextEncoder", "TextDecoder", "URL", "URLSearchParams", "atob", "btoa", "XMLHttpRequest", "WebSocket",
        "localStorage", "sessionStorage", "SharedArrayBuffer", "WebAssembly", "document", "window", "navigator",
    ]

    /// The first use of one that the script neither declares nor asks for by `typeof`, and where it stands.
    static func use(in text: String) -> (name: String, line: Int)? {
        for name in names {
            guard text.contains(name),
                let hit = text.range(of: #"(?<![\w.$'"-])(?:new\s+)?\#(name)\s*[.(\[]"#, options: .regularExpression)
            else { continue }
            // Declared, asked for, or a parameter.
            let known = [
                #"\b(?:function|const|let|var|class|import)\b[^;\n]*\b\#(name)\b"#, #"\btypeof\s+\#(name)\b"#,
                #"[(,]\s*\#(name)\s*[,)=]"#, #"\b\#(name)\s*=>"#,
            ]
            guard text.range(of: known.joined(separator: "|"), options: .regularExpression) == nil else { continue }
            let before = text[..<hit.lowerBound]
            let line = before[(before.lastIndex(where: \.isNewline) ?? before.startIndex)...].trimmingCharacters(
                in: .whitespacesAndNewlines)
            guard !line.hasPrefix("//"), !line.hasPrefix("*"), !line.hasPrefix("/*") else { continue }
            return (name, before.count(where: \.isNewline) + 1)
        }
        return nil
    }
}
