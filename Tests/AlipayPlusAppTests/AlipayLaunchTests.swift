import AlipayPlusValues
import BillfoldTestSupport
import Foundation
import Testing

@testable import AlipayPlusApp

/// Two payments by the Alipay SDK in one run of the app: whose word a word is.
@MainActor @Suite struct AlipayLaunchTests {
    /// The two generations of order strings and of results.
    enum Generation: CaseIterable {
        case older, newer

        func order(_ number: String) -> String {
            switch self {
            case .older: #"partner="2088"&out_trade_no="\#(number)"&subject="Tea"&sign="s""#
            case .newer: "app_id=1&biz_content=%7B%22subject%22%3A%22Green+tea%22%2C%22out_trade_no%22%3A%22\(number)%22%7D&sign=s"
            }
        }

        func result(_ number: String) -> String {
            switch self {
            case .older: #"partner="2088"&out_trade_no="\#(number)"&success="true"&sign="s""#
            case .newer: #"{"alipay_trade_app_pay_response":{"code":"10000","out_trade_no":"\#(number)"},"sign":"s"}"#
            }
        }
    }

    private let phone = TestPhone()
    private let alipay = ScriptedAlipay()
    private let success = IAPPaymentSheetEventPaymentSuccess
    private let processing = IAPPaymentSheetEventPaymentProcessing

    init() { phone.client.alipaySDKSService = alipay }

    /// Hands an order to the Alipay SDK, and keeps what its sheet is told.
    @MainActor private final class Told { var names: [String] = [] }

    private func launch(_ order: String, paymentID: String) async -> Told {
        let told = Told()
        let count = alipay.orders.count
        phone.client.showPaymentSheet(TestPhone.data { $0.paymentID = paymentID }.text) { told.names.append($0.name) }
        phone.select("ALIPAY_CN", order: order)
        await until { alipay.orders.count == count + 1 }
        told.names = []
        return told
    }

    private func comeBack() throws { phone.client.processOrder(withPaymentResult: try #require(URL(string: "shopapp://safepay/?x"))) }

    @Test(arguments: Generation.allCases)
    func wordGoesToTheOrderThatItNames(generation: Generation) async throws {
        let first = await launch(generation.order("N-1"), paymentID: "P-1")
        let second = await launch(generation.order("N-2"), paymentID: "P-2")
        try comeBack()
        alipay.say("9000", standby: true, result: generation.result("N-1"))
        #expect(first.names == [success] && second.names.isEmpty)
        alipay.say("9000", standby: true, result: generation.result("N-1"))
        #expect(second.names.isEmpty && phone.log.facts(.returnRefused).count == 1)
        alipay.say("9000", standby: true, result: generation.result("N-2"))
        #expect(second.names == [success] && first.names == [success])
    }

    /// The sheet that is on the screen, or was closed last, did not go to Alipay.
    @Test func anotherSheetChangesNothing() async throws {
        let first = await launch(Generation.older.order("N-1"), paymentID: "P-1")
        phone.show(TestPhone.data { $0.paymentID = "P-2" })
        phone.say(.cancelled)
        try comeBack()
        alipay.say("6001", standby: true)
        #expect(first.names == [IAPPaymentSheetEventPaymentCanceled] && phone.names == [didCancel])
    }

    @Test(arguments: [
        ("9000", IAPPaymentSheetEventPaymentProcessing), ("4000", IAPPaymentSheetEventPaymentProcessing),
        ("6001", IAPPaymentSheetEventPaymentCanceled), ("6002", IAPPaymentSheetEventPaymentException),
    ])
    func wordWithoutAnOrderIsTheLatestsAndDecidesNothing(status: String, event: String) async throws {
        let first = await launch(Generation.newer.order("N-1"), paymentID: "P-1")
        let second = await launch(Generation.newer.order("N-2"), paymentID: "P-2")
        try comeBack()
        alipay.say(status, standby: true)
        #expect(first.names.isEmpty && second.names == [event])
        alipay.say(status, standby: true)
        #expect(first.names.isEmpty)
    }

    @Test func wordOfAnEndedPaymentIsNotTheNextOnes() async throws {
        let first = await launch("o=1", paymentID: "P-1")
        alipay.say("9000")
        let second = await launch("o=2", paymentID: "P-2")
        try comeBack()
        alipay.say("9000", standby: true)
        #expect(first.names == [success] && second.names == [processing])
    }

    @Test func wordOfAStrangersOrderIsNobodys() async throws {
        let only = await launch(Generation.newer.order("N-1"), paymentID: "P-1")
        try comeBack()
        alipay.say("9000", standby: true, result: Generation.newer.result("N-9"))
        #expect(only.names.isEmpty && phone.log.facts(.returnRefused).count == 1)
    }

    @Test func blockThatNamesAnotherOrderIsToldOfTheOther() async {
        let first = await launch(Generation.older.order("N-1"), paymentID: "P-1")
        let second = await launch(Generation.older.order("N-2"), paymentID: "P-2")
        alipay.say("9000", byBlock: 0, result: Generation.older.result("N-2"))
        #expect(first.names == [processing] && second.names == [success])
    }

    @Test func sameOrderOnTwoSheetsIsOnePayment() async throws {
        let first = await launch(Generation.newer.order("N-1"), paymentID: "P-1")
        let second = await launch(Generation.newer.order("N-1"), paymentID: "P-1")
        try comeBack()
        alipay.say("9000", standby: true, result: Generation.newer.result("N-1"))
        #expect(first.names == [success] && second.names == [success])
    }
}
