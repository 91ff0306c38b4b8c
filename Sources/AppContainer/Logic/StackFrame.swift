/// One line of an engine's stack, such as `load@/pages/index.js:12:7`.
struct StackFrame: CustomStringConvertible {
    var name: String
    var file: String
    var line: Int
    var column: Int

    /// The frames that name a file; `[native code]` and the like are left out.
    static func read(_ stack: String) -> [StackFrame] {
        stack.split(separator: "\n").prefix(64).compactMap { text in
            let at = text.lastIndex(of: "@")
            let name = at.map { String(text[..<$0]) } ?? ""
            let place = at.map { text[text.index(after: $0)...] } ?? text
            let parts = place.split(separator: ":")
            guard parts.count >= 3, let line = Int(parts[parts.count - 2]), let column = Int(parts[parts.count - 1]) else { return nil }
            return StackFrame(name: name, file: parts.dropLast(2).joined(separator: ":"), line: line, column: column)
        }
    }

    var description: String { "\(name.isEmpty ? "(anonymous)" : name) \(file):\(line):\(column)" }
}
