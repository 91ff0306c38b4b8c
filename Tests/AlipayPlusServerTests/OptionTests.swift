import AlipayPlus
import AlipayPlusValues
import BillfoldMoney
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Testing

@testable import AlipayPlusServer

/// What is published at a merchant, and what `consultPayment` answers.
struct OptionTests {
    private struct File {
        var status: HTTPResponse.Status
        var headers: HTTPFields
        var bytes: [UInt8]
    }

    private func get(_ gateway: PlusHarness, _ path: String) async throws -> File {
        try await gateway.http.execute(uri: path, method: .get) {
            File(status: $0.status, headers: $0.headers, bytes: Array($0.body.readableBytesView))
        }
    }

    private func path(
        _ currency: Currency = .sgd, region: String? = nil, merchant: String = PlusHarness.merchant,
        environment: AlipayPlusEnvironment = .sandbox
    ) -> String {
        PublishedOptionPath(
            environment: environment, acquirerID: PlusHarness.acquirerID, referenceMerchantID: merchant, currency: currency,
            userRegion: region, logoPattern: .standard
        ).path
    }

    @Test func anOptionIsPublishedWithItsPictureAndOffer() async throws {
        try await PlusHarness.open { gateway async throws in
            let answer = try await get(gateway, path(region: "HK"))
            #expect(answer.status == .ok && answer.headers[.contentType] == "application/json; charset=utf-8")
            let option = try PublishedOption(answer.bytes)
            #expect(option.isEnabled && option.brandName == "Alipay+" && option.promotions(in: .korean) == ["2 HKD off"])
            let logo = try #require(option.logos.first)
            let address = try #require(logo.url)
            #expect(logo.pattern == LogoPattern.standard.description && address.hasPrefix("http://gateway.test/cdn/sandbox/"))
            let picture = try await get(gateway, String(address.dropFirst("http://gateway.test".count)))
            #expect(picture.status == .ok && picture.headers[.contentType] == "image/svg+xml")
            #expect(picture.headers[.accessControlAllowOrigin] == "*")
            let mark = try await get(gateway, "/alipay-plus/logos/GCASH.svg")
            #expect(mark.status == .ok && String(decoding: mark.bytes, as: UTF8.self).hasPrefix("<svg "))
        }
    }

    @Test func whatIsNotOfferedIsNotPublished() async throws {
        try await PlusHarness.open { gateway async throws in
            let known = path()
            let others = [
                path(merchant: "MER-0002"), path(.thb), path(environment: .production),
                known.replacing("alipayplus.json", with: "alipayplus.png"), known.replacing("SGD", with: "SGDX"),
                "/alipay-plus/logos/NOBODY.svg",
            ]
            for other in others { #expect(try await get(gateway, other).status == .notFound, "\(other)") }
        }
    }

    @Test func consultationNamesTheWalletsThatCanPay() async throws {
        try await PlusHarness.open { gateway async throws in
            let amount = WireAmount(currency: "SGD", value: "1999")
            let answer = try await gateway.acquirer(
                ConsultPaymentRequest(paymentAmount: amount, userRegion: "KR", paymentFactor: WirePaymentFactor(isCashierPayment: true)))
            let option = try #require(answer.paymentOptions?.first)
            #expect(answer.result.isSuccess && option.enabled == true && option.paymentMethodType == .connectWallet)
            let wallets = try #require(option.paymentOptionDetail?.connectWallet?.supportWallets)
            #expect(wallets.count == 4 && wallets.first?.walletName == "KAKAOPAY")
            #expect(wallets.first?.walletLogo?.logoUrl == "http://gateway.test/alipay-plus/logos/KAKAOPAY.svg")
            let unknown = try await gateway.acquirer(ConsultPaymentRequest(paymentAmount: WireAmount(currency: "SGD", value: "0")))
            #expect(unknown.paymentOptions?.first?.enabled == true)
            let tiles = try await gateway.acquirer(
                ConsultPaymentRequest(
                    paymentAmount: amount, paymentFactor: WirePaymentFactor(isCashierPayment: true, presentmentMode: .tile),
                    allowedPspRegions: ["PH"]))
            let disabled = tiles.paymentOptions?.filter { $0.enabled == false } ?? []
            #expect(tiles.paymentOptions?.first?.paymentMethodType.rawValue == "GCASH" && disabled.count == 3)
            #expect(
                disabled.first { $0.brandName == "DANA" }?.disableReason
                    == "DANA cannot be used here: this payment only takes wallets from other regions (PH). Please choose another way to pay."
            )
            #expect(disabled.allSatisfy { $0.promoNames == nil && $0.disableReason?.contains("allowedPspRegions") == false })
        }
    }

    @Test func consultationRefusesInDocumentedWords() async throws {
        try await PlusHarness.open { gateway async throws in
            func code(_ request: ConsultPaymentRequest) async throws -> String { try await gateway.acquirer(request).result.resultCode }
            let amount = WireAmount(currency: "SGD", value: "1999")
            #expect(
                try await code(ConsultPaymentRequest(paymentAmount: amount, merchant: WireMerchant(referenceMerchantId: "MER-0002")))
                    == "MERCHANT_NOT_REGISTERED")
            let inStore = WirePaymentFactor(isInStorePayment: true, inStorePaymentScenario: .paymentCode)
            #expect(try await code(ConsultPaymentRequest(paymentAmount: amount, paymentFactor: inStore)) == "PARAM_ILLEGAL")
            let none = try await gateway.acquirer(ConsultPaymentRequest(paymentAmount: WireAmount(currency: "THB", value: "100")))
            #expect(none.paymentOptions?.first?.enabled == false)
            #expect(none.paymentOptions?.first?.disableReason?.contains("THB") == true)
        }
    }

    private func consult(
        _ gateway: PlusHarness, _ value: String, _ currency: String = "SGD", mode: PresentmentMode = .unified, regions: [String]? = nil
    ) async throws -> [WirePaymentOption] {
        let answer = try await gateway.acquirer(
            ConsultPaymentRequest(
                paymentAmount: WireAmount(currency: currency, value: value),
                paymentFactor: WirePaymentFactor(isCashierPayment: true, presentmentMode: mode), allowedPspRegions: regions))
        return try #require(answer.paymentOptions)
    }

    @Test func theRuleThatLeavesNoWalletIsTheReason() async throws {
        try await PlusHarness.open { gateway async throws in
            func reason(_ value: String, _ currency: String = "SGD", regions: [String]? = nil) async throws -> String? {
                let option = try await consult(gateway, value, currency, regions: regions).first
                #expect(option?.enabled == false && option?.promoNames == nil)
                return option?.disableReason
            }
            #expect(
                try await reason("1999", regions: ["US"])
                    == "Alipay+ cannot be used here: this payment only takes wallets from other regions (US). Please choose another way to pay."
            )
            #expect(
                try await reason("1999", regions: ["<b>", "us"])
                    == "Alipay+ cannot be used here: this payment only takes wallets from other regions. Please choose another way to pay.")
            #expect(
                try await reason("1999", "THB", regions: ["US"])
                    == "This merchant does not take payments in THB by Alipay+. Please choose another way to pay.")
            // Wallets take 90 million of their currency at most; the region leaves one of them.
            #expect(
                try await reason("9000000000", regions: ["PH"])
                    == "This amount is outside what GCASH takes for one payment (≤ 90000000.00 PHP). Please choose another way to pay.")
            #expect(
                try await reason("9000000000")
                    == "This amount is outside what Alipay+ takes for one payment. Please choose another way to pay.")
        }
    }

    @Test func everyTileSaysWhyInAPersonsWords() async throws {
        try await PlusHarness.open { gateway async throws in
            let tiles = try await consult(gateway, "9000000000", mode: .tile)
            #expect(tiles.count == 4)
            for tile in tiles {
                #expect(
                    tile.disableReason?.hasPrefix("This amount is outside what \(tile.brandName ?? "") takes for one payment (≤ ") == true)
            }
            #expect(
                try await consult(gateway, "1999", "THB", mode: .tile).first { $0.brandName == "GCASH" }?.disableReason
                    == "This merchant does not take payments in THB by GCASH. Please choose another way to pay.")
        }
    }

    /// 2 HKD off from 10 HKD: 1 SGD is less, 19.99 SGD is more.
    @Test(arguments: [PresentmentMode.unified, .tile]) func onlyAnOfferThatHoldsForTheAmountIsShown(mode: PresentmentMode) async throws {
        try await PlusHarness.open { gateway async throws in
            for (value, offers) in [("100", []), ("1999", ["2 HKD off"]), ("0", ["2 HKD off"])] {
                let options = try await consult(gateway, value, mode: mode, regions: ["HK", "PH"])
                #expect(options.compactMap(\.promoNames).flatMap { $0 } == offers, "\(value)")
            }
        }
    }
}
