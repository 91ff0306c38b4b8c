import ApplePay
import BillfoldDiagnosis
import BillfoldJSON
import Testing

@Suite struct PaymentRequestLinterTests {
    /// Delivered goods in China: a request nothing is wrong with.
    static let good = PaymentRequest(
        merchantIdentifier: "merchant.example.shop", countryCode: "CN", currencyCode: "CNY",
        supportedNetworks: [.chinaUnionPay, .visa, .masterCard], merchantCapabilities: [.threeDSecure, .emv],
        paymentSummaryItems: [
            .init(label: "Tea", amount: "30.10"), .init(label: "Discount", amount: "-0.10"), .init(label: "Shipping", amount: "3"),
            .init(label: "Example Shop", amount: "33.00"),
        ],
        requiredShippingContactFields: [.postalAddress, .name, .phoneNumber, .emailAddress],
        shippingMethods: [
            .init(identifier: "standard", label: "Standard", detail: "3 days", amount: "3"),
            .init(identifier: "express", label: "Express", detail: "1 day", amount: "12.00"),
        ],
        supportsCouponCode: true, couponCode: "SPRING", applicationData: Array("order-1".utf8))

    private func codes(_ change: (inout PaymentRequest) -> Void) -> [String] {
        var request = Self.good
        change(&request)
        return PaymentRequestLinter().findings(in: request).map(\.code)
    }

    @Test func goodRequestHasNoFinding() { #expect(codes { _ in } == []) }

    /// Each change trips exactly one rule.
    static let faults: [(String, @Sendable (inout PaymentRequest) -> Void)] = [
        ("apple-pay.request.merchant-identifier", { $0.merchantIdentifier = "" }),
        ("apple-pay.request.country-code", { $0.countryCode = "CHN" }),
        ("apple-pay.request.country-code", { $0.countryCode = "cn" }),
        ("apple-pay.request.currency-code", { $0.currencyCode = "156" }),
        (
            "apple-pay.request.networks-empty",
            {
                $0.supportedNetworks = []
                $0.merchantCapabilities = [.threeDSecure]
            }
        ),
        ("apple-pay.request.network-unknown", { $0.supportedNetworks.append("masterpass") }),
        ("apple-pay.request.network-unknown", { $0.supportedNetworks.append("chinaunionpay") }),
        ("apple-pay.request.network-repeated", { $0.supportedNetworks.append(.visa) }),
        ("apple-pay.request.three-d-secure-missing", { $0.merchantCapabilities = [.emv] }),
        ("apple-pay.request.capability-unknown", { $0.merchantCapabilities.insert("contactless") }),
        ("apple-pay.request.emv-missing", { $0.merchantCapabilities = [.threeDSecure] }),
        ("apple-pay.request.emv-unexpected", { $0.supportedNetworks = [.visa] }),
        ("apple-pay.request.mada-missing", { $0.countryCode = "SA" }),
        ("apple-pay.request.items-empty", { $0.paymentSummaryItems = [] }),
        ("apple-pay.request.item-label", { $0.paymentSummaryItems[3].label = "" }),
        ("apple-pay.request.amount-malformed", { $0.shippingMethods[0].amount = "3,00" }),
        ("apple-pay.request.amount-malformed", { $0.shippingMethods[0].amount = "3e0" }),
        ("apple-pay.request.amount-digits", { $0.paymentSummaryItems[0].amount = "30.100" }),
        ("apple-pay.request.total-sum", { $0.paymentSummaryItems[3].amount = "33.01" }),
        ("apple-pay.request.total-negative", { $0.paymentSummaryItems = [.init(label: "Example Shop", amount: "-1.00")] }),
        ("apple-pay.request.total-zero", { $0.paymentSummaryItems = [.init(label: "Example Shop", amount: "0.00")] }),
        ("apple-pay.request.total-not-pending", { $0.paymentSummaryItems[2].kind = .pending }),
        (
            "apple-pay.request.total-not-final",
            {
                $0.paymentSummaryItems[3].kind = .pending
                $0.countryCode = "FR"
            }
        ),
        ("apple-pay.request.contact-field-unknown", { $0.requiredBillingContactFields = ["fax"] }),
        ("apple-pay.request.shipping-without-address", { $0.requiredShippingContactFields = [.emailAddress] }),
        ("apple-pay.request.shipping-identifier", { $0.shippingMethods[1].identifier = "" }),
        ("apple-pay.request.shipping-identifier", { $0.shippingMethods[1].identifier = "standard" }),
        ("apple-pay.request.shipping-label", { $0.shippingMethods[1].label = "" }),
        ("apple-pay.request.shipping-amount-negative", { $0.shippingMethods[1].amount = "-1" }),
        ("apple-pay.request.coupon-not-supported", { $0.supportsCouponCode = false }),
        (
            "apple-pay.request.token-kinds",
            {
                let charge = PaymentRequest.LaterCharge(
                    paymentDescription: "Club", managementURL: "https://shop.example/club", tokenNotificationURL: "https://shop.example/t")
                $0.recurringPaymentRequest = charge
                $0.deferredPaymentRequest = charge
            }
        ),
        ("apple-pay.request.context-amount-negative", { $0.multiTokenContexts = [context("-1.00")] }),
        ("apple-pay.request.context-sum", { $0.multiTokenContexts = [context("20.00"), context("13.01")] }),
        (
            "apple-pay.request.management-url",
            {
                $0.recurringPaymentRequest = .init(
                    paymentDescription: "Club", managementURL: "", tokenNotificationURL: "https://shop.example/t")
            }
        ),
        (
            "apple-pay.request.token-notification-url",
            { $0.deferredPaymentRequest = .init(paymentDescription: "Hotel", managementURL: "https://shop.example/stay") }
        ),
        ("apple-pay.request.merchant-identifier", { $0.merchantIdentifier = String(repeating: "F3", count: 32) }),
        ("apple-pay.request.billing-missing", { $0.recurringPaymentRequest = arrangement("regularBilling") { $0.hasBilling = false } }),
        ("apple-pay.request.payment-timing", { $0.recurringPaymentRequest = arrangement("regularBilling") { $0.timing = nil } }),
        ("apple-pay.request.payment-timing", { $0.automaticReloadPaymentRequest = arrangement("automaticReloadBilling") { _ in } }),
        ("apple-pay.request.deferred-date", { $0.deferredPaymentRequest = arrangement("deferredBilling") { $0.timing = "deferred" } }),
        (
            "apple-pay.request.recurring-dates",
            { $0.recurringPaymentRequest = arrangement("regularBilling") { $0.end = "2025-09-10T10:11:12.000Z" } }
        ),
    ]

    /// A monthly plan as the web's form has it, changed.
    private static func arrangement(
        _ billing: String, _ change: (inout PaymentRequest.LaterCharge.Terms) -> Void
    ) -> PaymentRequest.LaterCharge {
        var charge = PaymentRequest.LaterCharge(
            paymentDescription: "Plan", managementURL: "https://shop.example/m", tokenNotificationURL: "https://shop.example/t")
        var terms = PaymentRequest.LaterCharge.Terms(
            names: [], billingName: billing, hasBilling: true, timing: "recurring", start: "2026-12-01T00:00:00.000Z")
        change(&terms)
        charge.terms = terms
        return charge
    }

    // MARK: The web's form

    /// A plan in the form of Apple Pay JS. The session has the merchant identifier, so this has none.
    private static func plan(_ billing: String, urls: String = #""managementURL":"https://shop.example/m","#) throws -> [Finding] {
        let text = """
            {"countryCode":"US","currencyCode":"USD","supportedNetworks":["visa","masterCard"],"merchantCapabilities":["supports3DS"],
            "lineItems":[{"label":"Plan","amount":"9.99","paymentTiming":"recurring","recurringPaymentIntervalUnit":"month"}],
            "total":{"label":"Example Shop","amount":"9.99","type":"final"},
            "recurringPaymentRequest":{"paymentDescription":"Monthly plan",\(billing)\(urls)
            "tokenNotificationURL":"https://shop.example/t"}}
            """
        return PaymentRequestLinter().findings(in: try PaymentRequest(Array(text.utf8)))
    }

    @Test(arguments: [
        (#""regularBilling":{"paymentTiming":"recurring","recurringPaymentStartDate":"2026-12-01T00:00:00.000Z"},"#, [] as [String]),
        (#""regularBilling":{"paymentTiming":"recurring"},"#, []), ("", ["apple-pay.request.billing-missing"]),
        (#""regularBilling":{"label":"Plan"},"#, ["apple-pay.request.payment-timing"]),
    ])
    func theWebsFormIsJudgedByItsOwnRules(_ billing: String, _ codes: [String]) throws {
        #expect(try Self.plan(billing).map(\.code) == codes)
    }

    @Test func aMisspeltNameIsNamed() throws {
        let findings = try Self.plan(
            #""regularBilling":{"paymentTiming":"recurring"},"#, urls: #""managementUrl":"https://shop.example/m","#)
        #expect(findings.map(\.code) == ["apple-pay.request.management-url"])
        #expect(findings.first?.evidence.contains(.init("misspelt", "managementUrl")) == true)
    }

    private static func context(_ amount: String) -> PaymentRequest.TokenContext {
        .init(merchantIdentifier: "merchant.part", externalIdentifier: "1", merchantName: "Part", amount: amount)
    }

    @Test(arguments: faults.indices)
    func brokenRuleIsTheOnlyFinding(index: Int) {
        let (code, change) = Self.faults[index]
        #expect(codes(change) == [code])
    }

    @Test func everyCodeOfEveryRuleIsTested() {
        #expect(Set(PaymentRequestLinter.rules.flatMap { type(of: $0).codes }) == Set(Self.faults.map(\.0)))
    }

    @Test func floatingPointAmountIsShownWithItsDifference() {
        var request = Self.good
        request.paymentSummaryItems = [
            .init(label: "A", amount: "0.1"), .init(label: "B", amount: "0.2"), .init(label: "Example Shop", amount: "0.30000000000000004"),
        ]
        let findings = PaymentRequestLinter().findings(in: request)
        #expect(Set(findings.map(\.code)) == ["apple-pay.request.amount-digits", "apple-pay.request.total-sum"])
        let sum = findings.first { $0.code == "apple-pay.request.total-sum" }
        #expect(sum?.evidence.contains(.init("sum of items", "0.3")) == true)
        #expect(sum?.evidence.contains(.init("difference", "0.00000000000000004")) == true)
    }

    /// The sum fits and its difference from the total does not.
    @Test func sumBeyondEveryTotalIsStillNamed() throws {
        var request = Self.good
        request.paymentSummaryItems =
            Array(repeating: .init(label: "A", amount: "9223372036854775807"), count: 18) + [
                .init(label: "S", amount: "-9223372036854775808")
            ]
        let sum = try #require(PaymentRequestLinter().findings(in: request).first { $0.code == "apple-pay.request.total-sum" })
        #expect(sum.evidence.contains(.init("sum of items", "166020696663385964526")))
        #expect(!sum.evidence.contains { $0.name == "difference" })
    }

    @Test(arguments: [
        ("JPY", "33.0", false), ("JPY", "33", true), ("KWD", "1.234", true), ("KWD", "1.2345", false), ("CNY", "1.234", false),
    ])
    func minorUnitsOfTheCurrencyDecide(currency: String, amount: String, good: Bool) {
        var request = Self.good
        request.currencyCode = currency
        request.shippingMethods = []
        request.paymentSummaryItems = [.init(label: "Example Shop", amount: amount)]
        #expect(PaymentRequestLinter().findings(in: request).isEmpty == good)
    }

    @Test func requestSurvivesItsJSONForm() throws {
        let bytes = JSONWriter.write(Self.good.json)
        let read = try PaymentRequest(bytes)
        #expect(JSONWriter.write(read.json) == bytes)
        #expect(PaymentRequestLinter().findings(in: read).isEmpty)
        #expect(read.applicationData == Array("order-1".utf8))
    }

    @Test func webSpellingsAreRead() throws {
        let text = #"""
            {"countryCode":"US","currencyCode":"USD","merchantIdentifier":"merchant.example.shop","supportedNetworks":["visa","jcb"],
            "merchantCapabilities":["supports3DS","supportsDebit"],"lineItems":[{"label":"A","amount":"1.00"},{"label":"B","amount":2.5}],
            "total":{"label":"Shop","amount":"3.50","type":"final"},"requiredShippingContactFields":["email","phone"]}
            """#
        let request = try PaymentRequest(Array(text.utf8))
        #expect(request.merchantCapabilities == [.threeDSecure, .debit])
        #expect(request.requiredShippingContactFields == [.emailAddress, .phoneNumber])
        #expect(request.total?.amount == "3.50")
        #expect(PaymentRequestLinter().findings(in: request).isEmpty)
    }

    @Test(arguments: [
        "[]", #"{"countryCode":1}"#, #"{"countryCode":"CN","currencyCode":"CNY","supportedNetworks":"visa"}"#,
        #"{"countryCode":"CN","currencyCode":"CNY","paymentSummaryItems":[{"label":"x"}]}"#,
        #"{"countryCode":"CN","currencyCode":"CNY","shippingType":"teleport"}"#,
        #"{"countryCode":"CN","currencyCode":"CNY","applicationData":"not base64!"}"#,
    ])
    func malformedRequestIsRefused(text: String) {
        #expect(throws: ApplePayError.self) { try PaymentRequest(Array(text.utf8)) }
    }
}
