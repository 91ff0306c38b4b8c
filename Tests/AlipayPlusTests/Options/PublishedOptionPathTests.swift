import AlipayPlusValues
import BillfoldMoney
import Crypto
import PaymentCrypto
import Testing

@Suite struct PublishedOptionPathTests {
    private let hash = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"

    @Test(arguments: AlipayPlusLanguage.allCases) func fieldsAndTextsHaveTheSameLanguages(language: AlipayPlusLanguage) {
        #expect(AlipayPlusLanguage(language.customerLanguage) == language)
        #expect(AlipayPlusLanguage(deviceLanguage: language.rawValue) == language)
    }

    @Test func merchantIsWrittenAsItsHash() throws {
        // The known answer of FIPS 180 for "abc".
        #expect(PublishedOptionPath.hash(ofMerchant: "abc") == hash)
        let path = PublishedOptionPath(
            environment: .sandbox, acquirerID: "A1", referenceMerchantID: "abc", currency: try Currency("JPY"), userRegion: "HK",
            logoPattern: .standard, file: .image)
        #expect(path.path == "/cdn/sandbox/A1/\(hash)/CASHIER_PAYMENT/JPY/HK/P1-APP-01/alipayplus.png")
        #expect(try PublishedOptionPath(path: path.path) == path)
    }

    /// Of every length around the ends of a block.
    @Test func hashIsThatOfTheLibrary() {
        for length in 0...200 {
            let id = String(repeating: "é7M-", count: length / 5) + String(repeating: "x", count: length % 5)
            #expect(PublishedOptionPath.hash(ofMerchant: id) == Hexadecimal.encode(SHA256.hash(data: Array(id.utf8))))
        }
    }

    @Test(arguments: [
        "", "/prod", "/other/A1/#/CASHIER_PAYMENT/JPY/HK/P1-APP-01/alipayplus.json", "/prod/A1/#/CASHIER_PAYMENT/JPY/HK/P1-APP-01",
        "/prod/A1/#/CASHIER_PAYMENT/JPY/HK/P1-APP-01/other.json", "/prod/../#/CASHIER_PAYMENT/JPY/HK/P1-APP-01/alipayplus.json",
        "/prod//#/CASHIER_PAYMENT/JPY/HK/P1-APP-01/alipayplus.json", "/prod/A1/abc/CASHIER_PAYMENT/JPY/HK/P1-APP-01/alipayplus.json",
        "/prod/A1/#/CASHIER_PAYMENT/jpy/HK/P1-APP-01/alipayplus.json", "/prod/A1/#/CASHIER_PAYMENT/JPY/hk/P1-APP-01/alipayplus.json",
        "/prod/A1/#/CASHIER_PAYMENT/JPY/HKG/P1-APP-01/alipayplus.json", "/prod/A1/#/CASHIER_PAYMENT/JPY/HK/P1-APP-01/alipayplus.json/",
    ])
    func otherPathsAreRefused(path: String) {
        #expect(throws: AlipayPlusError(code: .optionMalformed, reason: "")) {
            try PublishedOptionPath(path: path.replacing("#", with: hash))
        }
    }

    @Test func wrongPatternKeepsItsOwnCode() {
        #expect(throws: AlipayPlusError(code: .logoPatternMalformed, reason: "")) {
            try PublishedOptionPath(path: "/prod/A1/\(hash)/CASHIER_PAYMENT/JPY/HK/P3-APP-01/alipayplus.json")
        }
    }

    @Test(arguments: [
        "P1", "P1-WEB", "P1-WEB-", "p1-WEB-01", "P1-web-01", "P1-WEB-a/b", "P1-WEB-.", "P1-WEB-é", " P1-WEB-01", "P1-WEB-01 ",
    ])
    func oddPatternIsRefused(text: String) {
        #expect(throws: AlipayPlusError(code: .logoPatternMalformed, reason: "")) { try LogoPattern(text) }
    }

    @Test func defaultPatternsCountFromOne() throws {
        #expect(LogoPattern(layout: .markAbove, terminal: .web, number: 7).description == "P2-WEB-07")
        #expect(LogoPattern(layout: .markAbove, terminal: .web, number: 0).custom == "01")
        #expect(LogoPattern(layout: .markAbove, terminal: .web, number: 100).custom == "99")
        #expect(try LogoPattern("P1-WEB-1234567890").custom.count == LogoPattern.customLimit)
    }

    @Test(arguments: [
        ("ko", AlipayPlusLanguage.korean), ("ko-KR", .korean), ("zh", .simplifiedChinese), ("zh-Hans-HK", .simplifiedChinese),
        ("zh-TW", .traditionalChinese), ("zh_HK", .traditionalChinese), ("zh-Hant", .traditionalChinese), ("yue", .traditionalChinese),
        ("yue-Hans", .simplifiedChinese), ("tl", .filipino), ("fil-PH", .filipino), ("in", .indonesian), ("EN-gb", .english),
    ])
    func deviceLanguagesAreReadAsBrowsersSayThem(tag: String, language: AlipayPlusLanguage) {
        #expect(AlipayPlusLanguage(deviceLanguage: tag) == language)
    }

    @Test(arguments: ["", "de", "-", "xx-KR"])
    func otherDeviceLanguagesAreNone(tag: String) {
        #expect(AlipayPlusLanguage(deviceLanguage: tag) == nil)
    }

    @Test(arguments: ["ko-KR", "KO_KR", "ko", " ko_KR"])
    func fieldOfAnAppIsTakenOnlyAsItIsSpelt(given: String) {
        #expect(AlipayPlusLanguage(inApp: given) == .english)
        #expect(AlipayPlusLanguage(onWeb: given, device: "th-TH") == .thai)
    }

    @Test func pagesNameTheirLanguage() {
        #expect(Set(AlipayPlusLanguage.allCases.map(\.htmlTag)).count == 8)
        #expect(AlipayPlusLanguage.filipino.htmlTag == "fil-PH" && AlipayPlusLanguage.traditionalChinese.htmlTag == "zh-Hant-HK")
    }
}
