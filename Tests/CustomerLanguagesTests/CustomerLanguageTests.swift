import CustomerLanguages
import Testing

/// A device says its language in many ways; customers read one of eight.
struct CustomerLanguageTests {
    @Test func languagesAreThoseOfThePaymentSheet() {
        #expect(CustomerLanguage.allCases.map(\.rawValue) == ["zh-Hans", "zh-Hant", "en", "ko", "fil", "ms", "id", "th"])
        for language in CustomerLanguage.allCases { #expect(CustomerLanguage(tag: language.rawValue) == language) }
    }

    @Test(arguments: [
        ("zh-Hans-CN", CustomerLanguage.simplifiedChinese), ("zh", .simplifiedChinese), ("zh-Hans-HK", .simplifiedChinese),
        ("yue-Hans", .simplifiedChinese), ("zh_TW", .traditionalChinese), ("zh-MO", .traditionalChinese),
        ("zh-Hant-US", .traditionalChinese),
        ("yue", .traditionalChinese), ("en-GB", .english), ("ko_KR", .korean), ("KO", .korean), ("tl", .filipino), ("fil-PH", .filipino),
        ("ms-SG", .malay), ("in_ID", .indonesian), ("id", .indonesian), ("th", .thai),
    ])
    func tagSaysTheLanguage(tag: String, language: CustomerLanguage) { #expect(CustomerLanguage(tag: tag) == language) }

    @Test(arguments: ["pt-BR", "", "-", "k", "kok", "\u{212A}o", "th\u{301}"])
    func tagOfAnotherLanguageSaysNone(tag: String) { #expect(CustomerLanguage(tag: tag) == nil) }

    @Test(arguments: [
        (["ko-KR"], CustomerLanguage.korean), (["fr", "th"], .thai), (["fr", "en-GB", "th"], .english), (["fr", "de"], .english),
        ([], .english), ([""], .english), (["\u{212A}o", "ms"], .malay),
    ])
    func firstLanguageThatIsThereIsTaken(tags: [String], language: CustomerLanguage) {
        #expect(CustomerLanguage(preferred: tags) == language)
    }
}
