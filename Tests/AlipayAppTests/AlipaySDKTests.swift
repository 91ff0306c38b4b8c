import Alipay
import BillfoldTestSupport
import Foundation
import Testing

@testable import AlipayApp

/// The documented calls: what their blocks are told, and which of them.
@MainActor @Suite struct AlipaySDKTests {
    @MainActor private final class Told {
        /// Without the capital form of the status, which has to say the same.
        var dictionaries: [[String: String]] = []
        var block: CompletionBlock {
            { [self] in
                var dictionary = $0 as? [String: String] ?? [:]
                #expect(dictionary.removeValue(forKey: "ResultStatus") == dictionary["resultStatus"])
                dictionaries.append(dictionary)
            }
        }
    }

    private func url(_ result: PaymentResult) throws -> URL {
        try #require(URL(string: SafepayURL(scheme: TestPhone.scheme, result: result).description))
    }

    private func begun(_ phone: TestPhone, _ order: TestOrder, _ told: Told) async -> AlipaySDK {
        let service = AlipaySDK(client: phone.client)
        let before = phone.surroundings.openedURLs.count
        service.payOrder(order.text, fromScheme: TestPhone.scheme, callback: told.block)
        await until { phone.surroundings.openedURLs.count > before || phone.surroundings.cashier != nil }
        return service
    }

    @Test func walletsResultGoesToTheBlockOfTheURL() async throws {
        let (phone, pay, standby) = (try TestPhone(), Told(), Told())
        let order = try await TestOrder("A-1")
        phone.server.answer("A-1", .paid)
        let service = await begun(phone, order, pay)
        let result = try await order.paid()
        service.processOrder(withPaymentResult: try url(result), standbyCallback: standby.block)
        await until { !standby.dictionaries.isEmpty }
        #expect(standby.dictionaries == [["resultStatus": "9000", "result": result.result, "memo": ""]])
        #expect(pay.dictionaries.isEmpty)
    }

    @Test func withoutSuchABlockItGoesToTheBlockOfThePayment() async throws {
        let (phone, pay) = (try TestPhone(), Told())
        let service = await begun(phone, try await TestOrder("A-1"), pay)
        service.processOrder(withPaymentResult: try url(cancelled), standbyCallback: nil)
        await until { !pay.dictionaries.isEmpty }
        #expect(pay.dictionaries == [["resultStatus": "6001", "result": "", "memo": "用户中途取消"]])
    }

    @Test func cashiersResultGoesToTheBlockOfThePayment() async throws {
        let (phone, pay) = (try TestPhone(wallet: false), Told())
        _ = await begun(phone, try await TestOrder("A-1"), pay)
        phone.surroundings.endCashier(PaymentResult(status: .processing))
        await until { !pay.dictionaries.isEmpty }
        #expect(pay.dictionaries.map { $0["resultStatus"] } == ["8000"])
    }

    @Test func bothDelegateMethodsTellOnce() async throws {
        let (phone, pay, standby) = (try TestPhone(), Told(), Told())
        let order = try await TestOrder("A-1")
        phone.server.answer("A-1", .unpaid, .paid)
        let service = await begun(phone, order, pay)
        let url = try url(try await order.paid())
        service.processOrder(withPaymentResult: url, standbyCallback: nil)
        service.processOrder(withPaymentResult: url, standbyCallback: standby.block)
        await until { phone.kept(order)?.isReported == true }
        service.processOrder(withPaymentResult: url, standbyCallback: standby.block)
        #expect(standby.dictionaries.count + pay.dictionaries.count == 1)
        #expect(standby.dictionaries.first?["resultStatus"] == "9000")
    }

    @Test func urlOfAKilledAppWaitsForABlock() async throws {
        let (phone, pay, standby) = (try TestPhone(), Told(), Told())
        let order = try await TestOrder("A-1")
        phone.server.answer("A-1", .paid)
        _ = await begun(phone, order, pay)
        phone.restart()
        let service = AlipaySDK(client: phone.client)
        service.processOrder(withPaymentResult: try url(try await order.paid()), standbyCallback: nil)
        await until { phone.kept(order)?.conclusion == .succeeded }
        service.standbyCallback = standby.block
        #expect(standby.dictionaries.map { $0["resultStatus"] } == ["9000"] && pay.dictionaries.isEmpty)
        #expect(standby.dictionaries.first?["result"]?.contains("A-1") == true)
    }

    /// A link that starts the app may be there before the app has read its settings.
    @Test func urlWaitsForTheClient() async throws {
        let (phone, pay, standby) = (try TestPhone(), Told(), Told())
        let order = try await TestOrder("A-1")
        phone.server.answer("A-1", .paid)
        _ = await begun(phone, order, pay)
        phone.restart()
        let service = AlipaySDK(client: nil)
        let result = try await order.paid()
        service.processOrder(withPaymentResult: try url(result), standbyCallback: standby.block)
        service.processOrder(withPaymentResult: try url(result), standbyCallback: nil)
        service.client = nil
        #expect(standby.dictionaries.isEmpty && phone.kept(order)?.conclusion == nil)
        service.client = phone.client
        await until { !standby.dictionaries.isEmpty }
        service.client = phone.client
        #expect(standby.dictionaries == [["resultStatus": "9000", "result": result.result, "memo": ""]] && pay.dictionaries.isEmpty)
    }

    /// Strangers' URLs do not fill the memory, and the latest counts.
    @Test func fewURLsWaitForTheClient() async throws {
        let (phone, pay, standby) = (try TestPhone(), Told(), Told())
        _ = await begun(phone, try await TestOrder("A-1"), pay)
        let service = AlipaySDK(client: nil)
        service.processOrder(withPaymentResult: try url(cancelled), standbyCallback: standby.block)
        for number in 0..<20 {
            service.processOrder(withPaymentResult: URL(string: "shopapp://orders/\(number)"), standbyCallback: standby.block)
        }
        service.client = phone.client
        #expect(standby.dictionaries.isEmpty && phone.client.pending.payments.allSatisfy { $0.reply == nil })
        service.processOrder(withPaymentResult: try url(cancelled), standbyCallback: standby.block)
        await until { !standby.dictionaries.isEmpty }
    }

    /// What the dictionary says when the wallet says "paid".
    @Test(arguments: [
        (true, OrderState.paid, true, "9000"), (true, .unpaid, true, "8000"), (false, .unpaid, true, "6004"), (false, .paid, true, "9000"),
        (true, nil, true, "8000"), (true, nil, false, "9000"), (false, nil, false, "6004"),
    ])
    func paidIsHandedOnOnlyWithAProof(isProven: Bool, state: OrderState?, hasServer: Bool, expected: String) async throws {
        let (phone, pay) = (try TestPhone(hasServer: hasServer), Told())
        let order = try await TestOrder("A-1")
        phone.server.answer("A-1", state)
        let service = await begun(phone, order, pay)
        let result = try await order.paid(by: isProven ? nil : TestKeys.shared.get().stranger)
        service.processOrder(withPaymentResult: try url(result), standbyCallback: nil)
        await until { !pay.dictionaries.isEmpty }
        let isWalletsWord = isProven && expected == "9000"
        #expect(pay.dictionaries == [["resultStatus": expected, "result": isWalletsWord ? result.result : "", "memo": ""]])
    }

    @Test func failureWithoutAServerIsTheWalletsWord() async throws {
        let (phone, pay) = (try TestPhone(hasServer: false), Told())
        let service = await begun(phone, try await TestOrder("A-1"), pay)
        service.processOrder(withPaymentResult: try url(PaymentResult(status: .failed, memo: "系统繁忙")), standbyCallback: nil)
        await until { !pay.dictionaries.isEmpty }
        #expect(pay.dictionaries == [["resultStatus": "4000", "result": "", "memo": "系统繁忙"]])
    }

    @Test func secondPaymentEndsTheFirstAsUnknown() async throws {
        let (phone, first, second) = (try TestPhone(), Told(), Told())
        _ = await begun(phone, try await TestOrder("A-1"), first)
        _ = await begun(phone, try await TestOrder("A-2"), second)
        #expect(first.dictionaries.map { $0["resultStatus"] } == ["6004"] && second.dictionaries.isEmpty)
    }

    @Test func whatCannotBeBegunFailsAtOnce() async throws {
        let (phone, told) = (try TestPhone(), Told())
        AlipaySDK(client: nil).payOrder("x", fromScheme: TestPhone.scheme, callback: told.block)
        let service = AlipaySDK(client: phone.client)
        service.payOrder("x", fromScheme: TestPhone.scheme, callback: told.block)
        service.payOrder(try await TestOrder("A-1").text, dynamicLaunch: true, fromScheme: "shop_app", callback: told.block)
        service.payOrder(
            try await TestOrder("A-1").text, fromScheme: TestPhone.scheme, fromUniversalLink: "http://shop.example.test",
            callback: told.block)
        await until { told.dictionaries.count == 4 }
        #expect(told.dictionaries.allSatisfy { $0["resultStatus"] == "4000" })
        #expect(
            Set(told.dictionaries.compactMap { $0["memo"]?.split(separator: ":").first }) == [
                "not-set-up", "order-malformed", "return-address-unusable",
            ])
    }

    @Test func serviceRemembersThatItPaid() async throws {
        let (phone, pay) = (try TestPhone(), Told())
        let order = try await TestOrder("A-1", .modern)
        phone.server.answer("A-1", .paid)
        let service = await begun(phone, order, pay)
        #expect(!service.isLogined() && service.fetchTradeToken() == nil)
        service.processOrder(withPaymentResult: try url(try await order.paid()), standbyCallback: nil)
        await until { !pay.dictionaries.isEmpty }
        #expect(service.isLogined() && service.fetchTradeToken() == "2026010222001400000000000001")
        #expect(service.currentVersion().wholeMatch(of: /\d+\.\d+\.\d+/) != nil)
    }

    @Test func oneServiceForTheAppAndOneForEachTask() {
        #expect(AlipaySDK.defaultService() === AlipaySDK.defaultService())
        let service = AlipaySDK(client: nil)
        AlipaySDK.$current.withValue(service) { #expect(AlipaySDK.defaultService() === service) }
        #expect(AlipaySDK.defaultService() !== service)
    }

    // MARK: Pages

    @Test func orderInAPageIsPaidByTheWallet() async throws {
        let (phone, told) = (try TestPhone(), Told())
        let order = try await TestOrder("A-1")
        phone.server.answer("A-1", .paid)
        let service = AlipaySDK(client: phone.client)
        var dictionary: [AnyHashable: Any]?
        let page = AppSwitchURL(order: order.text, returnScheme: "alipays").description
        #expect(service.fetchOrderInfo(fromH5PayUrl: page) == order.text)
        #expect(service.payInterceptor(withUrl: page, fromScheme: TestPhone.scheme) { dictionary = $0 })
        await until { !phone.surroundings.openedURLs.isEmpty }
        #expect(try AppSwitchURL(phone.surroundings.openedURLs[0].absoluteString).returnScheme == TestPhone.scheme)
        service.processOrder(withPaymentResult: try url(try await order.paid()), standbyCallback: nil)
        await until { dictionary != nil }
        #expect(dictionary?["resultCode"] as? String == "9000" && dictionary?["isProcessUrlPay"] as? Bool == true)
        #expect(told.dictionaries.isEmpty)
    }

    @Test(arguments: [
        "https://shop.example.test/", "alipays://platformapi/startApp?appId=20000125", "",
        "alipay://alipayclient/?%7B%22requestType%22%3A%22SafePay%22%2C%22dataString%22%3A%22h5_route_token%3D%5C%22t%5C%22%22%7D",
    ])
    func otherAddressesStayWithThePage(address: String) throws {
        let phone = try TestPhone()
        #expect(!AlipaySDK(client: phone.client).payInterceptor(withUrl: address, fromScheme: TestPhone.scheme, callback: nil))
        #expect(phone.client.pending.payments.isEmpty)
    }

    @Test func olderFormOfTheSwitchIsReadToo() async throws {
        let order = try await TestOrder("A-1")
        var switched = AppSwitchURL(order: order.text, returnScheme: "")
        switched.form = .startApp
        #expect(AlipaySDK(client: nil).fetchOrderInfo(fromH5PayUrl: switched.description) == order.text)
    }
}
