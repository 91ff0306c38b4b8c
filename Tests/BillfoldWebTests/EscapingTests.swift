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
    @Test(arguments: PageSamples.names, Hostile.values)
    func everyFieldIsShownAsText(page name: String, value: String) async throws {
        let page = try await PageSamples.hostile(name, value)
        #expect(Hostile.isHarmless(page, value: value))
        #expect(!page.contains("href=\"javascript:"))
        #expect(name == "sign-in" || page.contains(Hostile.marker))
    }

    @Test func testItselfSeesAnUnescapedValue() {
        for value in Hostile.values where value.contains("<") || value.contains("\u{301}") {
            #expect(!Hostile.isHarmless("<p>" + value + "</p>", value: value))
        }
    }

    private func start(_ address: String) -> JourneyStart { .init(journey: "journey", address: address, invitation: "Begin") }

    @Test func configuredLinkMustBeAWebAddress() throws {
        #expect(try !HomePage(journeys: .five, starts: [start("javascript:alert(1)")]).html().contains("javascript:"))
        #expect(try !HomePage(journeys: .five, starts: [start("//elsewhere.example")]).html().contains("elsewhere"))
        #expect(
            try HomePage(journeys: .five, starts: [start("http://127.0.0.1:8082/shop/")]).html().contains("http://127.0.0.1:8082/shop/"))
    }
}
