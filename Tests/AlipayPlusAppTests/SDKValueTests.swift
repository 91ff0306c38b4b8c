import AlipayPlusApp
import AlipayPlusValues
import BillfoldTestSupport
import Foundation
import Testing

/// The documented types: fields, defaults, codes and constants.
@Suite struct SDKValueTests {
    private struct ErrorRow: Decodable {
        struct Row: Decodable {
            var code: Int
            var message: String
        }
        var errors: [Row]
    }

    @Test(.enabled(if: Vectors.available("alipay-plus-acquirer/sdk-vectors.json")))
    func errorsAreTheDocumentedOnes() throws {
        let rows = try Vectors.json("alipay-plus-acquirer/sdk-vectors.json", as: ErrorRow.self).errors
        #expect(rows.count == IAPError.Code.allCases.count)
        for row in rows { #expect(IAPError.Code(rawValue: row.code)?.message == row.message) }
    }

    @Test func errorIsAnNSErrorOfOneDomain() {
        let error = IAPError(.invalidNetwork, "why").nsError
        #expect(error.domain == IAPErrorDomain && error.code == 1002 && error.localizedDescription == "INVALID_NETWORK")
        #expect(error.userInfo[NSLocalizedFailureReasonErrorKey] as? String == "why")
        #expect(IAPError(.invalidNetwork, "why").description == "1002 INVALID_NETWORK: why")
        #expect(
            IAPError(.invalidNetwork, "a") == IAPError(.invalidNetwork, "b") && IAPError(.systemError, "a") != .init(.invalidNetwork, "a"))
    }

    @Test func constantsAreTheCodes() {
        let constants: [Int] = [IAPErrorParamIllegal, IAPErrorInvalidNetwork, IAPErrorSystemError]
        let codes: [Int] = [1001, 1002, 1003]
        #expect(constants == codes && IAPError.Code.allCases.map(\.rawValue) == codes)
        #expect(IAPAlipayPlusClientVersionString.wholeMatch(of: /\d+\.\d+\.\d+/) != nil)
    }

    @Test func optionOutlivesTheAppInAnArchive() throws {
        let option = IAPPaymentOption(
            enabled: true, brandName: "Alipay+", logos: [IAPLogo(logoName: "n", logoUrl: "u", logoPattern: "p", logoWidth: "1")],
            promoNames: ["5% off"])
        let bytes = try NSKeyedArchiver.archivedData(withRootObject: option, requiringSecureCoding: false)
        let read = try NSKeyedUnarchiver.unarchiveTopLevelObjectWithData(bytes) as? IAPPaymentOption
        #expect(read?.enabled == true && read?.paymentMethodType == "CONNECT_WALLET" && read?.brandName == "Alipay+")
        #expect(read?.disableReason == nil && read?.promoNames == ["5% off"])
        let logo = try #require(read?.logos?.first)
        #expect([logo.logoName, logo.logoUrl, logo.logoPattern, logo.logoWidth, logo.logoHeight] == ["n", "u", "p", "1", ""])
    }

    @Test func optionIsMadeOfADictionary() {
        let option = IAPPaymentOption(jsonDictionary: [
            "enabled": "false", "disableReason": "closed", "logos": [["logoName": "n", "logoWidth": 9]], "promoNames": ["a"],
        ])
        #expect(option?.enabled == false && option?.disableReason == "closed" && option?.promoNames == ["a"])
        #expect(option?.logos?.first?.logoName == "n" && option?.logos?.first?.logoWidth == "9" && option?.logos?.first?.logoUrl == "")
        #expect(IAPPaymentOption(jsonDictionary: ["enabled": true], currency: "PHP")?.enabled == true)
        #expect(IAPPaymentOption(jsonDictionary: ["enabled": "maybe"]) == nil && IAPPaymentOption(jsonDictionary: [:]) == nil)
    }

    @Test func configurationHasTheDocumentedDefaults() {
        let configuration = IAPConfiguration()
        #expect(configuration.merchantId.isEmpty && configuration.acquirerId.isEmpty)
        #expect(configuration.language == "en_US" && configuration.envType == "PROD" && configuration.fromScheme == nil)
        #expect(kIAPEnvPROD == "PROD" && kIAPEnvSANDBOX == "SANDBOX")
    }

    @Test func optionHasTheDocumentedFields() {
        #expect(IAPInquirePaymentOptionParams().paymentCurrency.isEmpty && IAPInquirePaymentOptionParams().logoPattern == nil)
        #expect(IAPInquirePaymentOptionParams().userRegion == nil)
        let option = IAPPaymentOption(enabled: false, disableReason: "closed")
        #expect(option.paymentMethodType == "CONNECT_WALLET" && option.brandName == nil && option.logos == nil && option.promoNames == nil)
        let logo = IAPLogo(logoName: "n", logoUrl: "u", logoPattern: "p", logoWidth: "1", logoHeight: "2")
        #expect([logo.logoName, logo.logoUrl, logo.logoPattern, logo.logoWidth, logo.logoHeight] == ["n", "u", "p", "1", "2"])
    }

    @Test func eventsHaveNamesOfTheirOwn() {
        let names = [
            IAPPaymentSheetEventDidShow, IAPPaymentSheetEventDidSelectWalletAndPay, IAPPaymentSheetEventUserDidCancel,
            IAPPaymentSheetEventThrowException, IAPPaymentSheetEventPaymentSuccess, IAPPaymentSheetEventPaymentFailed,
            IAPPaymentSheetEventPaymentCanceled, IAPPaymentSheetEventPaymentException, IAPPaymentSheetEventPaymentProcessing,
        ]
        #expect(Set(names).count == 9)
        #expect(IAPPaymentSheetEvent(name: names[0]).description == names[0])
        #expect(IAPPaymentSheetEvent(name: names[0], message: "why").description == "\(names[0]) (why)")
    }

    @Test func hostsCanBeOverridden() {
        var hosts = AlipayPlusHosts.standard
        #expect(hosts[.production]?.absoluteString == "https://resource.alipayplus.com")
        #expect(hosts[.sandbox]?.absoluteString == "https://developers.alipayplus.com")
        hosts[.sandbox] = URL(string: "http://127.0.0.1:8443")
        #expect(hosts[.sandbox]?.port == 8443 && hosts != .standard)
    }
}
