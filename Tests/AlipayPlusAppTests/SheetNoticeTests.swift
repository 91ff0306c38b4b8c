import Testing

@testable import AlipayPlusApp

/// What customers read: all of it, in every language, and no longer than a phone shows.
struct SheetNoticeTests {
    @Test(arguments: SheetNotice.allCases) func everyLanguageHasATextOfItsOwn(notice: SheetNotice) {
        for language in CustomerLanguage.allCases {
            let text = notice.text(in: language)
            #expect((4...SheetNotice.lengthLimit).contains(text.count), "\(notice) in \(language): \(text.count) characters")
            let others = SheetNotice.allCases.filter { $0 != notice }
            #expect(!others.contains { $0.text(in: language) == text }, "\(notice) in \(language) is said of another notice too")
        }
    }

    @Test(arguments: CustomerLanguage.allCases) func textIsWrittenInItsLanguage(language: CustomerLanguage) {
        let scripts: [CustomerLanguage: ClosedRange<UInt32>] = [
            .simplifiedChinese: 0x4E00...0x9FFF, .traditionalChinese: 0x4E00...0x9FFF, .korean: 0xAC00...0xD7A3, .thai: 0x0E00...0x0E7F,
        ]
        let letters = scripts[language] ?? 0x41...0x7A
        for notice in SheetNotice.allCases {
            let own = notice.text(in: language).unicodeScalars.filter { letters.contains($0.value) }.count
            #expect(own * 2 > notice.text(in: language).unicodeScalars.count, "\(notice) in \(language)")
            #expect(language == .english || notice.text(in: language) != notice.text(in: .english), "\(notice) is English")
        }
    }

    @Test func outcomesThatProveNothingAreNeverSaidToHaveFailed() {
        #expect(SheetNotice(.left(wallet: "GCASH", way: .page)) == .inWallet && SheetNotice(.cancelled) == .cancelled)
        #expect(SheetNotice(.failed(IAPError(.systemError, ""))) == .notBegun)
        let said = PaymentSheetOutcome.AlipayWord.allCases.map { SheetNotice(.alipay($0)) }
        #expect(said == [.beingConfirmed, .unfinished, .cancelled, .beingConfirmed, .beingConfirmed])
        for status in ["9000", "8000", "6002", "6004", "?", nil] {
            #expect(
                SheetNotice(.alipay(PaymentSheetOutcome.AlipayWord(resultStatus: status))).text(in: .english).contains("being confirmed"))
        }
    }
}
