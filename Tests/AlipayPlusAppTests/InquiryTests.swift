import AlipayPlusValues
import BillfoldMoney
import BillfoldTestSupport
import Foundation
import Testing

@testable import AlipayPlusApp

@MainActor @Suite struct InquiryTests {
    private let phone = TestPhone()
    private let published = PublishedOption(
        isEnabled: true,
        logos: [.init(name: "GCash", url: "https://cdn.example.test/l.png", pattern: "P1-APP-01", width: "9", height: "3")],
        promotions: [.english: ["5% off"], .thai: ["ลด 5%"]])

    private func inquire(_ currency: String = "PHP", pattern: String? = nil) async throws -> IAPPaymentOption {
        try await phone.client.inquirePaymentOption(IAPInquirePaymentOptionParams(paymentCurrency: currency, logoPattern: pattern))
    }

    private func code(_ currency: String = "PHP", pattern: String? = nil) async -> Int? {
        do {
            _ = try await inquire(currency, pattern: pattern)
            return nil
        } catch { return (error as? IAPError)?.code.rawValue }
    }

    private func configure(_ change: (IAPConfiguration) -> Void) { phone.client.setConfiguration(TestPhone.configuration(change)) }

    // MARK: What is asked

    @Test func fileOfTheCombinationIsFetched() async throws {
        phone.network.reply(.answer(200, published.text))
        _ = try await inquire("JPY", pattern: "P2-APP-TypeD")
        #expect(
            phone.network.addresses.map(\.absoluteString) == [
                "https://developers.alipayplus.com/cdn/sandbox/A1112TEST0000000/\(PublishedOptionPath.hash(ofMerchant: "M-1"))"
                    + "/CASHIER_PAYMENT/JPY/defaultregion/P2-APP-TypeD/alipayplus.json"
            ])
    }

    @Test func environmentAndOverrideChooseTheHost() async throws {
        phone.network.reply(.answer(200, published.text))
        configure { $0.envType = nil }
        _ = try await inquire()
        phone.client.hosts[.production] = URL(string: "http://127.0.0.1:8443/")
        _ = try await inquire()
        let addresses = phone.network.addresses.map(\.absoluteString)
        #expect(addresses.count == 2 && addresses[0].hasPrefix("https://resource.alipayplus.com/prod/A1112TEST0000000/"))
        #expect(addresses[1].hasPrefix("http://127.0.0.1:8443/prod/A1112TEST0000000/") && addresses[1].contains("/P1-APP-01/"))
    }

    @Test func callReadsTheObjectsWhenItIsMade() async throws {
        phone.network.reply(.answer(200, published.text))
        let configuration = TestPhone.configuration()
        phone.client.configuration = configuration
        #expect(phone.client.configuration === configuration)
        configuration.acquirerId = "A2"
        let params = IAPInquirePaymentOptionParams(paymentCurrency: "PHP", userRegion: "PH")
        await withCheckedContinuation { done in
            phone.client.inquirePaymentOption(params) { _, _ in done.resume() }
            params.paymentCurrency = "JPY"
            configuration.acquirerId = "A3"
        }
        let path = phone.network.addresses.first?.path
        #expect(path?.contains("/A2/") == true && path?.contains("/PHP/PH/") == true)
    }

    @Test func configurationThatIsReadFirstHasTheDefaults() async {
        let bare = TestPhone(configured: false)
        #expect(bare.client.configuration.merchantId.isEmpty && bare.client.configuration.envType == "PROD")
        #expect(bare.client.configuration === bare.client.configuration)
        bare.client.configuration.merchantId = "M-1"
        bare.client.configuration.acquirerId = "A1"
        bare.network.reply(.answer(200, published.text))
        let option = try? await bare.client.inquirePaymentOption(IAPInquirePaymentOptionParams(paymentCurrency: "PHP"))
        #expect(option?.enabled == true)
    }

    // MARK: What is answered

    @Test func publishedOptionIsHandedOn() async throws {
        phone.network.reply(.answer(200, published.text))
        let option = try await inquire()
        #expect(option.enabled && option.paymentMethodType == "CONNECT_WALLET" && option.brandName == "Alipay+")
        #expect(option.disableReason == nil && option.promoNames == ["5% off"])
        let logo = try #require(option.logos?.first)
        #expect([logo.logoName, logo.logoPattern, logo.logoWidth, logo.logoHeight] == ["GCash", "P1-APP-01", "9", "3"])
    }

    @Test func promotionsComeInThePersonsLanguage() async throws {
        phone.network.reply(.answer(200, published.text))
        configure { $0.language = "th_TH" }
        #expect(try await inquire().promoNames == ["ลด 5%"])
        configure { $0.language = "th-TH" }
        #expect(try await inquire().promoNames == ["5% off"])
        phone.network.reply(.answer(200, #"{"enabled":true}"#))
        #expect(try await inquire().promoNames == nil)
    }

    @Test(arguments: [403, 404, 410])
    func combinationThatIsNotPublishedIsDisabledWithAReason(status: Int) async throws {
        phone.network.reply(.answer(status, "<Error/>"))
        configure { $0.language = "ms_MY" }
        let option = try await inquire("PHP")
        let reason = DisableReason.currencyNotOffered(try Currency("PHP")).text(in: .malay)
        #expect(!option.enabled && option.disableReason == reason && option.paymentMethodType == "CONNECT_WALLET")
        #expect(option.logos == nil && option.brandName == nil && option.promoNames == nil)
    }

    @Test func optionThatIsSwitchedOffSaysWhy() async throws {
        phone.network.reply(.answer(200, #"{"enabled":false}"#))
        let silent = try await inquire()
        #expect(!silent.enabled && silent.disableReason == DisableReason.switchedOff.text(in: .english))
        phone.network.reply(.answer(200, PublishedOption(isEnabled: false, disableReasons: [.english: "Closed for the night."]).text))
        #expect(try await inquire().disableReason == "Closed for the night.")
    }

    // MARK: What fails

    @Test(arguments: ["", "php", "XXQ", "PHPX", "PH"])
    func unknownCurrencyIsIllegal(currency: String) async {
        #expect(await code(currency) == 1001)
        #expect(phone.network.addresses.isEmpty)
    }

    @Test(arguments: ["ph", "PHL", "P"])
    func wrongRegionIsIllegal(region: String) async {
        let params = IAPInquirePaymentOptionParams(paymentCurrency: "PHP", userRegion: region)
        await #expect(throws: IAPError(.parameterIllegal, "")) { @MainActor in _ = try await phone.client.inquirePaymentOption(params) }
        #expect(phone.network.addresses.isEmpty)
    }

    @Test func wrongPatternIsIllegal() async {
        #expect(await code(pattern: "P3-APP-01") == 1001)
        #expect(await code(pattern: "") == 1001)
    }

    @Test func nothingIsAskedBeforeTheConfiguration() async {
        let phone = TestPhone(configured: false)
        await #expect(throws: IAPError(.parameterIllegal, "")) { @MainActor in
            _ = try await phone.client.inquirePaymentOption(IAPInquirePaymentOptionParams(paymentCurrency: "PHP"))
        }
    }

    @Test func wrongConfigurationIsIllegal() async {
        configure { $0.merchantId = "" }
        #expect(await code() == 1001)
        configure { $0.merchantId = String(repeating: "m", count: 65) }
        #expect(await code() == 1001)
        configure { $0.acquirerId = "" }
        #expect(await code() == 1001)
        configure { $0.acquirerId = "../A1" }
        #expect(await code() == 1001)
        configure { $0.envType = "RPOD" }
        #expect(await code() == 1001)
        phone.network.reply(.answer(200, published.text))
        configure { $0.merchantId = String(repeating: "m", count: 64) }
        #expect(await code() == nil)
    }

    @Test func clientWithoutTransportOrHostIsIllegal() async {
        phone.client.hosts = AlipayPlusHosts([:])
        #expect(await code() == 1001)
        phone.client.hosts = .standard
        phone.client.transport = nil
        #expect(await code() == 1001)
    }

    @Test func lostNetworkIsInvalid() async {
        phone.network.reply(.lost)
        #expect(await code() == 1002)
    }

    @Test func silenceEndsWithTheTimeLimit() async {
        phone.network.reply(.silence)
        let asked = Task { await code() }
        await until { phone.time.sleepers == 1 && phone.network.addresses.count == 1 }
        phone.time.release()
        #expect(await asked.value == 1002)
        #expect(phone.time.slept == [.seconds(5)])
        phone.network.letGo()
    }

    @Test func callerThatGoesAwayIsLetGo() async {
        phone.network.reply(.silence)
        let asked = Task { await code() }
        await until { phone.time.sleepers == 1 }
        asked.cancel()
        #expect(await asked.value == 1002)
        phone.network.letGo()
    }

    @Test(arguments: [(200, "not JSON"), (200, "{}"), (500, ""), (302, ""), (204, ""), (0, "")])
    func answerThatCannotBeUsedIsASystemError(status: Int, body: String) async {
        phone.network.reply(.answer(status, body))
        #expect(await code() == 1003)
    }

    // MARK: The documented calls

    @Test func handlerIsCalledOnceAndNotBeforeTheCallReturns() async {
        var told: [(IAPPaymentOption?, NSError?)] = []
        let params = IAPInquirePaymentOptionParams(paymentCurrency: "PHP")
        phone.network.reply(.answer(200, published.text))
        phone.client.inquirePaymentOption(params) { told.append(($0, $1 as NSError?)) }
        phone.client.inquirePaymentOption(withParams: params) { told.append(($0, $1 as NSError?)) }
        phone.client.inquirePaymentOption(with: params) { told.append(($0, $1 as NSError?)) }
        #expect(told.isEmpty)
        await until { told.count == 3 }
        #expect(told.allSatisfy { $0.0?.enabled == true && $0.1 == nil })
        phone.network.reply(.lost)
        phone.client.inquirePaymentOption(params) { told.append(($0, $1 as NSError?)) }
        await until { told.count == 4 }
        #expect(told[3].0 == nil && told[3].1?.code == 1002 && told[3].1?.domain == IAPErrorDomain)
    }

    @Test func logSaysWhatWasAskedAndWhatFailed() async throws {
        phone.network.reply(.answer(200, published.text))
        _ = try await phone.client.inquirePaymentOption(with: IAPInquirePaymentOptionParams(paymentCurrency: "PHP"))
        phone.network.reply(.lost)
        _ = await code()
        #expect(phone.log.lines.map(\.name) == [.configured, .optionInquired, .optionAnswered, .optionInquired, .exception])
        #expect(phone.log.facts(.configured) == [["environment": "SANDBOX", "language": "en_US"]])
        #expect(phone.log.facts(.optionAnswered) == [["enabled": "true", "status": "200"]])
        #expect(phone.log.facts(.exception).first?["error"]?.hasPrefix("1002 INVALID_NETWORK: ") == true)
    }
}
