import Alipay
import Testing

@testable import AlipayApp

/// What customers read: all of it, in every language, and no longer than a phone shows.
struct PaymentNoticeTests {
    @Test(arguments: PaymentNotice.allCases) func everyLanguageHasATextOfItsOwn(notice: PaymentNotice) {
        for language in CustomerLanguage.allCases {
            let text = notice.text(in: language)
            #expect((4...PaymentNotice.lengthLimit).contains(text.count), "\(notice) in \(language): \(text.count) characters")
            let others = PaymentNotice.allCases.filter { $0 != notice }
            #expect(!others.contains { $0.text(in: language) == text }, "\(notice) in \(language) is said of another notice too")
        }
    }

    @Test(arguments: CustomerLanguage.allCases) func textIsWrittenInItsLanguage(language: CustomerLanguage) {
        let scripts: [CustomerLanguage: ClosedRange<UInt32>] = [
            .simplifiedChinese: 0x4E00...0x9FFF, .traditionalChinese: 0x4E00...0x9FFF, .korean: 0xAC00...0xD7A3, .thai: 0x0E00...0x0E7F,
        ]
        let letters = scripts[language] ?? 0x41...0x7A
        for notice in PaymentNotice.allCases {
            let own = notice.text(in: language).unicodeScalars.filter { letters.contains($0.value) }.count
            #expect(own * 2 > notice.text(in: language).unicodeScalars.count, "\(notice) in \(language)")
        }
    }

    @Test func openOutcomesAreNeverSaidToHaveFailed() {
        #expect(PaymentNotice(PaymentOutcome.undecided) == .beingConfirmed && PaymentNotice(PaymentOutcome.cancelled) == .cancelled)
        #expect(PaymentNotice(.succeeded(ConfirmedPayment(orderNumber: "1", resultIsVerified: true))) == .paid)
        #expect(PaymentNotice(.failed(.failed)) == .notPaid)
        for status in ["8000", "5000", "6002", "6004", "?", nil] { #expect(PaymentNotice(resultStatus: status) == .beingConfirmed) }
        #expect(PaymentNotice(resultStatus: "9000") == .paid && PaymentNotice(resultStatus: "6001") == .cancelled)
        #expect(PaymentNotice(resultStatus: "4000") == .notPaid)
    }
}
