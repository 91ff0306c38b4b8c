import Testing

@testable import UnionPayApp

/// What customers read: all of it, in every language, and no longer than a phone shows.
struct PluginNoticeTests {
    @Test(arguments: PluginNotice.allCases) func everyLanguageHasATextOfItsOwn(notice: PluginNotice) {
        for language in CustomerLanguage.allCases {
            let text = notice.text(in: language)
            #expect((4...PluginNotice.lengthLimit).contains(text.count), "\(notice) in \(language): \(text.count) characters")
            let others = PluginNotice.allCases.filter { $0 != notice }
            #expect(!others.contains { $0.text(in: language) == text }, "\(notice) in \(language) is said of another notice too")
        }
    }

    @Test(arguments: CustomerLanguage.allCases) func textIsWrittenInItsLanguage(language: CustomerLanguage) {
        let scripts: [CustomerLanguage: ClosedRange<UInt32>] = [
            .simplifiedChinese: 0x4E00...0x9FFF, .traditionalChinese: 0x4E00...0x9FFF, .korean: 0xAC00...0xD7A3, .thai: 0x0E00...0x0E7F,
        ]
        let letters = scripts[language] ?? 0x41...0x7A
        for notice in PluginNotice.allCases {
            let own = notice.text(in: language).unicodeScalars.filter { letters.contains($0.value) }.count
            #expect(own * 2 > notice.text(in: language).unicodeScalars.count, "\(notice) in \(language)")
            #expect(language == .english || notice.text(in: language) != notice.text(in: .english), "\(notice) is English")
        }
    }

    @Test func wordsProveNothing() {
        #expect(PluginWord.allCases.map(PluginNotice.init) == [.beingConfirmed, .unfinished, .beingConfirmed])
        #expect(PluginNotice(PluginResult(code: "later").word) == .beingConfirmed)
        let statuses: [UPPaymentResultStatus] = [.success, .failure, .cancel, .unknownCancel]
        #expect(statuses.map(PluginNotice.init) == [.beingConfirmed, .unfinished, .beingConfirmed, .beingConfirmed])
        #expect(PluginNotice.beingConfirmed.text(in: .english).contains("being confirmed"))
    }
}
