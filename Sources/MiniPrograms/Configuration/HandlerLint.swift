import BillfoldDiagnosis

/// Holds the handlers that templates name against the scripts of their pages and components (mini-programs.md#events).
///
/// It reads words and no syntax: a handler is there where its name stands in the script, in one that the script imports, or in `app.js`,
/// for some are set while the page runs. Where a module is not in the package nothing is said, for it may bring the handler along.
struct HandlerLint {
    private let files: [String: [UInt8]]
    private var scripts: [String: Script] = [:]

    init(files: [String: [UInt8]]) { self.files = files }

    /// Bundles and generated scripts beyond it are not read.
    private static let readLimit = 512 * 1024
    private static let mostScripts = 200
    /// The most handlers of one template that are named.
    private static let mostFindings = 8

    /// - Parameter stem: The path of a page or a component without its ending.
    mutating func findings(of stem: String) -> [Finding] {
        guard let script = [stem + ".js", stem + ".ts"].first(where: { files[$0] != nil }) else { return [] }
        let named = templates(of: stem + ".axml").flatMap(handlers)
        guard !named.isEmpty, let words = words(reachedFrom: [script, "app.js", "app.ts"]) else { return [] }
        let own = self.script(script)?.words.sorted() ?? []
        var seen: Set<String> = []
        return named.filter { !words.contains($0.name) && seen.insert($0.name).inserted }.prefix(Self.mostFindings).map { handler in
            let near = own.first { Self.isNear($0, handler.name) }
            return Finding(
                code: "mini-program.handler-missing", severity: .warning, subject: handler.template,
                cause: "A template names a handler that no script of its page or component has: the event does nothing.",
                evidence: [.init("handler", handler.name), .init("line", String(handler.line)), .init("script", script)]
                    + (near.map { [.init("near", $0)] } ?? []),
                mend: near.map { "Did you mean \($0)? Name a method of the page, or of the component's methods." }
                    ?? "Write the method into \(script), or mend the name: letter case counts.")
        }
    }

    // MARK: Templates

    private struct Handler {
        var name: String
        var line: Int
        var template: String
    }

    /// The template and those that it includes or takes templates from.
    private func templates(of path: String) -> [String] {
        var (found, waiting): ([String], [String]) = ([], [path])
        while let next = waiting.popLast(), found.count < Self.mostScripts {
            guard !found.contains(next), let text = text(next) else { continue }
            found.append(next)
            waiting += Self.withoutComments(text).matches(of: /<(?:include|import)\s[^>]*?src\s*=\s*["']([^"']+)["']/).compactMap { hit in
                let named = String(hit.1)
                // A bare path is relative, too.
                guard
                    let target = ConfigurationPath.resolve(named.hasPrefix("/") || named.hasPrefix(".") ? named : "./" + named, from: next)
                else { return nil }
                return files[target] == nil ? target + ".axml" : target
            }
        }
        return found
    }

    /// Names that stand in `onX` and `catchX` as they are; an expression says its name only while it runs.
    private func handlers(_ template: String) -> [Handler] {
        guard let text = text(template) else { return [] }
        let plain = Self.withoutComments(text)
        return plain.matches(of: /\s(?:on|catch)[A-Z][A-Za-z]*\s*=\s*["']\s*([A-Za-z_$][\w$]*)\s*["']/).compactMap { hit in
            let name = String(hit.1)
            // What stops an event and does no more is often written so.
            guard !["true", "false", "none", "noop"].contains(name) else { return nil }
            return Handler(name: name, line: plain[..<hit.range.lowerBound].count(where: \.isNewline) + 1, template: template)
        }
    }

    /// Comments become line ends, so that lines keep their numbers.
    private static func withoutComments(_ text: String) -> String {
        text.replacing(/<!--.*?-->/.dotMatchesNewlines()) { String($0.output.filter(\.isNewline)) }
    }

    // MARK: Scripts

    /// What is read of a script: its words, and what it imports.
    private struct Script {
        var words: Set<String> = []
        var modules: [String] = []

        init(_ bytes: [UInt8]) {
            var index = 0
            while index < bytes.count {
                guard Self.isOfWord(bytes[index]) else {
                    index += 1
                    continue
                }
                let begin = index
                while index < bytes.count, Self.isOfWord(bytes[index]) { index += 1 }
                let word = String(decoding: bytes[begin..<index], as: UTF8.self)
                words.insert(word)
                if ["from", "import", "require"].contains(word), let module = Self.text(bytes, behind: index) { modules.append(module) }
            }
        }

        private static func isOfWord(_ byte: UInt8) -> Bool {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...: true
            default: false
            }
        }

        /// What stands in quotation marks behind a word, with or without a parenthesis.
        private static func text(_ bytes: [UInt8], behind place: Int) -> String? {
            let rest = bytes[place...].prefix(512).drop { [0x20, 0x09, 0x0A, 0x0D, UInt8(ascii: "(")].contains($0) }
            guard let mark = rest.first, mark == UInt8(ascii: "'") || mark == UInt8(ascii: "\"") else { return nil }
            let inner = rest.dropFirst().prefix { $0 != mark && $0 != 0x0A }
            return inner.endIndex < rest.endIndex && !inner.isEmpty ? String(decoding: inner, as: UTF8.self) : nil
        }
    }

    /// Every word of the scripts and of what they import; nil where a module is not in the package.
    private mutating func words(reachedFrom scripts: [String]) -> Set<String>? {
        var words: Set<String> = []
        var (seen, waiting): (Set<String>, [String]) = ([], scripts.filter { files[$0] != nil })
        while let next = waiting.popLast() {
            guard seen.insert(next).inserted else { continue }
            guard seen.count <= Self.mostScripts, let script = script(next) else { return nil }
            words.formUnion(script.words)
            for name in script.modules {
                guard let module = module(name, from: next) else { return nil }
                waiting.append(module)
            }
        }
        return words
    }

    /// Nil for one that is too large. Modules that many pages share are read once.
    private mutating func script(_ path: String) -> Script? {
        if let script = scripts[path] { return script }
        guard let bytes = files[path], bytes.count <= Self.readLimit else { return nil }
        let script = Script(bytes)
        scripts[path] = script
        return script
    }

    /// The file that an import names; nil for one that is not here.
    private func module(_ name: String, from file: String) -> String? {
        let path = ConfigurationPath.resolve(name, from: file) ?? (name.hasPrefix(".") ? nil : "node_modules/" + name)
        return path.flatMap { path in
            ["", ".js", ".ts", ".json", "/index.js", "/index.ts"].map { path + $0 }.first { files[$0] != nil }
        }
    }

    private func text(_ path: String) -> String? {
        files[path].flatMap { $0.count <= Self.readLimit ? String(decoding: $0, as: UTF8.self) : nil }
    }

    /// Whether one word is the other with one letter more, less, changed or in its neighbour's place, or in another letter case.
    private static func isNear(_ one: String, _ other: String) -> Bool {
        let (one, other) = (Array(one.utf8), Array(other.utf8))
        guard one != other, abs(one.count - other.count) <= 1, min(one.count, other.count) > 2 else { return false }
        if one.map(lowerCased) == other.map(lowerCased) { return true }
        let front = zip(one, other).prefix { $0 == $1 }.count
        let (first, second) = (one[front...], other[front...])
        if first.dropFirst().elementsEqual(second.dropFirst()) || first.dropFirst().elementsEqual(second)
            || second.dropFirst().elementsEqual(first)
        {
            return true
        }
        return first.count > 1 && second.count > 1 && first.prefix(2).reversed().elementsEqual(second.prefix(2))
            && first.dropFirst(2).elementsEqual(second.dropFirst(2))
    }

    private static func lowerCased(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte + 0x20 : byte }
}
