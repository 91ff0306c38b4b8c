import Foundation
import Testing

/// The first example of a product's page is compiled and run: it is the text of a file of `Tests/ExamplesTests`.
struct ExampleTests {
    private static let products: [String] =
        Sources.file("Package.swift").map { $0.text.matches(of: /\.library\(name: "(\w+)"/).map { String($0.output.1) } } ?? []

    /// What the file shows: its imports, and the lines between its two marks.
    private func shown(_ file: Sources.File) throws -> String {
        let lines = file.lines.map(String.init)
        let imports = lines.filter { $0.hasPrefix("import ") && $0 != "import Testing" }
        let start = try #require(lines.firstIndex { $0.trimmingCharacters(in: .whitespaces) == "// Example" }, "\(file) marks no example")
        let end = try #require(lines.firstIndex { $0.trimmingCharacters(in: .whitespaces) == "// End" }, "\(file) does not end its example")
        let region = lines[(start + 1)..<end]
        let margin = region.filter { !$0.isEmpty }.map { $0.prefix { $0 == " " }.count }.min() ?? 0
        return (imports + [""] + region.map { String($0.dropFirst(margin)) }).joined(separator: "\n")
    }

    @Test(arguments: products) func thePagesExampleIsRun(_ product: String) throws {
        let file = try #require(Sources.file("Tests/ExamplesTests/\(product)Example.swift"), "\(product) has no example that is run")
        let page = try #require(Sources.file("Sources/\(product)/Documentation.docc/\(product).md"))
        let block = try #require(page.text.firstMatch(of: /(?s)```swift\n(.*?)\n```/), "\(page) has no example")
        let example = try shown(file)
        #expect(String(block.output.1) == example, "the page's first example is not what is run")
    }

    @Test func allProductsWereLookedAt() { #expect(Self.products.count > 25) }
}
