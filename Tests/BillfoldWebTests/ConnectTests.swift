import BillfoldWeb
import Testing

struct ConnectTests {
    @Test(
        arguments: [
            ("zh", nil, .chinese), ("zh-CN", "en", .chinese), (nil, "zh-CN,zh;q=0.9,en;q=0.8", .chinese), (nil, "de, zh;q=0.5", .chinese),
            (nil, nil, .english), ("xx", "en-GB", .english), (nil, "", .english),
        ] as [(String?, String?, ConnectLanguage)])
    func aGuideIsReadInTheReadersLanguage(named: String?, accepted: String?, language: ConnectLanguage) {
        #expect(ConnectLanguage(named: named, accepted: accepted) == language)
    }

    /// What a shell reads back is what was written, whatever stands in it.
    @Test func anEnvironmentFileQuotesItsValues() {
        var guide = PageSamples.merchantGuide
        guide.values = [.init("KEY", "a'b $(date) \"c\"", meaning: .init("", ""))]
        #expect(guide.environment == #"KEY='a'\''b $(date) "c"'"# + "\n")
    }

    @Test func bothLanguagesSayEverything() throws {
        for guide in [PageSamples.merchantGuide, PageSamples.bankGuide] {
            let texts = [guide.title, guide.summary] + guide.values.map(\.meaning) + guide.steps.flatMap { [$0.title, $0.text] }
            for text in texts {
                #expect(!text.english.isEmpty && text.chinese.contains { $0 > "\u{4e00}" }, "\(text.english)")
            }
            let page = try ConnectGuidePage(guide, in: .chinese).html()
            #expect(page.contains(guide.title.chinese) && !page.contains(guide.title.english))
        }
    }
}
