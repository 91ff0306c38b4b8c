import BillfoldMoney
import Foundation
import Testing

@testable import ApplePayApp
@testable import PassKitSimulator

@Suite struct PaymentRequestTests {
    @Test func deliveredGoodsAskForEverythingAndOfferShipping() throws {
        let request = try PKPaymentRequest.request(for: Fixture.order())
        #expect(request.requiredShippingContactFields == [.postalAddress, .name, .phoneNumber, .emailAddress])
        #expect(request.shippingMethods?.map(\.identifier) == ["standard", "express"])
        #expect(request.merchantIdentifier == "merchant.example.tea")
        #expect(request.countryCode == "CN")
        #expect(request.currencyCode == "CNY")
        #expect(request.supportedNetworks == [.chinaUnionPay])
        #expect(request.merchantCapabilities == [.threeDSecure, .emv])
        #expect(request.applicationData == Data("order".utf8))
        #expect(request.supportsCouponCode)
    }

    @Test func electronicGoodsAskForTheMailAddressOnly() throws {
        let request = try PKPaymentRequest.request(for: Fixture.order(goods: "electronic"))
        #expect(request.requiredShippingContactFields == [.emailAddress])
        #expect(request.shippingMethods == nil)
    }

    @Test func lastItemIsTheMerchantAndTheTotal() throws {
        let request = try PKPaymentRequest.request(for: Fixture.order())
        #expect(request.paymentSummaryItems.map(\.label) == ["Tea", "Standard", "Tea House"])
        #expect(request.paymentSummaryItems.map { $0.amount.decimalValue.description } == ["33", "10", "43"])
    }

    @Test func totalLineOfTheServerIsNotCountedTwice() throws {
        let lines = #"[{"label":"Tea","amount":"33.00"},{"label":"Ship","amount":"10.00"},{"label":"Tea House","amount":"43.00"}]"#
        let order = try CheckoutOrder(json: Fixture.orderJSON(items: lines))
        #expect(try PKPaymentRequest.request(for: order).paymentSummaryItems.map(\.label) == ["Tea", "Ship", "Tea House"])
    }

    @Test func discountAndTaxLinesSumExactly() throws {
        let lines = """
            [{"label":"Tea","amount":"0.10"},{"label":"Cup","amount":"0.20"},{"label":"Tax","amount":"0.03"},{"label":"Coupon","amount":"-0.03"}]
            """
        let order = try CheckoutOrder(json: Fixture.orderJSON(items: lines, total: "0.30"))
        let items = try PKPaymentRequest.request(for: order).paymentSummaryItems
        #expect(items.last?.amount == NSDecimalNumber(string: "0.3"))
        #expect(items.dropLast().reduce(Decimal(0)) { $0 + $1.amount.decimalValue } == items.last?.amount.decimalValue)
    }

    @Test func totalThatIsNotTheSumIsRefused() throws {
        let order = try CheckoutOrder(json: Fixture.orderJSON(total: "43.01"))
        #expect(throws: ApplePayAppError(code: .totalDiffers, reason: "")) { try PKPaymentRequest.request(for: order) }
    }

    @Test func pendingLineMakesTheTotalPending() throws {
        let lines = #"[{"label":"Ride","amount":"0.00","type":"pending"}]"#
        let order = try CheckoutOrder(json: Fixture.orderJSON(items: lines, total: "0.00"))
        #expect(try PKPaymentRequest.request(for: order).paymentSummaryItems.map(\.type) == [.pending, .pending])
    }

    @Test(arguments: ["43", "43.0", "43.000", "4.3e1", "43,00", " 43.00", "043.00", "NaN", ""])
    func amountThatIsNotExactIsRefused(text: String) {
        #expect(throws: ApplePayAppError(code: .amountMalformed, reason: "")) {
            try CheckoutOrder(json: Fixture.orderJSON(total: text))
        }
    }

    @Test func jsonNumberInPlaceOfAnAmountIsRefused() {
        let json = String(decoding: Fixture.orderJSON(), as: UTF8.self).replacing(#""total":"43.00""#, with: #""total":43.00"#)
        #expect(throws: ApplePayAppError(code: .answerMalformed, reason: "")) { try CheckoutOrder(json: Data(json.utf8)) }
    }

    @Test func everyNetworkNameMapsToItsOwnConstant() throws {
        let networks = try NetworkName.allCases.map { try NetworkName(exactly: $0.rawValue).network }
        #expect(Set(networks).count == NetworkName.allCases.count)
        #expect(try NetworkName(exactly: "chinaUnionPay").network == .chinaUnionPay)
        #expect(try NetworkName(exactly: "JCB").network == .JCB)
    }

    @Test(arguments: ["chinaunionpay", "ChinaUnionPay", "VISA", "mastercard", "", "visa "])
    func networkNameInAnotherSpellingFailsLoudly(name: String) {
        #expect(throws: ApplePayAppError(code: .unknownNetwork, reason: "")) { try NetworkName(exactly: name) }
        #expect(throws: ApplePayAppError(code: .unknownNetwork, reason: "")) {
            let json = Fixture.orderJSON(networks: "[\"chinaUnionPay\",\"\(name)\"]")
            _ = try PKPaymentRequest.request(for: CheckoutOrder(json: json))
        }
    }

    @Test(arguments: [
        (#"["chinaUnionPay"]"#, #"["threeDSecure"]"#), (#"["visa"]"#, #"["threeDSecure","emv"]"#),
    ])
    func emvWithoutUnionPayOrTheReverseIsRefused(networks: String, capabilities: String) throws {
        let order = try CheckoutOrder(json: Fixture.orderJSON(networks: networks, capabilities: capabilities))
        #expect(throws: ApplePayAppError(code: .emvRule, reason: "")) { try PKPaymentRequest.request(for: order) }
    }

    @Test func emvGoesWithUnionPayWhenTheSystemDoesNotKnowIt() throws {
        let order = try CheckoutOrder(json: Fixture.orderJSON(networks: #"["visa","chinaUnionPay"]"#))
        let old = SimulatedDevice(.init(unknownNetworks: [.chinaUnionPay]))
        let request = try SimulatedDevice.$current.withValue(old) { try PKPaymentRequest.request(for: order) }
        #expect(request.supportedNetworks == [.visa])
        #expect(request.merchantCapabilities == [.threeDSecure])
    }

    @Test(arguments: [#"["emv"]"#, #"[]"#, #"["threeDSecure","emv","contactless"]"#])
    func missingOrUnknownCapabilityIsRefused(capabilities: String) throws {
        let order = try CheckoutOrder(json: Fixture.orderJSON(capabilities: capabilities))
        #expect(throws: ApplePayAppError(code: .unknownCapability, reason: "")) { try PKPaymentRequest.request(for: order) }
    }

    @MainActor @Test(arguments: RequestRule.allCases)
    func sheetRefusesARequestThatBreaksTheRule(rule: RequestRule) throws {
        let request = try PKPaymentRequest.request(for: Fixture.order())
        let url = try #require(URL(string: "https://shop.example/manage"))
        let recurring = PKRecurringPaymentRequest(
            paymentDescription: "Tea of the month", regularBilling: .init(label: "Tea", amount: 33), managementURL: url)
        func context(_ amount: Int) -> PKPaymentTokenContext {
            PKPaymentTokenContext(
                merchantIdentifier: "m", externalIdentifier: "e", merchantName: "n", merchantDomain: nil,
                amount: NSDecimalNumber(value: amount))
        }
        switch rule {
        case .merchantIdentifierMissing: request.merchantIdentifier = ""
        case .merchantIdentifierNotEntitled: request.merchantIdentifier = "merchant.other"
        case .countryCodeMalformed: request.countryCode = "cn"
        case .currencyCodeMalformed: request.currencyCode = "CN¥"
        case .networksMissing: request.supportedNetworks = []
        case .threeDSecureMissing: request.merchantCapabilities = [.emv]
        case .itemsMissing: request.paymentSummaryItems = []
        case .amountNotANumber: request.paymentSummaryItems = [.init(label: "x", amount: .notANumber)]
        case .totalNegative: request.paymentSummaryItems = [.init(label: "x", amount: -1)]
        case .severalKinds:
            request.recurringPaymentRequest = recurring
            request.multiTokenContexts = [context(1)]
        case .contextAmounts: request.multiTokenContexts = [context(40), context(4)]
        }
        let device = Fixture.device()
        device.update { $0.entitledMerchantIdentifiers = ["merchant.example.tea", ""] }
        SimulatedDevice.$current.withValue(device) {
            var presented: Bool?
            PKPaymentAuthorizationController(paymentRequest: request).present { presented = $0 }
            #expect(presented == false)
        }
        #expect(device.faults == [DeviceFault(code: .requestRefused, reason: rule.rawValue)])
    }
}
