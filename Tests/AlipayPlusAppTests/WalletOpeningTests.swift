import AlipayPlusValues
import BillfoldTestSupport
import Foundation
import Testing

@testable import AlipayPlusApp

/// From the choice to the wallet: applink, then scheme, then page.
@MainActor @Suite struct WalletOpeningTests {
    private let phone = TestPhone()

    /// Chooses a wallet on a new sheet and waits for its end.
    private func choose(_ wallet: String = "GCASH", links: WalletLinks = WalletLinks()) async -> PaymentSheetOutcome {
        async let outcome = phone.client.showPaymentSheet(TestPhone.data().text)
        await until { phone.surroundings.sheet != nil }
        phone.select(wallet, links: links)
        return await outcome
    }

    @Test func universalLinkComesFirst() async {
        phone.surroundings.installedHosts = ["gcash.example.test"]
        phone.surroundings.installedSchemes = ["gcash"]
        #expect(await choose() == .left(wallet: "GCASH", way: .applink))
        #expect(phone.surroundings.openings.map(\.onlyInApp) == [true])
        #expect(phone.time.slept == [phone.client.sheetLimit] || phone.time.slept.isEmpty)
    }

    @Test func schemeComesSecondWhereItIsInstalled() async {
        phone.surroundings.installedSchemes = ["gcash"]
        #expect(await choose() == .left(wallet: "GCASH", way: .scheme))
        #expect(phone.openedURLs == ["gcash://pay?c=1"])
    }

    @Test func pageComesLast() async {
        #expect(await choose() == .left(wallet: "GCASH", way: .page))
        #expect(phone.openedURLs == ["https://pages.example.test/n"] && phone.surroundings.openings.map(\.onlyInApp) == [false])
        // A scheme that is not installed is never tried.
        #expect(phone.surroundings.refusals.map(\.url.scheme) == ["https"])
    }

    @Test func universalLinkIsThePageOfAWalletWithoutAnother() async {
        let links = WalletLinks(applinkURL: "https://gcash.example.test/a")
        #expect(await choose(links: links) == .left(wallet: "GCASH", way: .page))
        #expect(phone.surroundings.openings.map(\.onlyInApp) == [false])
    }

    @Test func nextLinkIsTriedWhereTheAppIsNotLeft() async {
        phone.surroundings.installedHosts = ["gcash.example.test"]
        phone.surroundings.installedSchemes = ["gcash"]
        phone.surroundings.leaves = false
        #expect(await choose() == .left(wallet: "GCASH", way: .page))
        #expect(phone.openedURLs == ["https://gcash.example.test/a", "gcash://pay?c=1", "https://pages.example.test/n"])
        #expect(phone.time.slept.filter { $0 == WalletOpening.patience }.count == 2)
        #expect(phone.log.facts(.appNotLeft).map { $0["way"] } == ["applink", "scheme"])
    }

    @Test func appThatIsLeftWithinTheMomentIsBelieved() async {
        phone.surroundings.installedSchemes = ["gcash"]
        phone.surroundings.leaves = false
        phone.time.hold(WalletOpening.patience)
        let chosen = Task { await choose() }
        await until { phone.time.slept.contains(WalletOpening.patience) && phone.time.sleepers == 1 }
        phone.surroundings.leave()
        phone.time.release()
        #expect(await chosen.value == .left(wallet: "GCASH", way: .scheme))
        #expect(phone.openedURLs == ["gcash://pay?c=1"])
    }

    @Test func linksOfThePageCountBeforeThoseOfTheData() async {
        let links = WalletLinks(normalURL: "https://pages.example.test/fresh")
        #expect(await choose(links: links) == .left(wallet: "GCASH", way: .page))
        #expect(phone.openedURLs == ["https://pages.example.test/fresh"])
    }

    @Test func walletWithoutAWayIsThrownAfterTheChoice() async {
        phone.show()
        phone.select("DANA")
        await until { phone.names.contains(threw) }
        #expect(phone.names == [didSelect, threw])
        #expect(phone.events.last?.message == "1003 SYSTEM_ERROR: no link of DANA leads into the wallet or to its page")
        #expect(await choose("UNKNOWN") == .failed(IAPError(.systemError, "")))
        phone.surroundings.hasBrowser = false
        #expect(await choose() == .failed(IAPError(.systemError, "")))
    }

    @Test(arguments: [
        WalletLinks(schemeURL: "javascript:alert(1)"), WalletLinks(schemeURL: "TEL:112"),
        WalletLinks(schemeURL: "https://evil.example.test/"),
        WalletLinks(applinkURL: "gcash://pay"), WalletLinks(normalURL: "http://pages.example.test/"),
        WalletLinks(normalURL: "file:///etc/passwd"),
        WalletLinks(normalURL: "https://a:b@pages.example.test/"), WalletLinks(normalURL: "https:///x"), WalletLinks(schemeURL: ""),
    ])
    func linkThatIsNoneOfItsKindIsNeverOpened(links: WalletLinks) async {
        phone.surroundings.installedSchemes = ["javascript", "tel", "gcash", "https", "http", "file"]
        phone.surroundings.installedHosts = ["evil.example.test", "pages.example.test"]
        #expect(await choose("DANA", links: links) == .failed(IAPError(.systemError, "")))
        #expect(phone.openedURLs.isEmpty)
    }

    @Test func pageOfThisMachineIsOpenedInTheSandbox() async {
        #expect(await choose(links: WalletLinks(normalURL: "http://127.0.0.1:9000/w")) == .left(wallet: "GCASH", way: .page))
    }

    @Test func sheetsOriginIsToldFromOthers() throws {
        let request = try #require(
            SheetRequest(TestPhone.data { $0.sheetURL = "https://Sheet.example.test/s" }, language: .english, installedWallets: []))
        func isOfSheet(_ text: String) throws -> Bool { request.isOfSheet(try #require(URL(string: text))) }
        #expect(try isOfSheet("https://sheet.example.test/other") && isOfSheet("https://sheet.example.test:443/"))
        #expect(try !isOfSheet("http://sheet.example.test/") && !isOfSheet("https://sheet.example.test:444/"))
        #expect(try !isOfSheet("https://example.test/") && !isOfSheet("about:blank") && !isOfSheet("gcash://sheet.example.test/"))
        #expect(request.isOfSheet(scheme: "https", host: "sheet.example.test", port: 0))
    }
}
