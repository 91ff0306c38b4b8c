import Foundation

/// The package as it lies on disk, found from this file's own place in it.
enum Sources {
    static let root: URL = {
        var folder = URL(fileURLWithPath: #filePath)
        while folder.path != "/", !FileManager.default.fileExists(atPath: folder.appendingPathComponent("Package.swift").path) {
            folder.deleteLastPathComponent()
        }
        return folder
    }()

    struct File: CustomStringConvertible {
        var path: String
        var text: String
        var lines: [Substring] { text.split(separator: "\n", omittingEmptySubsequences: false) }
        var target: String { String(path.split(separator: "/")[1]) }
        var description: String { path }

        /// The text without comments and without what stands inside string literals, line by line.
        var codeLines: [String] {
            var result: [String] = []
            var (inComment, inText) = (false, false)
            for line in lines {
                let (code, comment, text) = Self.strip(line, inComment: inComment, inText: inText)
                (inComment, inText) = (comment, text)
                result.append(code)
            }
            return result
        }

        private static func strip(_ line: Substring, inComment: Bool, inText: Bool) -> (String, Bool, Bool) {
            var (inComment, inText, inString) = (inComment, inText, false)
            var code = ""
            var rest = line
            while let first = rest.first {
                if inComment {
                    if rest.hasPrefix("*/") {
                        inComment = false
                        rest = rest.dropFirst(2)
                    } else {
                        rest = rest.dropFirst()
                    }
                } else if rest.hasPrefix("\"\"\"") {
                    inText.toggle()
                    rest = rest.dropFirst(3)
                } else if inText {
                    rest = rest.dropFirst()
                } else if inString {
                    if first == "\\" {
                        rest = rest.dropFirst(2)
                    } else {
                        inString = first != "\""
                        rest = rest.dropFirst()
                    }
                } else if first == "\"" {
                    inString = true
                    rest = rest.dropFirst()
                } else if rest.hasPrefix("//") {
                    break
                } else if rest.hasPrefix("/*") {
                    inComment = true
                    rest = rest.dropFirst(2)
                } else {
                    code.append(first)
                    rest = rest.dropFirst()
                }
            }
            return (code, inComment, inText)
        }

        /// The modules imported, whatever attributes and access levels stand before the word.
        var imports: [String] {
            codeLines.compactMap { line in
                let words = line.split(whereSeparator: \.isWhitespace)
                guard let position = words.firstIndex(of: "import"), position + 1 < words.count else { return nil }
                guard
                    words[..<position].allSatisfy({
                        $0.hasPrefix("@") || ["public", "internal", "private", "fileprivate", "package"].contains($0)
                    })
                else { return nil }
                let kinds: Set<Substring> = ["struct", "class", "enum", "protocol", "func", "var", "let", "typealias", "actor"]
                let name = kinds.contains(words[position + 1]) && position + 2 < words.count ? words[position + 2] : words[position + 1]
                return name.split(separator: ".").first.map(String.init)
            }
        }
    }

    /// Every file under a folder whose name ends so, paths relative to the package.
    static func files(under folder: String, endings: [String]) -> [File] {
        let base = root.appendingPathComponent(folder)
        guard let walk = FileManager.default.enumerator(atPath: base.path) else { return [] }
        return walk.compactMap { $0 as? String }.filter { name in endings.contains { name.hasSuffix($0) } }.sorted().compactMap { name in
            guard let text = try? String(contentsOf: base.appendingPathComponent(name), encoding: .utf8) else { return nil }
            return File(path: "\(folder)/\(name)", text: text)
        }
    }

    /// One file, where it exists.
    static func file(_ path: String) -> File? {
        (try? String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)).map { File(path: path, text: $0) }
    }

    static let swift = files(under: "Sources", endings: [".swift"])
    static let tests = files(under: "Tests", endings: [".swift"])
}
