import AlipayPlusValues
import BillfoldMoney
import Testing

@Suite struct PublishedOptionTests {
    private let full = PublishedOption(
        isEnabled: true, brandName: "Alipay+",
        logos: [.init(name: "GCash", url: "https://cdn.example.test/l.png", pattern: "P2-WEB-TypeD", width: "912", height: "120")],
        promotions: [.english: ["5% off"], .korean: ["5% 할인"]])

    private func read(_ text: String) throws -> PublishedOption { try PublishedOption(Array(text.utf8)) }

    @Test func fileIsReadAsItWasWritten() throws {
        #expect(try read(full.text) == full)
        var off = PublishedOption(isEnabled: false)
        off.disableReasons = [.thai: "ปิด", .english: "Closed"]
        #expect(try read(off.text) == off)
    }

    @Test func membersThatAreNotThereAreNotWritten() {
        #expect(PublishedOption(isEnabled: false).text == #"{"enabled":false,"logos":[]}"#)
    }

    @Test func otherFormsOfTheSameAreTaken() throws {
        let text = """
            {"enabled":"true","logos":[{"logoWidth":912,"logoHeight":"120","logoName":null,"new":{}}],"promoNames":{"en_US":"5% off","xx":["?"],\
            "ko_KR":[""]},"more":[1]}
            """
        let option = try read(text)
        #expect(option.isEnabled && option.brandName == nil)
        #expect(option.logos == [.init(width: "912", height: "120")])
        #expect(option.promotions(in: .english) == ["5% off"])
        #expect(option.promotions(in: .korean) == ["5% off"])
    }

    @Test(arguments: [
        "", "[]", "{}", #"{"enabled":null}"#, #"{"enabled":1}"#, #"{"enabled":"yes"}"#, #"{"enabled":true,"enabled":true}"#,
        #"{"enabled":true,"logos":["l.png"]}"#, #"{"enabled":true}x"#,
    ])
    func fileThatSaysNothingCertainIsRefused(text: String) {
        #expect(throws: AlipayPlusError(code: .optionMalformed, reason: "")) { try read(text) }
    }

    @Test func longFileIsRefused() {
        let text = #"{"enabled":true,"x":""# + String(repeating: "x", count: PublishedOption.maximumLength) + #""}"#
        #expect(throws: AlipayPlusError(code: .optionMalformed, reason: "")) { try read(text) }
    }

    @Test func textsFallBackToEnglishAndThenToNone() throws {
        #expect(full.promotions(in: .korean) == ["5% 할인"])
        #expect(full.promotions(in: .thai) == ["5% off"])
        #expect(PublishedOption(isEnabled: true, promotions: [.korean: ["5%"]]).promotions(in: .thai) == nil)
        let off = PublishedOption(isEnabled: false, disableReasons: [.english: "Closed"])
        #expect(off.disableReason(in: .malay) == "Closed" && full.disableReason(in: .malay) == nil)
    }

    @Test func reasonsAreWrittenInEveryLanguageAndNameTheCurrency() throws {
        let currency = try Currency("PHP")
        for reason in [DisableReason.switchedOff, .currencyNotOffered(currency)] {
            let texts = Set(AlipayPlusLanguage.allCases.map(reason.text))
            #expect(texts.count == 8 && texts.allSatisfy { $0.contains("Alipay+") })
        }
        #expect(AlipayPlusLanguage.allCases.allSatisfy { DisableReason.currencyNotOffered(currency).text(in: $0).contains("PHP") })
    }
}
