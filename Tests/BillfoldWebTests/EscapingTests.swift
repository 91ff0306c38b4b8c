import BillfoldWeb
import Testing

/// What a hostile party could send as any value.
enum Hostile {
    static let marker = "b1llf0ld"
    static let values = [
        "<script>\(marker)</script>", "\"><img src=x onerror=\(marker)>", "' onfocus=\(marker) autofocus='", "</title><b>\(marker)",
        "{{\(marker)}}",
        "\"\u{301} onfocus=\(marker) x=\"\u{301}", "<\u{301}b \(marker)>", "'\u{200d} \(marker)", "&lt;\(marker)", "\u{0}<\(marker)",
        "`\(marker)`",
        "javascript:\(marker)", "--><\(marker)", "]]><\(marker)",
    ]

    /// Whether a page holds the value only as text: no mark-up character of it survives around the marker.
    static func isHarmless(_ page: String, value: String) -> Bool {
        let scalars = Array(page.unicodeScalars)
        let needle = Array(value.unicodeScalars)
        guard value.unicodeScalars.contains(where: { "<>\"'&`".unicodeScalars.contains($0) }) else { return true }
        guard scalars.count >= needle.count else { return true }
        for start in 0...(scalars.count - needle.count) where scalars[start] == needle[0] {
            if Array(scalars[start..<start + needle.count]) == needle { return false }
        }
        return true
    }
}

struct EscapingTests {
    @Test(arguments: Hostile.values)
    func homePageShowsHostileValuesAsText(value: String) throws {
        let story = StorySummary(id: value, name: value, messageCount: 1, problemCount: 1, startedAt: 0, titles: [value, value])
        let frame = PageFrame(links: [.init(value, path: value)], mode: value, operatorName: value, csrfToken: value)
        let page = try HomePage(frame: frame, stories: [story], shopAddress: value).html()
        #expect(Hostile.isHarmless(page, value: value))
        #expect(page.contains(Hostile.marker))
    }

    @Test(arguments: Hostile.values)
    func problemPageShowsHostileValuesAsText(value: String) throws {
        let page = try ProblemPage(status: 404, code: value, reason: value).html()
        #expect(Hostile.isHarmless(page, value: value))
        #expect(page.contains(Hostile.marker))
    }

    @Test func configuredLinkMustBeAWebAddress() throws {
        #expect(try !HomePage(shopAddress: "javascript:alert(1)").html().contains("javascript:"))
        #expect(try !HomePage(shopAddress: "//elsewhere.example").html().contains("elsewhere"))
        #expect(try HomePage(shopAddress: "http://127.0.0.1:8082/shop/").html().contains("http://127.0.0.1:8082/shop/"))
    }
}
