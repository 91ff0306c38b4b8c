/// Looks at one template for tags that nothing draws. It knows tags and no more of the template language.
struct TemplateLint {
    /// Tags of the template language itself, and built-in components without an entry of their own (mini-programs.md#templates,
    /// mini-programs.md#built-in-components).
    static let known = Set(ComponentCatalogue.standard.components.keys).union([
        "block", "template", "slot", "import", "include", "import-sjs", "map", "video", "audio", "lottie", "page-meta", "page-container",
        "root-portal", "contact-button", "lifestyle", "native-footer", "share-element", "ad",
    ])

    let bytes: [UInt8]
    /// Names of the components that the page may use.
    let components: Set<String>

    /// Tags that are neither built in nor named in `usingComponents`, in their order, each once.
    func unresolved() -> [String] {
        let components = Set(components.map(JSAPICatalogue.kebab))
        var seen: Set<String> = []
        return tags().filter { tag in
            let name = JSAPICatalogue.kebab(tag)
            return !Self.known.contains(name) && !components.contains(name) && seen.insert(name).inserted
        }
    }

    /// The names behind `<`, outside of comments and of what stands in double braces.
    private func tags() -> [String] {
        var tags: [String] = []
        var rest = bytes[...]
        func skip(to end: String) {
            while !rest.isEmpty, !rest.starts(with: end.utf8) { rest = rest.dropFirst() }
        }
        while let byte = rest.first {
            if rest.starts(with: "<!--".utf8) {
                skip(to: "-->")
            } else if rest.starts(with: "{{".utf8) {
                skip(to: "}}")
            } else if byte == UInt8(ascii: "<"), let initial = rest.dropFirst().first, Self.isLetter(initial) {
                let name = rest.dropFirst().prefix {
                    Self.isLetter($0) || $0 == UInt8(ascii: "-") || (0x30...0x39).contains($0) || $0 == 0x5F
                }
                tags.append(String(decoding: name, as: UTF8.self))
            }
            rest = rest.dropFirst()
        }
        return tags
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) }
}
