import AlipayPlusValues
import BillfoldTestSupport
import Foundation
import Testing

@testable import AlipayPlusApp

/// An app that links the Alipay SDK beside this one.
@MainActor @Suite struct LinkedAlipayTests {
    private let phone = TestPhone()
    private let alipay = ScriptedAlipay()

    init() { phone.client.alipaySDKSService = alipay }

    private func url(_ text: String) throws -> URL { try #require(URL(string: text)) }

    private func chooseAlipay() async {
        phone.show()
        phone.select("ALIPAY_CN", order: "o=1")
        await until { alipay.orders.count == 1 }
    }

    @Test(arguments: [
        ("9000", PaymentSheetOutcome.AlipayWord.success, IAPPaymentSheetEventPaymentSuccess),
        ("4000", .failed, IAPPaymentSheetEventPaymentFailed), ("6001", .canceled, IAPPaymentSheetEventPaymentCanceled),
        ("6002", .exception, IAPPaymentSheetEventPaymentException), ("8000", .processing, IAPPaymentSheetEventPaymentProcessing),
        ("6004", .processing, IAPPaymentSheetEventPaymentProcessing), ("?", .processing, IAPPaymentSheetEventPaymentProcessing),
    ])
    func itsWordBecomesAnEvent(status: String, word: PaymentSheetOutcome.AlipayWord, event: String) async {
        async let outcome = phone.client.showPaymentSheet(TestPhone.data().text)
        await until { phone.surroundings.sheet != nil }
        phone.show()
        phone.select("ALIPAY_CN", order: "o=1")
        await until { alipay.orders.count == 1 }
        #expect(alipay.orders.map(\.order) == ["o=1"] && alipay.orders.map(\.scheme) == ["shopapp"] && phone.openedURLs.isEmpty)
        alipay.say(status)
        alipay.say("4000")
        #expect(await outcome == .alipay(word))
        #expect(phone.names == [didSelect, event])
        #expect(phone.log.facts(.sheetEvent).map { $0["event"] } == [didSelect, event])
    }

    @Test func wordOfAnOldSDKOnAnotherThreadCounts() async {
        await chooseAlipay()
        // Safe: this test alone calls it, and waits.
        nonisolated(unsafe) let callback = alipay.callback
        await Task.detached { callback?(["ResultStatus": "9000"]) }.value
        await until { phone.names.count > 1 }
        #expect(phone.names == [didSelect, IAPPaymentSheetEventPaymentSuccess])
    }

    @Test func wordThatComesWithTheURLCounts() async throws {
        await chooseAlipay()
        let back = try url("ShopApp://safepay/?%7B%7D")
        #expect(phone.client.canProcessOrder(withPaymentResult: back))
        phone.client.processOrder(withPaymentResult: back)
        #expect(alipay.returns == [back])
        alipay.say("9000", standby: true)
        alipay.say("6001")
        #expect(phone.names == [didSelect, IAPPaymentSheetEventPaymentSuccess])
    }

    @Test(arguments: ["otherapp://safepay/?x", "shopapp://pay/?x", "https://safepay/"])
    func otherURLsAreLeftAlone(text: String) throws {
        let other = try url(text)
        #expect(!phone.client.canProcessOrder(withPaymentResult: other))
        phone.client.processOrder(withPaymentResult: other)
        #expect(alipay.returns.isEmpty && phone.log.facts(.returnRefused).count == 1)
    }

    @Test func returnsAreNobodysWithoutTheSDKOrItsScheme() throws {
        let back = try url("shopapp://safepay/?x")
        phone.client.setConfiguration(TestPhone.configuration { $0.fromScheme = nil })
        #expect(!phone.client.canProcessOrder(withPaymentResult: back))
        phone.client.setConfiguration(TestPhone.configuration())
        phone.client.alipaySDKSService = nil
        #expect(!phone.client.canProcessOrder(withPaymentResult: back))
    }

    @Test func linksAreUsedWithoutAnOrderOrAScheme() async {
        phone.show()
        phone.select("ALIPAY_CN", links: WalletLinks(normalURL: "https://pages.example.test/n"))
        await until { phone.openedURLs.count == 1 }
        phone.client.setConfiguration(TestPhone.configuration { $0.fromScheme = "" })
        phone.show()
        phone.select("ALIPAY_CN", links: WalletLinks(normalURL: "https://pages.example.test/n"), order: "o=1")
        await until { phone.openedURLs.count == 2 }
        #expect(alipay.orders.isEmpty)
    }

    @Test func sheetCanBeShownAgainWhileAlipayIsSilent() async {
        await chooseAlipay()
        phone.show()
        #expect(phone.surroundings.sheet != nil)
        phone.say(.cancelled)
        #expect(phone.names == [didSelect, didCancel])
    }
}
