import AlipayPlusValues
import BillfoldMoney
import BillfoldTestSupport
import Foundation
import Testing

/// Every row of the SDK's vectors that the protocol library answers; the error codes are the client's.
@Suite(.enabled(if: Vectors.available("alipay-plus-acquirer/sdk-vectors.json")))
struct SDKVectorTests {
    private struct File: Decodable {
        struct Language: Decodable {
            var given: String?
            var device: String?
            var used: String
        }
        struct Pattern: Decodable {
            var value: String
            var valid: Bool
        }
        struct Path: Decodable {
            var environment: String
            var acquirerId: String
            var merchantIdSha256: String
            var productCode: String
            var paymentCurrency: String
            var userRegion: String?
            var logoPattern: String
            var path: String
        }
        var languages: [String]
        var iosLanguage: [Language]
        var webLanguage: [Language]
        var logoPattern: [Pattern]
        var cdnPath: [Path]
    }

    private let file: File

    init() throws { file = try Vectors.json("alipay-plus-acquirer/sdk-vectors.json") }

    @Test func languagesAreTheEightAndNoOther() {
        #expect(Set(AlipayPlusLanguage.allCases.map(\.rawValue)) == Set(file.languages) && file.languages.count == 8)
    }

    @Test func appTakesTheFieldOrEnglish() {
        #expect(!file.iosLanguage.isEmpty)
        for row in file.iosLanguage { #expect(AlipayPlusLanguage(inApp: row.given).rawValue == row.used) }
    }

    @Test func pageTakesTheFieldThenTheDeviceThenEnglish() {
        #expect(!file.webLanguage.isEmpty)
        for row in file.webLanguage { #expect(AlipayPlusLanguage(onWeb: row.given, device: row.device).rawValue == row.used) }
    }

    @Test func logoPatternsAreReadOrRefused() {
        #expect(file.logoPattern.contains { $0.valid } && file.logoPattern.contains { !$0.valid })
        for row in file.logoPattern { #expect(((try? LogoPattern(row.value))?.description == row.value) == row.valid, "\(row.value)") }
    }

    @Test func publishedPathsAreWrittenAndRead() throws {
        #expect(!file.cdnPath.isEmpty)
        for row in file.cdnPath {
            let path = PublishedOptionPath(
                environment: try #require(AlipayPlusEnvironment(rawValue: row.environment)), acquirerID: row.acquirerId,
                merchantHash: row.merchantIdSha256, productCode: row.productCode, currency: try Currency(row.paymentCurrency),
                userRegion: row.userRegion, logoPattern: try LogoPattern(row.logoPattern))
            #expect(path.path == row.path)
            #expect(try PublishedOptionPath(path: row.path) == path)
        }
    }
}
