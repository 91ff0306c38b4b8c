/// The entities of HTML that templates, filters and pages write into texts that are no HTML.
package enum HTMLEntities {
    private static let pairs = [
        ("&quot;", "\""), ("&#34;", "\""), ("&#x22;", "\""), ("&#39;", "'"), ("&#x27;", "'"), ("&apos;", "'"), ("&#43;", "+"),
        ("&#x2B;", "+"), ("&#61;", "="), ("&#x3D;", "="), ("&#47;", "/"), ("&#x2F;", "/"), ("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&"),
    ]

    /// The text without entities of this kind, undone once.
    package static func unescape(_ text: String) -> String {
        guard text.contains("&") else { return text }
        return pairs.reduce(text) { $0.replacing($1.0, with: $1.1) }
    }

    package static func escape(_ text: String) -> String {
        [("&", "&amp;"), ("\"", "&quot;"), ("'", "&#39;"), ("<", "&lt;"), (">", "&gt;")].reduce(text) { $0.replacing($1.0, with: $1.1) }
    }

    /// A name that browsers and parsers take for an entity although no semicolon ends it, and the sign that it becomes.
    package struct Sign: Sendable {
        package let sign: Character
        package let name: String
    }

    /// Those that names of parameters begin with: `&not` of `&notify_url`, `&times` of `&timestamp`.
    package static let signs: [Sign] = [
        Sign(sign: "¬", name: "not"), Sign(sign: "×", name: "times"), Sign(sign: "¤", name: "curren"), Sign(sign: "§", name: "sect"),
        Sign(sign: "®", name: "reg"), Sign(sign: "©", name: "copy"), Sign(sign: "¶", name: "para"), Sign(sign: "º", name: "ordm"),
        Sign(sign: "µ", name: "micro"), Sign(sign: "÷", name: "divide"), Sign(sign: "·", name: "middot"), Sign(sign: "±", name: "plusmn"),
    ]
}
