import AlipayPlusValues
import BillfoldTestSupport
import Foundation
import Testing

@testable import AlipayPlusApp

/// The documented names on a thread that is not the main one: the work is done there, and callbacks are called there.
@MainActor @Suite struct AnyThreadTests {
    /// What a block saw. It ends the test where it is called elsewhere.
    @MainActor private final class Seen {
        private(set) var names: [String] = []
        private(set) var error: Int?

        nonisolated func note(_ name: String) { MainActor.assumeIsolated { names.append(name) } }
        nonisolated func note(_ error: (any Error)?) {
            let code = (error as? NSError)?.code
            MainActor.assumeIsolated { self.error = code }
        }
    }

    private let phone = TestPhone()

    @Test func propertiesAreReadAndSet() async {
        let client = phone.client
        let language = await Task.detached {
            let configuration = IAPConfiguration(merchantId: "M-1", acquirerId: "A1", language: "th_TH")
            client.configuration = configuration
            client.logService = nil
            return client.alipaySDKSService == nil && client.logService == nil ? client.configuration.language : nil
        }.value
        #expect(language == "th_TH" && client.configuration.language == "th_TH")
    }

    @Test func callbacksAreCalledOnTheMainThread() async {
        let (client, seen, data) = (phone.client, Seen(), TestPhone.data().text)
        await Task.detached {
            client.showPaymentSheet(data) { seen.note($0.name) }
            client.inquirePaymentOption(with: IAPInquirePaymentOptionParams(paymentCurrency: "?")) { seen.note($1) }
        }.value
        await until { phone.surroundings.sheet != nil && seen.error != nil }
        phone.say(.cancelled)
        #expect(seen.names == [didCancel] && seen.error == IAPErrorParamIllegal)
    }

    @Test func returnsAreJudged() async throws {
        let client = phone.client
        let url = try #require(URL(string: "shopapp://safepay/?x"))
        let isReturn = await Task.detached {
            client.processOrder(withPaymentResult: url)
            return client.canProcessOrder(withPaymentResult: url)
        }.value
        #expect(!isReturn)
        // The log is told on the main thread, behind both calls.
        #expect(await until { phone.log.facts(.returnRefused) == [["scheme": "shopapp"]] }, "\(phone.log.facts(.returnRefused))")
    }

    /// An app's main thread may wait for its own queue, which calls the client: nothing there waits for the main thread.
    @Test func nothingWaitsForTheMainThread() async throws {
        let (client, seen, data, isDone) = (phone.client, Seen(), TestPhone.data().text, DispatchSemaphore(value: 0))
        let url = try #require(URL(string: "shopapp://safepay/?x"))
        DispatchQueue.global().async {
            client.configuration = TestPhone.configuration { $0.language = "th_TH" }
            client.logService = client.logService
            client.alipaySDKSService = nil
            client.inquirePaymentOption(IAPInquirePaymentOptionParams(paymentCurrency: "?")) { seen.note($1) }
            client.showPaymentSheet(data) { seen.note($0.name) }
            client.processOrder(withPaymentResult: url)
            if client.configuration.language == "th_TH", !client.canProcessOrder(withPaymentResult: url) { isDone.signal() }
        }
        #expect(Self.waits(for: isDone) == .success)
        await until { phone.surroundings.sheet != nil && seen.error != nil }
        phone.say(.cancelled)
        #expect(seen.names == [didCancel] && seen.error == IAPErrorParamIllegal)
    }

    private nonisolated static func waits(for semaphore: DispatchSemaphore) -> DispatchTimeoutResult {
        semaphore.wait(timeout: .now() + 10)
    }
}
