import Alipay
import BillfoldTestSupport
import Foundation
import Testing
import UIKitSimulator

@testable import AlipayApp

/// The forms that the header lets, and the names that it has beside payments.
@MainActor @Suite struct HeaderTests {
    @MainActor private final class Told {
        var dictionaries: [[String: String]] = []
        var block: CompletionBlock { { [self] in dictionaries.append($0 as? [String: String] ?? [:]) } }
    }

    private let phone: TestPhone
    private let told = Told()

    init() throws { phone = try TestPhone() }

    private func url(_ result: PaymentResult) throws -> URL {
        try #require(URL(string: SafepayURL(scheme: TestPhone.scheme, result: result).description))
    }

    @Test func serviceIsAskedWithAndWithoutAQuestionMark() async throws {
        let order = try await TestOrder("A-1")
        AlipaySDK.$current.withValue(AlipaySDK(client: phone.client)) {
            AlipaySDK.defaultService()?.payOrder(order.text, fromScheme: TestPhone.scheme) { _ in }
            #expect(!AlipaySDK.defaultService().isLogined() && Alipay.defaultService() === AlipaySDK.defaultService())
        }
        await until { phone.surroundings.openedURLs.count == 1 }
    }

    @Test func nilIsNoOrderAndNoURL() async {
        let service = AlipaySDK(client: phone.client)
        let nothing: String? = nil
        service.payOrder(nothing, fromScheme: nothing, callback: told.block)
        service.processOrder(withPaymentResult: nil, standbyCallback: told.block)
        await until { !told.dictionaries.isEmpty }
        #expect(told.dictionaries.map { $0["resultStatus"] } == ["4000"])
        #expect(service.fetchOrderInfo(fromH5PayUrl: nil) == nil)
    }

    @Test func linkIsTakenAsTheURLIs() async throws {
        let service = AlipaySDK(client: phone.client)
        let (order, home) = (try await TestOrder("A-1"), "https://shop.example.test/app/")
        service.payOrder(order.text, fromScheme: TestPhone.scheme, fromUniversalLink: home, callback: nil)
        await until { phone.surroundings.openedURLs.count == 1 }
        let query = SafepayURL(scheme: "x", result: cancelled).description.split(separator: "?", maxSplits: 1)[1]
        service.handleOpenUniversalLink(URL(string: "https://other.example.test/?\(query)"), standbyCallback: told.block)
        service.handleOpenUniversalLink(URL(string: "\(home)?\(query)"), standbyCallback: told.block)
        await until { !told.dictionaries.isEmpty }
        #expect(told.dictionaries.map { $0["resultStatus"] } == ["6001"])
    }

    @Test func activityIsTakenByItsLink() async throws {
        let service = AlipaySDK(client: phone.client)
        let (order, home) = (try await TestOrder("A-1"), "https://shop.example.test/app/")
        service.payOrder(order.text, fromScheme: TestPhone.scheme, fromUniversalLink: home, callback: nil)
        await until { phone.surroundings.openedURLs.count == 1 }
        let activity = NSUserActivity(activityType: NSUserActivityTypeBrowsingWeb)
        service.handleOpenUniversalLink(activity, standbyCallback: told.block)
        #expect(phone.client.faults.isEmpty)
        activity.webpageURL = URL(string: home + "?" + SafepayURL(scheme: "x", result: cancelled).description.split(separator: "?")[1])
        service.handleOpenUniversalLink(activity, standbyCallback: told.block)
        await until { !told.dictionaries.isEmpty }
        #expect(told.dictionaries.map { $0["resultStatus"] } == ["6001"])
    }

    @Test func windowIsTheAppsToKeep() async {
        let service = AlipaySDK(client: nil)
        #expect(service.targetWindow == nil)
        var window: UIWindow? = UIWindow(frame: .zero)
        service.targetWindow = window
        #expect(service.targetWindow === window)
        window = nil
        #expect(service.targetWindow == nil)
        service.targetWindow = nil
    }

    @Test func callsMayComeFromAnyThread() async throws {
        let order = try await TestOrder("A-1")
        let service = AlipaySDK(client: phone.client)
        let scheme = TestPhone.scheme
        let status = Task.detached {
            await withCheckedContinuation { told in
                service.payOrder(order.text, fromScheme: scheme) { told.resume(returning: $0?["resultStatus"] as? String) }
            }
        }
        await until { !phone.surroundings.openedURLs.isEmpty }
        let back = try url(cancelled)
        let wasHere = await Task.detached {
            service.processOrder(withPaymentResult: back, standbyCallback: nil)
            return service.isLogined()
        }.value
        #expect(await status.value == "6001" && !wasHere)
    }

    /// An app's main thread may wait for its own queue, which pays: the calls that give nothing back do not wait for the main thread.
    @Test func payingWaitsForNobody() async throws {
        let (order, scheme, back) = (try await TestOrder("A-1").text, TestPhone.scheme, try url(cancelled))
        let (service, isDone) = (AlipaySDK(client: phone.client), DispatchSemaphore(value: 0))
        DispatchQueue.global().async {
            service.payOrder(order, fromScheme: scheme, callback: nil)
            service.processOrder(withPaymentResult: back, standbyCallback: nil)
            isDone.signal()
        }
        #expect(Self.waits(for: isDone) == .success && phone.surroundings.openedURLs.isEmpty)
        await until { !phone.surroundings.openedURLs.isEmpty }
    }

    private nonisolated static func waits(for semaphore: DispatchSemaphore) -> DispatchTimeoutResult {
        semaphore.wait(timeout: .now() + 10)
    }

    @Test func authorizationIsRefusedAndLeavesPaymentsAlone() async throws {
        let service = AlipaySDK(client: phone.client)
        let pay = Told()
        service.payOrder(try await TestOrder("A-1").text, fromScheme: TestPhone.scheme, callback: pay.block)
        await until { phone.surroundings.openedURLs.count == 1 }
        service.auth_V2(withInfo: "apiname=com.alipay.account.auth", fromScheme: TestPhone.scheme, callback: told.block)
        service.auth(with: APayAuthInfo(appID: "a", pid: "p", redirectUri: "r"), callback: told.block)
        #expect(told.dictionaries.isEmpty)
        await until { told.dictionaries.count == 2 }
        #expect(told.dictionaries.allSatisfy { $0["resultStatus"] == "4000" && $0["memo"]?.contains("authorisation") == true })
        let back = try url(cancelled)
        service.processAuth_V2Result(back, standbyCallback: told.block)
        service.processAuthResult(back, standbyCallback: told.block)
        service.processOrder(withPaymentResult: back, standbyCallback: nil)
        await until { !pay.dictionaries.isEmpty }
        #expect(pay.dictionaries.map { $0["resultStatus"] } == ["6001"] && told.dictionaries.count == 2)
    }

    @Test func restOfTheHeaderAnswers() async {
        let service = AlipaySDK(client: nil)
        var isReady: Bool?
        service.fetchSdkConfig { isReady = $0 }
        #expect(isReady == nil)
        await until { isReady != nil }
        service.setUrl("https://test.example.test")
        #expect(isReady == true && service.queryTidFactor(ALIPAY_TIDFACTOR_TID) == nil)
    }

    /// The process has one log block: what other tests' payments write is left out by the scheme.
    @Test func logSaysWhatIsDoneAndNoOrder() async throws {
        var (lines, status): ([String], String?) = ([], nil)
        AlipaySDK.startLog { lines.append($0 ?? "") }
        let service = AlipaySDK(client: phone.client)
        service.payOrder(try await TestOrder("LOG-1").text, fromScheme: "logscheme") { status = $0?["resultStatus"] as? String }
        await until { !phone.surroundings.openedURLs.isEmpty }
        let back = SafepayURL(scheme: "logscheme", result: cancelled).description
        service.processOrder(withPaymentResult: URL(string: back), standbyCallback: nil)
        await until { status != nil }
        AlipaySDK.stopLog()
        let count = lines.count
        service.payOrder("x", fromScheme: "logscheme", callback: nil)
        #expect(lines.count == count && lines.count { $0.contains("logscheme") } == 2 && lines.contains { $0.hasSuffix("6001") })
        #expect(!lines.contains { $0.contains("LOG-1") || $0.contains("out_trade_no") })
    }
}
