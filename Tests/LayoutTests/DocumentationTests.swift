import Foundation
import Testing

/// What documents and comments point at is there.
struct DocumentationTests {
    static let documents =
        Sources.files(under: "docs", endings: [".md"]) + Sources.files(under: "Examples", endings: [".md"])
        + ["README.md", "README.zh-CN.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md"].compactMap(Sources.file)

    /// The anchors of a document's headings, as GitHub and most other renderers make them.
    static func anchors(of document: Sources.File) -> [String] {
        var inCode = false
        var anchors: [String] = []
        for line in document.lines {
            if line.hasPrefix("```") { inCode.toggle() }
            guard !inCode, let heading = line.prefixMatch(of: #/#+ /#) else { continue }
            let words = line[heading.range.upperBound...].lowercased()
            anchors.append(
                String(words.unicodeScalars.filter { CharacterSet.alphanumerics.union(["-", "_", " "]).contains($0) })
                    .replacing(" ", with: "-"))
        }
        return anchors
    }

    static let protocols = Sources.files(under: "docs/protocols", endings: [".md"])

    @Test func aProtocolsAnchorsAreUnique() {
        #expect(Self.protocols.count == 6)
        for page in Self.protocols {
            let anchors = Self.anchors(of: page)
            #expect(Set(anchors).count == anchors.count, "\(page) has two headings of one name")
        }
    }

    /// A comment cites `apple-pay.md#notification` or the like: a page of `docs/protocols`, and one of its headings.
    @Test func everyCitedSectionIsThere() throws {
        let pages = Dictionary(
            uniqueKeysWithValues: Self.protocols.map { (String($0.path.split(separator: "/").last ?? ""), Set(Self.anchors(of: $0))) })
        let endings = [".swift", ".md", ".c", ".cpp", ".js", ".py", ".yaml", ".mustache"]
        var cited = 0
        for file in ["Sources", "Tests", "Benchmarks", "docs"].flatMap({ Sources.files(under: $0, endings: endings) }) {
            let citing = file.lines.filter { $0.contains(".md#") }.joined(separator: "\n")
            for citation in citing.matches(of: /([a-z-]+\.md)#([\w-]+)/) {
                guard let anchors = pages[String(citation.output.1)] else { continue }
                cited += 1
                #expect(anchors.contains(String(citation.output.2)), "\(file) cites \(citation.output.0), which is not there")
            }
        }
        #expect(cited > 300)
    }

    @Test func everyLinkOfADocumentLeadsSomewhere() throws {
        for document in Self.documents {
            let folder = Sources.root.appendingPathComponent(document.path).deletingLastPathComponent()
            for link in document.text.matches(of: /\]\(([^)\s]+)\)/) {
                let parts = link.output.1.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
                guard !parts[0].contains(":") else { continue }
                let target =
                    parts[0].isEmpty
                    ? Sources.root.appendingPathComponent(document.path) : folder.appendingPathComponent(String(parts[0]))
                guard FileManager.default.fileExists(atPath: target.path) else {
                    Issue.record("\(document): \(link.output.1) is not there")
                    continue
                }
                guard parts.count == 2, target.pathExtension == "md" else { continue }
                let page = Sources.File(path: target.path, text: try String(contentsOf: target, encoding: .utf8))
                #expect(Self.anchors(of: page).contains(String(parts[1])), "\(document): \(link.output.1) has no such heading")
            }
        }
    }

    /// Its headings, its commands and its links are those of the English text, in their order.
    @Test(arguments: [("README.md", "README.zh-CN.md"), ("docs/connect.md", "docs/connect.zh-CN.md")])
    func theChineseTextKeepsToTheEnglishOne(englishPath: String, chinesePath: String) throws {
        // What leads from one language to the other.
        let names = [englishPath, chinesePath].compactMap { $0.split(separator: "/").last.map(String.init) }
        func parts(_ path: String) throws -> [String] {
            let file = try #require(Sources.file(path))
            var inCode = false
            return file.lines.flatMap { line -> [String] in
                if line.hasPrefix("```") {
                    inCode.toggle()
                    return [String(line)]
                }
                if inCode { return [String(line.prefixMatch(of: /.*?(?= *(#|\/\/)|$)/)?.output.0 ?? "")] }
                let heading = line.prefixMatch(of: #/#+ /#).map { ["\($0.output)"] } ?? []
                let links = line.matches(of: /\]\(([^)]+)\)/).map { "\($0.output.1)" }
                return heading + links.filter { !names.contains($0) }
            }
        }
        let english = try parts(englishPath)
        #expect(english.count > 30)
        #expect(try parts(chinesePath) == english)
    }

    /// The Chinese chapters name the same variables, routes and files as the English ones.
    @Test func theChineseChaptersNameTheSame() throws {
        func names(_ path: String) throws -> Set<String> {
            Set(try #require(Sources.file(path)).text.matches(of: /`([^`\n]+)`/).map { String($0.output.1) })
        }
        let english = try names("docs/connect.md")
        #expect(english.count > 50)
        #expect(try names("docs/connect.zh-CN.md") == english)
    }

    @Test func theReadmeStaysShort() throws {
        #expect(try #require(Sources.file("README.md")).lines.count <= 150)
    }

    /// Folders and files that a document names in code type.
    @Test func everyPlaceThatADocumentNamesIsThere() {
        for document in Self.documents where !document.path.hasPrefix("CHANGELOG") {
            for place in document.text.matches(of: /`((?:Sources|Tests|docs|scripts)\/[\w.\/+-]*[\w\/])`/) {
                let path = Sources.root.appendingPathComponent(String(place.output.1)).path
                #expect(FileManager.default.fileExists(atPath: path), "\(document) names \(place.output.1)")
            }
        }
    }

    /// A number of a section says nothing without the document that it is of.
    @Test func nobodyCitesWhatReadersDoNotHave() {
        for file in Sources.swift + Sources.tests where !file.path.hasSuffix("DocumentationTests.swift") {
            for (number, line) in file.lines.enumerated() where line.contains("//") {
                let cites = line.contains(/\breference (\([a-z]\)|section|[0-9])|\breference's\b.*\bsection/)
                #expect(!cites, "\(file):\(number + 1) cites a text that is not here")
            }
        }
    }
}
