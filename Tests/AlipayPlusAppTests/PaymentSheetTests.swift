import AlipayPlusValues
import BillfoldTestSupport
import Foundation
import Testing

@testable import AlipayPlusApp

@MainActor @Suite struct PaymentSheetTests {
    private let phone = TestPhone()

    // MARK: The sheet

    @Test func sheetIsShownWithTheLanguageAndTheInstalledWallets() async {
        phone.surroundings.installedSchemes = ["gcash"]
        phone.client.setConfiguration(TestPhone.configuration { $0.language = "ko_KR" })
        phone.show()
        let address = phone.surroundings.sheet?.address.absoluteString
        #expect(address == TestPhone.sheetURL + "&client=app&language=ko_KR&installed=GCASH")
        #expect(phone.events.isEmpty)
        phone.say(.shown)
        phone.say(.shown)
        #expect(phone.names == [didShow])
    }

    @Test func choiceOpensTheWalletOnce() async {
        phone.surroundings.installedHosts = ["gcash.example.test"]
        phone.show()
        phone.say(.shown)
        phone.select()
        phone.select()
        phone.say(.cancelled)
        await until { !phone.openedURLs.isEmpty }
        #expect(phone.names == [didShow, didSelect] && phone.events.last?.message == "GCASH")
        #expect(phone.openedURLs == ["https://gcash.example.test/a"] && phone.surroundings.sheet == nil)
    }

    @Test func closingEndsTheSheet() {
        phone.show()
        phone.say(.shown)
        phone.say(.cancelled)
        phone.say(.cancelled)
        #expect(phone.names == [didShow, didCancel] && phone.surroundings.sheet == nil)
        phone.show()
        phone.surroundings.say(.closed)
        #expect(phone.names == [didShow, didCancel, didCancel])
    }

    @Test func failureOfThePageIsThrown() {
        phone.show()
        phone.say(.failed("no session"))
        #expect(phone.names == [threw] && phone.events.last?.message == "1003 SYSTEM_ERROR: the sheet failed: no session")
        phone.show()
        phone.surroundings.say(.unreachable("no network"))
        #expect(phone.names == [threw, threw] && phone.events.last?.message == "1002 INVALID_NETWORK: no network")
        #expect(phone.surroundings.sheet == nil)
    }

    @Test func sheetThatNeverSaysThatItIsDrawnIsThrown() async {
        phone.show()
        await until { phone.time.sleepers == 1 }
        phone.time.release()
        await until { !phone.events.isEmpty }
        #expect(phone.names == [threw] && phone.surroundings.sheet == nil)
    }

    @Test func sheetThatIsDrawnHasAllTheTime() async {
        phone.show()
        await until { phone.time.sleepers == 1 }
        phone.say(.shown)
        await until { phone.time.sleepers == 0 }
        #expect(phone.names == [didShow] && phone.surroundings.sheet != nil)
    }

    @Test func oddMessagesAreLoggedAndChangeNothing() {
        phone.show()
        phone.surroundings.say(.message("hello"))
        phone.surroundings.say(.message(#"{"event":"pay"}"#))
        #expect(phone.events.isEmpty && phone.surroundings.sheet != nil)
        #expect(phone.log.facts(.sheetMessageRefused).count == 2)
    }

    @Test func secondTapShowsNoSecondSheet() async {
        phone.show()
        phone.say(.shown)
        var second: [String] = []
        phone.client.showPaymentSheet(withData: TestPhone.data().text) { second.append($0.name) }
        #expect(second.isEmpty)
        await until { second == [didShow] }
        phone.say(.cancelled)
        #expect(phone.names == [didShow, didCancel] && second == [didShow, didCancel])
    }

    @Test func sheetOfAnotherPaymentHasToWait() async {
        phone.show()
        let outcome = await phone.client.showPaymentSheet(TestPhone.data { $0.paymentID = "P-2" }.text)
        #expect(outcome == .failed(IAPError(.parameterIllegal, "")) && phone.surroundings.sheet?.paymentID == "P-1")
        phone.say(.cancelled)
        phone.show(TestPhone.data { $0.paymentID = "P-2" })
        #expect(phone.surroundings.sheet?.paymentID == "P-2")
    }

    @Test func closedSheetIsPosted() async {
        let posted = Posted(phone.client)
        phone.show()
        phone.say(.shown)
        #expect(posted.count == 0)
        phone.select()
        #expect(posted.count == 1)
    }

    // MARK: Payment data that cannot be used

    private static let unusable: [String: String] = [
        "no JSON": "not JSON", "escaped": "\"\(TestPhone.data().text.replacing("\"", with: "\\\""))\"",
        "environment": TestPhone.data { $0.environment = .production }.text, "merchantId": TestPhone.data { $0.merchantID = "M-2" }.text,
        "acquirerId": TestPhone.data { $0.acquirerID = "A2" }.text, "time": TestPhone.data { $0.expiryTime = "soon" }.text,
        "expired": TestPhone.data { $0.expiryTime = "2026-01-02T03:13:05+08:00" }.text,
        "scheme": TestPhone.data { $0.sheetURL = "ftp://sheet.example.test/" }.text,
        "plain": TestPhone.data { $0.sheetURL = "http://sheet.example.test/" }.text,
        "user": TestPhone.data { $0.sheetURL = "https://a:b@sheet.example.test/" }.text,
        "address": TestPhone.data { $0.sheetURL = "sheet" }.text,
    ]

    @Test(arguments: [
        "no JSON", "escaped", "environment", "merchantId", "acquirerId", "time", "expired", "scheme", "plain", "user", "address",
    ])
    func unusableDataShowsNoSheetAndIsThrownOnce(name: String) async throws {
        let text = try #require(Self.unusable[name])
        var events: [IAPPaymentSheetEvent] = []
        phone.client.showPaymentSheet(text) { events.append($0) }
        #expect(events.isEmpty)
        await until { !events.isEmpty }
        let outcome = await phone.client.showPaymentSheet(text)
        #expect(outcome == .failed(IAPError(.parameterIllegal, "")) && phone.surroundings.sheet == nil)
        #expect(events.map(\.name) == [threw] && events.first?.message?.hasPrefix("1001 PARAM_ILLEGAL: the pay") == true)
    }

    @Test func dataIsUsableUntilItsLastMillisecond() {
        phone.surroundings.now = 1_767_294_844_999
        phone.show()
        #expect(phone.surroundings.sheet != nil)
    }

    @Test func sheetOfThisMachineIsForTheSandboxOnly() async {
        for host in ["127.0.0.1:8443", "localhost"] {
            phone.show(TestPhone.data { $0.sheetURL = "http://\(host)/s/1" })
            #expect(phone.surroundings.sheet?.address.absoluteString.hasPrefix("http://\(host)/s/1?client=app") == true)
            phone.say(.cancelled)
        }
        phone.client.setConfiguration(TestPhone.configuration { $0.envType = kIAPEnvPROD })
        let data = TestPhone.data {
            $0.environment = .production
            $0.sheetURL = "http://127.0.0.1:8443/s/1"
        }
        #expect(await phone.client.showPaymentSheet(data.text) == .failed(IAPError(.parameterIllegal, "")))
    }

    @Test func nothingIsShownWithoutAConfigurationOrAScreen() async {
        let bare = TestPhone(configured: false)
        #expect(await bare.client.showPaymentSheet(TestPhone.data().text) == .failed(IAPError(.parameterIllegal, "")))
        phone.client.surroundings = nil
        #expect(await phone.client.showPaymentSheet(TestPhone.data().text) == .failed(IAPError(.parameterIllegal, "")))
    }

    // MARK: Told once

    @Test func waitingCallerIsToldOnce() async {
        phone.surroundings.installedHosts = ["gcash.example.test"]
        async let outcome = phone.client.showPaymentSheet(TestPhone.data().text)
        await until { phone.surroundings.sheet != nil }
        phone.say(.shown)
        phone.select()
        phone.select("DANA")
        #expect(await outcome == .left(wallet: "GCASH", way: .applink))
    }

    @Test func streamEndsBehindTheLastEvent() async {
        var names: [String] = []
        let events = phone.client.paymentSheetEvents(TestPhone.data().text)
        phone.say(.shown)
        phone.say(.cancelled)
        for await event in events { names.append(event.name) }
        #expect(names == [didShow, didCancel])
    }

    @Test func sharedClientIsThatOfTheTask() {
        AlipayPlusClient.$current.withValue(phone.client) {
            #expect(AlipayPlusClient.shared === phone.client && AlipayPlusClient.shared() === phone.client)
        }
        #expect(AlipayPlusClient.shared !== phone.client && AlipayPlusClient.shared === AlipayPlusClient.shared)
    }

    @Test func logNamesThePaymentAndNoAddress() async {
        phone.surroundings.installedHosts = ["gcash.example.test"]
        phone.show()
        phone.say(.shown)
        phone.select()
        await until { !phone.log.facts(.walletOpened).isEmpty }
        #expect(phone.log.facts(.walletOpened) == [["paymentId": "P-1", "wallet": "GCASH", "way": "applink"]])
        #expect(phone.log.facts(.sheetEvent).map { $0["event"] } == [didShow, didSelect])
        #expect(phone.log.lines.allSatisfy { $0.name != nil && $0.facts.values.allSatisfy { !$0.contains("://") } })
    }
}

/// Counts the notifications of a client.
@MainActor
private final class Posted {
    private(set) var count = 0
    private var token: (any NSObjectProtocol)?

    init(_ client: AlipayPlusClient) {
        token = NotificationCenter.default.addObserver(
            forName: .IAPPosterDidCloseSheetView, object: client, queue: nil
        ) { [weak self] _ in MainActor.assumeIsolated { self?.count += 1 } }
    }

    isolated deinit {
        if let token { NotificationCenter.default.removeObserver(token) }
    }
}
