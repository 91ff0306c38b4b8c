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

        /// The text without comments and without what stands inside string literals, line by line. Made once: several tests read it.
        var codeLines: [String] { Sources.code[path] ?? strippedLines }

        /// Byte by byte: every sign that matters is ASCII, and no other character holds one of its bytes.
        fileprivate var strippedLines: [String] {
            let (quotes, slashes, opening, closing) = (Array("\"\"\"".utf8), Array("//".utf8), Array("/*".utf8), Array("*/".utf8))
            var (inComment, inText) = (false, false)
            return lines.map { line in
                let bytes = Array(line.utf8)
                var (code, place, inString): ([UInt8], Int, Bool) = ([], 0, false)
                func stands(_ sign: [UInt8]) -> Bool { bytes[place...].starts(with: sign) }
                scan: while place < bytes.count {
                    switch bytes[place] {
                    case _ where inComment:
                        inComment = !stands(closing)
                        place += inComment ? 1 : 2
                    case UInt8(ascii: "\"") where stands(quotes):
                        inText.toggle()
                        place += 3
                    case _ where inText: place += 1
                    case UInt8(ascii: "\\") where inString: place += 2
                    case UInt8(ascii: "\""):
                        inString.toggle()
                        place += 1
                    case _ where inString: place += 1
                    case UInt8(ascii: "/") where stands(slashes): break scan
                    case UInt8(ascii: "/") where stands(opening):
                        inComment = true
                        place += 2
                    case let byte:
                        code.append(byte)
                        place += 1
                    }
                }
                return String(decoding: code, as: UTF8.self)
            }
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
    fileprivate static let code = Dictionary(uniqueKeysWithValues: swift.map { ($0.path, $0.strippedLines) })
    static let tests = files(under: "Tests", endings: [".swift"])
}
