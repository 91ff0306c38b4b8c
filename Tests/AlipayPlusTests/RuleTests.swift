import AlipayPlus
import BillfoldJSON
import Testing

@Suite struct RuleTests {
    private static func amount(_ value: String = "1000") -> WireAmount { WireAmount(currency: "JPY", value: value) }

    /// A request that keeps every rule of its scenario.
    static func pay(_ scenario: PaymentScenario) -> PayRequest {
        var order = WireOrder(referenceOrderId: "A1", orderDescription: "tea", orderAmount: amount())
        order.merchant = WireMerchant(
            referenceMerchantId: "M1", store: WireStore(referenceStoreId: "S1", storeTerminalId: "T1"))
        order.env = WireEnv(terminalType: .app, osType: .ios, userAgent: "AlipayClient")
        var pay = PayRequest(
            paymentRequestId: "p1", paymentAmount: amount(), order: order,
            paymentMethod: WirePaymentMethod(paymentMethodType: .connectWallet), paymentFactor: WirePaymentFactor(),
            paymentRedirectUrl: "https://merchant.example/return")
        switch scenario {
        case .cashier: pay.paymentFactor?.isCashierPayment = true
        case .automaticDebit:
            pay.paymentFactor?.isAgreementPayment = true
            pay.paymentMethod = WirePaymentMethod(
                paymentMethodType: "ALIPAY_HK", paymentMethodId: "token", paymentMethodMetaData: .init(authClientId: "M1"))
        case .paymentCode:
            pay.paymentFactor = WirePaymentFactor(isInStorePayment: true, inStorePaymentScenario: .paymentCode)
            pay.paymentMethod.paymentMethodId = "281001020123456789012345"
        case .entryCode: pay.paymentFactor = WirePaymentFactor(isInStorePayment: true, inStorePaymentScenario: .entryCode)
        case .orderCode: pay.paymentFactor = WirePaymentFactor(isInStorePayment: true, inStorePaymentScenario: .orderCode)
        }
        return pay
    }

    @Test(arguments: PaymentScenario.allCases) func soundRequestBreaksNothing(scenario: PaymentScenario) {
        #expect(Self.pay(scenario).violations.isEmpty)
    }

    struct Fault: Sendable, CustomTestStringConvertible {
        var scenario: PaymentScenario
        var member: String
        var code = "PARAM_ILLEGAL"
        var change: @Sendable (inout PayRequest) -> Void
        var testDescription: String { "\(scenario) \(member)" }
    }

    static let faults: [Fault] = [
        Fault(scenario: .cashier, member: "order.env.terminalType") { $0.order.env = nil },
        Fault(scenario: .cashier, member: "order.env.terminalType") { $0.order.env?.terminalType = "TV" },
        Fault(scenario: .cashier, member: "order.env.osType") { $0.order.env?.osType = nil },
        Fault(scenario: .cashier, member: "order.env.osType") { $0.order.env = WireEnv(terminalType: .wap, osType: "TIZEN") },
        Fault(scenario: .cashier, member: "paymentRedirectUrl") { $0.paymentRedirectUrl = nil },
        Fault(scenario: .cashier, member: "paymentAmount") { $0.paymentAmount.value = "0" },
        Fault(scenario: .cashier, member: "paymentAmount") { $0.paymentAmount.value = "10.5" },
        Fault(scenario: .cashier, member: "order.orderAmount", code: "CURRENCY_NOT_SUPPORT") { $0.order.orderAmount.currency = "jpy" },
        Fault(scenario: .cashier, member: "paymentFactor") { $0.paymentFactor = nil },
        Fault(scenario: .cashier, member: "paymentFactor") { $0.paymentFactor?.isAgreementPayment = true },
        Fault(scenario: .cashier, member: "paymentRequestId") { $0.paymentRequestId = String(repeating: "x", count: 65) },
        Fault(scenario: .cashier, member: "paymentRequestId") { $0.paymentRequestId = "" },
        Fault(scenario: .cashier, member: "order.orderDescription") { $0.order.orderDescription = String(repeating: "茶", count: 257) },
        Fault(scenario: .cashier, member: "order.orderDescription") { $0.order.orderDescription = "a\nb" },
        Fault(scenario: .cashier, member: "paymentNotifyUrl") { $0.paymentNotifyUrl = "acqp.example/notify" },
        Fault(scenario: .cashier, member: "userRegion") { $0.userRegion = "Korea" },
        Fault(scenario: .cashier, member: "settlementStrategy.settlementCurrency", code: "CURRENCY_NOT_SUPPORT") {
            $0.settlementStrategy = WireSettlementStrategy(settlementCurrency: "SGX")
        },
        Fault(scenario: .automaticDebit, member: "paymentMethod.paymentMethodId") { $0.paymentMethod.paymentMethodId = nil },
        Fault(scenario: .automaticDebit, member: "paymentMethod.paymentMethodMetaData.authClientId") {
            $0.paymentMethod.paymentMethodMetaData = nil
        },
        Fault(scenario: .automaticDebit, member: "paymentMethod.paymentMethodType") { $0.paymentMethod.paymentMethodType = .connectWallet },
        Fault(scenario: .paymentCode, member: "order.merchant.store") { $0.order.merchant?.store = nil },
        Fault(scenario: .paymentCode, member: "order.merchant.store.storeTerminalId") { $0.order.merchant?.store?.storeTerminalId = nil },
        Fault(scenario: .paymentCode, member: "paymentMethod.paymentMethodId") { $0.paymentMethod.paymentMethodId = nil },
        Fault(scenario: .paymentCode, member: "paymentMethod.paymentMethodId", code: "INVALID_CODE") {
            $0.paymentMethod.paymentMethodId = "1"
        },
        Fault(scenario: .paymentCode, member: "paymentMethod.paymentMethodType") { $0.paymentMethod.paymentMethodType = "GCASH" },
        Fault(scenario: .entryCode, member: "order.env.userAgent") { $0.order.env?.userAgent = nil },
        Fault(scenario: .entryCode, member: "paymentRedirectUrl") { $0.paymentRedirectUrl = nil },
        Fault(scenario: .orderCode, member: "order.merchant.store") { $0.order.merchant = nil },
    ]

    @Test(arguments: faults) func brokenRuleIsNamedWithItsDocumentedCode(fault: Fault) throws {
        var request = Self.pay(fault.scenario)
        fault.change(&request)
        let violations = request.violations
        #expect(violations.map(\.member) == [fault.member])
        // A server looks while it reads.
        #expect(try PayRequest.read(#require(request.json.object)).violations == violations)
        let first = try #require(violations.first)
        #expect(first.result.resultCode == fault.code)
        #expect(first.result.isFailure)
        #expect(first.result.resultMessage?.hasPrefix(fault.member) == true)
    }

    @Test func membersOfListsAndAmountsAreNamedWhereTheyStand() throws {
        var request = Self.pay(.cashier)
        request.order.goods = [
            WireGoods(referenceGoodsId: "g1", goodsName: "tea", goodsUnitAmount: Self.amount()),
            WireGoods(referenceGoodsId: "g2", goodsName: "", goodsUnitAmount: Self.amount("1.0")),
        ]
        request.allowedPspRegions = ["KR", ""]
        let read = try PayRequest.read(#require(request.json.object))
        #expect(read.request == request)
        #expect(read.violations == request.violations)
        #expect(
            read.violations.map(\.member) == ["order.goods.1.goodsName", "order.goods.1.goodsUnitAmount", "allowedPspRegions.1"])
    }

    /// Clients send numbers and booleans for texts, and members of their own; an amount's own members are looked at once.
    @Test func whatNobodyAsksForBreaksNothing() throws {
        var object = try #require(Self.pay(.cashier).json.object)
        object["their own"] = .string("")
        object["userRegion"] = .null
        object["paymentAmount"] = .object(
            JSONObject([.init("currency", .string("JPY")), .init("value", .number("1000")), .init("note", .string(""))]))
        #expect(try PayRequest.read(object).violations.isEmpty)
        // What stands for a text is looked at as one.
        for value in [JSONValue.bool(true), .number("1")] {
            object["userRegion"] = value
            #expect(try PayRequest.read(object).violations.map(\.member) == ["userRegion"])
        }
        object["userRegion"] = .null
        object["paymentAmount"] = .object(JSONObject([.init("currency", .string("jpy")), .init("value", .string(""))]))
        #expect(try PayRequest.read(object).violations.map(\.member) == ["paymentAmount"])
    }

    @Test func evaluationMayBeOfZero() {
        var request = Self.pay(.cashier)
        request.paymentAmount.value = "0"
        request.paymentFactor?.isPaymentEvaluation = true
        #expect(request.violations.isEmpty)
    }

    @Test func eitherIdentifierIsDue() {
        #expect(InquiryPaymentRequest().violations.count == 1)
        #expect(InquiryPaymentRequest(paymentId: "x").violations.isEmpty)
        #expect(CancelPaymentRequest().violations.count == 1)
        #expect(
            RefundRequest(refundRequestId: "r", refundAmount: Self.amount("0")).violations.map(\.member) == [
                "paymentRequestId", "refundAmount",
            ])
        #expect(WalletInquiryRequest().violations.count == 1)
        #expect(WalletCancelRequest().violations.count == 1)
        #expect(WalletRefundRequest(refundRequestId: "r", refundAmount: Self.amount("0")).violations.count == 2)
    }

    @Test func grantNamesWhatGoesWithIt() {
        func request(_ grant: GrantType) -> ApplyTokenRequest { ApplyTokenRequest(grantType: grant, authClientId: "M1") }
        #expect(request(.authorizationCode).violations.map(\.member) == ["authCode"])
        #expect(request(.refreshToken).violations.map(\.member) == ["refreshToken"])
        #expect(request("PASSWORD").violations.map(\.member) == ["grantType"])
        #expect(PrepareRequest(authClientId: "M1", authClientName: "Tea").violations.map(\.member) == ["authRedirectUrl"])
    }

    @Test func notificationIsFinalAndASuccessSaysWhatWasPaid() {
        func notice(_ result: AlipayPlusResult) -> NotifyPaymentRequest {
            NotifyPaymentRequest(paymentResult: result, acquirerId: "A", paymentRequestId: "p")
        }
        #expect(notice(.paymentInProcess).violations.map(\.member) == ["paymentResult.resultStatus"])
        #expect(notice(.success).violations.map(\.member) == ["pspId", "paymentId", "paymentAmount", "paymentTime"])
        #expect(notice(.processFail).violations.isEmpty)
        #expect(
            WalletNotifyPaymentRequest(paymentResult: .success, paymentRequestId: "p").violations.map(\.member) == [
                "paymentId", "paymentAmount",
            ])
        #expect(WalletNotifyPaymentRequest(paymentResult: .unknownException, paymentRequestId: "p").violations.count == 1)
        #expect(WalletNotifyPaymentRequest(paymentResult: .riskReject, paymentRequestId: "p").violations.isEmpty)
    }

    @Test(arguments: [(0, 1), (1, 0), (10, 0), (11, 1)]) func atMostTenCodesAreAskedFor(quantity: Int, violations: Int) {
        #expect(GetPaymentCodeRequest(customerId: "c", codeQuantity: quantity, env: WireEnv()).violations.count == violations)
    }

    @Test func repeatIsEqualByItsComparedValuesAlone() {
        let first = Self.pay(.cashier)
        var second = first
        second.paymentNotifyUrl = "https://acqp.example/other"
        #expect(first.comparedValues == second.comparedValues)
        second.paymentAmount.value = "1001"
        #expect(first.comparedValues != second.comparedValues)
        var refund = RefundRequest(paymentId: "x", refundRequestId: "r", refundAmount: Self.amount())
        let before = refund.comparedValues
        refund.refundReason = "late"
        #expect(refund.comparedValues == before)
        refund.paymentId = "y"
        #expect(refund.comparedValues != before)
        #expect(CancelTokenRequest(accessToken: "t").idempotencyKey == "t")
        #expect(UserInitiatedPayRequest(acquirerId: "A", pspId: "P", codeValue: "c").comparedValues.isEmpty)
        let wallet = WalletPayRequest(
            acquirerId: "A", pspId: "P", paymentRequestId: "w", order: first.order, paymentAmount: Self.amount())
        #expect(wallet.comparedValues.count == 3)
        #expect(wallet.violations.isEmpty)
        #expect(WalletRefundRequest(refundRequestId: "r", refundAmount: Self.amount()).idempotencyKey == "r")
        #expect(
            PrepareRequest(authClientId: "a", authClientName: "n").comparedValues
                != PrepareRequest(authClientId: "a", authClientName: "m").comparedValues)
    }

    @Test func schedulesEndWhenTheyShould() {
        #expect(AlipayPlusSchedule.notification.reduce(0, +) <= 86_400 + 3_600)
        #expect(AlipayPlusSchedule.notification.first == 0)
        #expect(AlipayPlusSchedule.automaticDebitInquiry.reduce(0, +) == 60)
        #expect(AlipayPlusSchedule.inStoreInquiry == [2, 3, 3, 5, 5, 5, 5, 5, 5])
    }
}
