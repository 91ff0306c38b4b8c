import Testing
import WalletAPI

/// What customers read is there in every language, fits its place, and never calls an unknown payment failed.
@Suite struct TextTests {
    private func names(_ text: String) -> Set<String> { Set(text.matches(of: #/\{(\w+)\}/#).map { String($0.output.1) }) }

    @Test(arguments: CustomerLanguage.allCases)
    func everyTextIsThereAndFits(language: CustomerLanguage) {
        let (texts, english) = (SuperAppTexts(language), SuperAppTexts(.english))
        for text in SuperAppText.allCases {
            // A text that is missing shows its own name.
            #expect(texts[text] != text.rawValue && !texts[text].isEmpty, "\(language) \(text)")
            #expect(texts[text].replacing(#/\{\w+\}/#, with: "").count <= text.limit, "\(language) \(text): \(texts[text])")
            #expect(names(texts[text]) == names(english[text]), "\(language) \(text)")
            #expect(!texts[text].contains("\n") && texts[text].first != " " && texts[text].last != " ", "\(language) \(text)")
            if language != .english { #expect(texts[text] != english[text], "\(language) \(text) is in English") }
        }
    }

    @Test(arguments: CustomerLanguage.allCases)
    func unknownEndNeverReadsAsAFailure(language: CustomerLanguage) {
        let texts = SuperAppTexts(language)
        let settled = Set(PaymentEnding.allCases.filter(\.isSettled).map { texts[SuperAppText($0)] })
        for ending in PaymentEnding.allCases where !ending.isSettled {
            #expect(!settled.contains(texts[SuperAppText(ending)]), "\(ending)")
        }
        #expect(
            texts[SuperAppText(.paid)] != texts[SuperAppText(.failed)] && texts[SuperAppText(.cancelled)] != texts[SuperAppText(.failed)])
    }

    @Test(arguments: CustomerLanguage.allCases)
    func scopesHaveLinesOfTheirOwn(language: CustomerLanguage) {
        let texts = SuperAppTexts(language)
        let lines = WalletScope.allCases.map { texts.line(ofScope: $0.rawValue) }
        // Two are older names of others.
        #expect(Set(lines).count == WalletScope.allCases.count - 2)
        #expect(texts.line(ofScope: "MOON").contains("MOON"))
    }

    @Test func pagesNameWhoAsks() {
        let texts = SuperAppTexts(.english)
        let question = ConsentQuestion(appID: "a", name: "Tea", logo: "", scopes: ["USER_NAME", "MOON"])
        #expect(texts.title(of: question) == "Tea would like to use" && texts.lines(of: question) == ["Your name", "Other data: MOON"])
        let prompt = DeepLinkPrompt(appID: "a", appName: "Tea", scene: nil, destination: "host pay.example.com")
        #expect(texts.title(of: prompt) == "Tea wants to open pay.example.com")
    }

    /// A mini program chooses its name, and must not write the page with it.
    @Test func whatIsFilledInIsNotReadAgain() {
        let texts = SuperAppTexts(.english)
        #expect(texts(.linkTitle, ["app": "{place}", "place": "x.test"]) == "{place} wants to open x.test")
        #expect(texts(.consentTitle, ["app": String(repeating: "a", count: 500)]).count == 64 + " would like to use".count)
    }
}
