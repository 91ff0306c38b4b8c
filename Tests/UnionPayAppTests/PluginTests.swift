import Foundation
import Testing
import UIKitSimulator
import UnionPayApp

/// Lets others run until it holds, for two seconds at most.
@MainActor private func until(_ holds: () -> Bool) async {
    let end = ContinuousClock.now.advanced(by: .seconds(2))
    while !holds(), .now < end { await Task.yield() }
}

/// One phone with the plug-in and a launcher in software.
@MainActor
private final class TestPhone {
    let control = UPPaymentControl()
    let launcher = SimulatedLauncher()
    let screen = UIViewController()
    /// What the app was opened by.
    let opened = Opened()

    init() {
        control.launcher = launcher
        let opened = opened
        control.opener = { opened.add($0) }
    }

    var codes: [PluginFault.Code] { control.faults.map(\.code) }

    final class Opened: @unchecked Sendable {
        // Used by one test, on the main thread.
        private(set) var urls: [URL] = []
        func add(_ url: URL) { urls.append(url) }
    }
}

private let number = "201603131105018491158"

@MainActor @Suite struct PluginTests {
    private let phone = TestPhone()

    private func start(_ tn: String? = number, scheme: String? = "shop", mode: String? = "01") -> Bool {
        phone.control.startPay(tn, fromScheme: scheme, mode: mode, viewController: phone.screen)
    }

    @Test(arguments: [
        (PluginEnd.success(), "success"), (.failure("可用余额不足[1000051]"), "fail"), (.cancel, "cancel"),
        (.unknownCancel, "cancel"),
    ])
    func resultComesBackByTheScheme(end: PluginEnd, word: String) throws {
        #expect(start())
        #expect(phone.launcher.shown == [PluginOrder(number: number, mode: .test, way: .control, scheme: "shop")])
        #expect(phone.opened.urls.isEmpty)
        phone.launcher.finish(end)
        let url = try #require(phone.opened.urls.first)
        #expect(url.scheme == "shop")
        var told: [String?] = []
        phone.control.handlePaymentResult(url) { code, data in
            told.append(code)
            #expect(data == nil)
        }
        #expect(told == [word])
        #expect(phone.control.faults.isEmpty)
    }

    @Test func aPaymentEndsOnce() {
        #expect(start())
        #expect(phone.launcher.finish(.cancel))
        #expect(!phone.launcher.finish(.success()))
        #expect(phone.opened.urls.count == 1)
    }

    @Test func whatIsLostComesBackAsNothing() {
        #expect(start())
        #expect(phone.launcher.lose())
        #expect(phone.opened.urls.isEmpty)
    }

    @Test func whatCannotBePaidIsNotShown() {
        #expect(!start(nil))
        #expect(!start(""))
        #expect(!start(mode: "02"))
        #expect(!start(mode: nil))
        #expect(!start(scheme: nil))
        #expect(!start(scheme: "shop://"))
        #expect(!phone.control.startPay(number, fromScheme: "shop", mode: "00", viewController: nil))
        #expect(phone.launcher.shown.isEmpty)
        #expect(
            phone.codes == [
                .numberMissing, .numberMissing, .modeUnknown, .modeUnknown, .schemeUnusable, .schemeUnusable, .screenMissing,
            ])
        let bare = UPPaymentControl()
        #expect(!bare.startPay(number, fromScheme: "shop", mode: "00", viewController: phone.screen))
        #expect(bare.faults.map(\.code) == [.notSetUp])
        #expect(!bare.isPaymentAppInstalled())
    }

    @Test func aNumberWithALineBreakIsToldAndHandedOn() {
        #expect(start(number + "\n"))
        #expect(phone.launcher.shown.map(\.number) == [number + "\n"])
        let data = #"{"sign":"AA==","data":"pay_result=success&tn=\#(number)&cert_id=1"}"#
        phone.control.handlePaymentResult(PluginResult(code: "success", data: data).url(scheme: "shop")) { _, _ in }
        #expect(phone.codes == [.numberStrange], "the result is of this payment")
    }

    @Test func aSchemeKeepsItsLetters() {
        #expect(start(scheme: "UPPayDemo"))
        phone.launcher.finish(.cancel)
        #expect(phone.opened.urls.map(\.absoluteString) == ["UPPayDemo://uppayresult?code=cancel&data="])
    }

    @Test func aLauncherThatShowsNothingIsAnsweredFalse() {
        phone.launcher.refuses = true
        #expect(!start())
        #expect(!phone.launcher.finish(.success()))
    }

    @Test func theInstalledAppIsAsked() {
        #expect(phone.control.isPaymentAppInstalled())
        phone.launcher.isInstalled = false
        #expect(!phone.control.isPaymentAppInstalled())
    }

    @Test func theLaterHeadersNamesAreThere() async {
        #expect(phone.control.isPaymentAppInstalled("01", withMerchantInfo: "merchant"))
        phone.launcher.isInstalled = false
        #expect(!phone.control.isPaymentAppInstalled("01", withMerchantInfo: "merchant"))
        let control = phone.control
        let apps = await withCheckedContinuation { continuation in
            control.getDirectApps("00", withMerchantInfo: "merchant") {
                continuation.resume(returning: $0?.count)
            } failBlock: { _, _ in
                continuation.resume(returning: nil)
            }
        }
        #expect(apps == 0)
        let refusal = await withCheckedContinuation { continuation in
            control.getDirectApps("02", withMerchantInfo: nil) { _ in
                continuation.resume(returning: "")
            } failBlock: { code, message in
                continuation.resume(returning: "\(code ?? "") \(message ?? "")")
            }
        }
        #expect(refusal == "01 parameter error")
    }

    /// What public apps log of a real result: blanks as `+`, and a signed text that says `fail` beside `code=success`.
    @Test func aSignedResultIsHandedOnAsItCame() throws {
        let url = try #require(
            URL(
                string: "ZZG://uppayresult?code=success&data=%7B++%22sign%22+%3A+%22FUUDLw%2BvzvA%3D%22%2C++%22data%22+%3A+"
                    + "%22pay_result%3Dfail%26tn%3D505622694018222474600%26cert_id%3D69026276696%22%7D"))
        var told: [String: String]?
        phone.control.handlePaymentResult(url) { code, data in
            #expect(code == "success")
            told = data as? [String: String]
        }
        #expect(
            told == ["sign": "FUUDLw+vzvA=", "data": "pay_result=fail&tn=505622694018222474600&cert_id=69026276696"])
        #expect(phone.codes == [.wordsDiffer])
    }

    @Test func aResultOfAnotherPaymentIsTold() throws {
        #expect(start())
        let data = #"{"sign":"AA==","data":"pay_result=success&tn=505622694018222474600&cert_id=1"}"#
        let url = try #require(PluginResult(code: "success", data: data).url(scheme: "shop"))
        phone.control.handlePaymentResult(url) { _, data in #expect(data?.count == 2) }
        #expect(phone.codes == [.otherNumber])
    }

    @Test(arguments: ["shop://safepay/?x", "shop://uppayresult", "shop://uppayresult?data=x", "shop://uppayresult?code=a&code=b"])
    func anotherURLIsLeftAlone(text: String) throws {
        let url = try #require(URL(string: text))
        let isResult = phone.control.handlePaymentResult(url) { _, _ in Issue.record("the block was called") }
        #expect(!isResult)
        #expect(phone.codes == [.foreignURL])
    }

    @Test func aNewWordIsHandedOn() throws {
        let url = try #require(URL(string: "shop://uppayresult?code=pending&data=%7B"))
        var told: [String?] = []
        phone.control.handlePaymentResult(url) { code, data in
            told.append(code)
            #expect(data == nil)
        }
        #expect(told == ["pending"])
        #expect(phone.codes == [.wordUnknown, .dataUnreadable])
    }

    /// Any app may open a URL of the scheme. What it says stays out of what is kept for developers.
    @Test(arguments: [String(repeating: "x", count: 100_000), "a\nb", "支付"]) func aStrangersWordIsToldInBrief(word: String) throws {
        let url = try #require(PluginResult(code: word, data: #"{"data":"pay_result=\#(word.prefix(99))y"}"#).url(scheme: "shop"))
        var told: [String?] = []
        let isResult = phone.control.handlePaymentResult(url) { code, _ in told.append(code) }
        #expect(isResult)
        #expect(told == [word])
        #expect(phone.codes.contains(.wordUnknown))
        #expect(phone.control.faults.allSatisfy { $0.reason.utf8.count < 120 && !$0.reason.contains(word.prefix(3)) })
    }

    /// One wrong registration puts another scheme before the app's own; public apps cut it away.
    @Test func aDoubledSchemeIsPassedOver() throws {
        let url = try #require(URL(string: "shop://paydemo://uppayresult?code=cancel&data="))
        #expect(PluginResult(url) == PluginResult(code: "cancel"))
    }

    @Test func aResultIsReadAsItIsWritten() throws {
        let result = PluginResult(code: "success", data: #"{"sign":"a+/=","data":"pay_result=success&tn=1&cert_id=2"}"#)
        let url = try #require(result.url(scheme: "shop"))
        #expect(PluginResult(url) == result)
        #expect(result.claim("tn") == "1")
        #expect(result.claim("t") == nil)
    }

    @Test func aPageIsOpenedForTheControlAlone() throws {
        let base = try #require(URL(string: "https://pay.example/unionpay/pay"))
        let pages = TestPhone.Opened()
        phone.control.launcher = PageLauncher(base: base) { page in
            pages.add(page)
            return true
        }
        #expect(start())
        #expect(pages.urls.map(\.absoluteString) == ["https://pay.example/unionpay/pay/\(number)?scheme=shop&mode=01"])
        let delegate = Delegate()
        UPPaymentControl.$current.withValue(phone.control) {
            #expect(!UPPayPlugin.startPay(number, mode: "01", viewController: phone.screen, delegate: delegate))
        }
        #expect(pages.urls.count == 1)
    }

    // MARK: The plug-ins with a delegate

    @MainActor private final class Delegate: NSObject, UPAPayPluginDelegate, UPPayPluginDelegate {
        var results: [(UPPaymentResultStatus, String?, String?)] = []
        var words: [String?] = []

        func upaPayPluginResult(_ payResult: UPPayResult!) {
            results.append((payResult.paymentResultStatus, payResult.errorDescription, payResult.otherInfo))
        }

        func upPayPluginResult(_ result: String!) { words.append(result) }
    }

    @Test func statusesHaveTheirPublishedNumbers() {
        #expect(UPPaymentResultStatus.success.rawValue == 0)
        #expect(UPPaymentResultStatus.failure.rawValue == 1)
        #expect(UPPaymentResultStatus.cancel.rawValue == 2)
        #expect(UPPaymentResultStatus.unknownCancel.rawValue == 3)
    }

    @Test(arguments: [
        (PluginEnd.success(discount: "currency=元&order_amt=20.00&pay_amt=15.00"), UPPaymentResultStatus.success),
        (.failure("可用余额不足[1000051]"), .failure), (.cancel, .cancel), (.unknownCancel, .unknownCancel),
    ])
    func applePayTellsItsDelegate(end: PluginEnd, status: UPPaymentResultStatus) async {
        let delegate = Delegate()
        UPPaymentControl.$current.withValue(phone.control) {
            #expect(
                UPAPayPlugin.startPay(
                    number, mode: "00", viewController: phone.screen, delegate: delegate, andAPMechantID: "merchant.shop"))
        }
        #expect(phone.launcher.shown.first?.merchantIdentifier == "merchant.shop")
        #expect(delegate.results.isEmpty)
        phone.launcher.finish(end)
        await until { !delegate.results.isEmpty }
        #expect(delegate.results.map(\.0) == [status])
        #expect((delegate.results.first?.1 == nil) == (status != .failure))
        #expect((delegate.results.first?.2 == nil) == (status != .success))
        #expect(phone.opened.urls.isEmpty)
    }

    @Test func theOlderPluginTellsAWord() async {
        let delegate = Delegate()
        UPPaymentControl.$current.withValue(phone.control) {
            #expect(UPPayPlugin.startPay(number, mode: "00", viewController: phone.screen, delegate: delegate))
        }
        phone.launcher.finish(.cancel)
        await until { !delegate.words.isEmpty }
        #expect(delegate.words == ["cancel"])
    }

    /// Behind an `await` the main actor may be on any thread.
    @Test func delegatesAreToldAtOnceOnTheMainActor() async {
        let delegate = Delegate()
        await Task.yield()
        UPPaymentControl.$current.withValue(phone.control) {
            #expect(UPPayPlugin.startPay(number, mode: "00", viewController: phone.screen, delegate: delegate))
        }
        phone.launcher.finish(.cancel)
        #expect(delegate.words == ["cancel"])
    }

    @Test func applePayNeedsAMerchantAndADelegate() {
        UPPaymentControl.$current.withValue(phone.control) {
            let delegate = Delegate()
            #expect(
                !UPAPayPlugin.startPay(number, mode: "00", viewController: phone.screen, delegate: delegate, andAPMechantID: ""))
            #expect(!UPAPayPlugin.startPay(number, mode: "00", viewController: phone.screen, delegate: nil, andAPMechantID: "m"))
            #expect(!UPPayPlugin.startPay(number, mode: "00", viewController: phone.screen, delegate: nil))
        }
        #expect(phone.codes == [.merchantMissing, .delegateMissing, .delegateMissing])
    }
}
