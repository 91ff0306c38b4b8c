import AppContainer
import Foundation
import GriverSimulator
import MiniPrograms
import Testing
import UIKitSimulator

@MainActor
struct LaunchTests {
    private let tea = PlayedPlatform.tea

    @Test func whatIsWrongWithALaunchIsThrown() {
        let app = PlayedApp()
        for id in ["", " ", "../x", "a/b", String(repeating: "1", count: 200)] {
            #expect(app.code { try $0.openApp(withAppId: id, startupParams: nil) } == 90002, "\(id)")
        }
        let broken = GRVStartupParams()
        broken.query = "a=%zz"
        #expect(app.code { try $0.openApp(withAppId: tea, startupParams: broken) } == 90002)
        broken.query = (0..<65).map { "k\($0)=1" }.joined(separator: "&")
        #expect(app.code { try $0.openApp(withAppId: tea, startupParams: broken) } == 90002)
        broken.query = nil
        broken.screenOrientation = "sideways"
        #expect(app.code { try $0.openApp(withAppId: tea, startupParams: broken) } == 90002)
        broken.screenOrientation = nil
        broken.titleAlignment = "left"
        #expect(app.code { try $0.openApp(withAppId: tea, startupParams: broken) } == 90002)
        broken.titleAlignment = nil
        #expect(app.code { try $0.openApp(withAppId: tea, startupParams: broken) } == nil)
        app.launch.container = nil
        #expect(app.code { try $0.openApp(withAppId: tea, startupParams: nil) } == 90003)
        #expect(app.code { try $0.openApp(withAppId: "", startupParams: nil) } == 90002, "a bad parameter is told first")
    }

    @Test func startupParametersHaveTheirDefaults() throws {
        let app = PlayedApp()
        let plain = try #require(try app.opened { try $0.openApp(withAppId: tea, startupParams: nil) })
        #expect(plain.startup == ProgramStartup())
        let defaults = try #require(try app.opened { try $0.openApp(withAppId: tea, startupParams: GRVStartupParams()) })
        #expect(defaults.startup == ProgramStartup())
        #expect(plain.startup.showsTitleBar && plain.startup.showsLoading && !plain.startup.showsTitleLoading)
        #expect(plain.startup.titleColor == nil && plain.startup.orientation == .portrait && !plain.startup.isTitleCentred)
    }

    /// As the documents' samples do: a launch is declared to give an optional, and is pushed without being unwrapped.
    @Test func whatALaunchGivesIsShownAsItCame() throws {
        let app = PlayedApp()
        let home = UIViewController(nibName: nil, bundle: nil)
        let stack = UINavigationController(rootViewController: home)
        let page = try app.launch.openApp(withAppId: tea, startupParams: nil)
        stack.pushViewController(page, animated: false)
        #expect(stack.topViewController === page)
        stack.pushViewController(UIViewController?.none, animated: false)
        #expect(stack.viewControllers.count == 2)
        let other = try app.launch.openApp(withAppId: tea, startupParams: nil)
        var isShown = false
        home.present(other, animated: false) { isShown = true }
        #expect(isShown && home.presentedViewController === other)
        home.present(UIViewController?.none, animated: false) { Issue.record("nothing was shown") }
    }

    @Test func aLaunchRunsTheProgramAndEndsWithItsScreen() async throws {
        let app = PlayedApp()
        let params = GRVStartupParams()
        params.query = "a=b&c=%E4%BD%A0"
        var page = try app.opened { try $0.openApp(withAppId: tea, startupParams: params) }
        #expect(await app.screen.lines(2) == [#"{"a":"b","c":"你"}"#, "page home"])
        #expect(page?.title == "Tea")
        guard case .running = page?.state else { return #expect(Bool(false), "it runs") }
        page?.program?.trigger("onPay")
        #expect(await app.screen.lines(3).last == "paid 9000", "the app itself opened it: no tap is due")
        page?.viewDidDisappear(false)
        #expect(await app.screen.lines(4).last == "hidden")
        weak let gone = page
        page = nil
        #expect(await becomes { gone == nil })
        #expect(await app.screen.lines(5).last == "ended")
    }

    @Test func anotherProgramThanWasAskedForDoesNotStart() async throws {
        let app = PlayedApp(PlayedPlatform(other: "2171020000000009"))
        let page = try #require(try app.opened { try $0.openApp(withAppId: tea, startupParams: nil) })
        #expect(await becomes { if case .failed = page.state { true } else { false } })
        #expect(page.program == nil && page.title == nil)
    }

    @Test func aProgramThatCannotBeFetchedFailsItsScreen() async throws {
        let app = PlayedApp(PlayedPlatform(isAway: true))
        let page = try #require(try app.opened { try $0.openApp(withAppId: tea, startupParams: nil) })
        var changes = 0
        page.onChange = { changes += 1 }
        #expect(await becomes { if case .failed = page.state { true } else { false } })
        #expect(changes == 1 && page.program == nil)
    }

    @Test func aRunThatEndsByItselfIsTold() async throws {
        let app = PlayedApp()
        let link = "https://app.example/?_ariver_appid=\(tea)&_ariver_path=pages/none/none"
        let page = try #require(try app.opened { try $0.openApp(withUrl: link, startupParams: nil) })
        #expect(await becomes { if case .ended(let error) = page.state { error?.code == .unknownPage } else { false } })
    }

    @Test func aLinkOpensItsPage() async throws {
        let app = PlayedApp()
        let link = "https://app.example/?_ariver_appid=\(tea)&_ariver_path=pages%2Ftable%2Ftable&_ariver_version=1.0.1&table=7"
        let page = try #require(try app.opened { try $0.openApp(withUrl: link, startupParams: nil) })
        #expect(await app.screen.lines(2).last == "page 7")
        page.program?.trigger("onPay")
        #expect(await app.screen.lines(3).last == "refused 4", "a link does not pay in a person's place")
        page.program?.trigger("onPay", isTap: true)
        #expect(await app.screen.lines(4).last == "paid 9000")
        for wrong in ["", "https://app.example/", "ftp://app.example/?_ariver_appid=\(tea)", "https://a@b/?_ariver_appid=\(tea)"] {
            #expect(app.code { try $0.openApp(withUrl: wrong, startupParams: nil) } == 90002, "\(wrong)")
        }
    }

    @Test func theOlderFormsReadTheSame() throws {
        let app = PlayedApp()
        let extra: [String: Any] = [
            "query": "a=b", "showTitleBar": false, "showLoading": false, "showTitleLoading": true, "titleColor": 0xFF00_0000,
            "screenOrientation": "landscape", "titleAlignment": "auto", "ours": "passed over",
        ]
        let old = try #require(try app.opened { try $0.openApp(withApppId: tea, extraParams: extra, error: ()) })
        let params = GRVStartupParams()
        (params.query, params.showTitleBar, params.showLoading, params.showTitleLoading) = ("a=b", false, false, true)
        (params.titleColor, params.screenOrientation, params.titleAlignment) = (0xFF00_0000, "landscape", "auto")
        let new = try #require(try app.opened { try $0.openApp(withAppId: tea, startupParams: params) })
        #expect(old.startup == new.startup)
        for (key, value) in [("query", 7), ("showTitleBar", "no"), ("titleColor", "red")] as [(String, Any)] {
            #expect(app.code { try $0.openApp(withApppId: tea, extraParams: [key: value], error: ()) } == 90002, "\(key)")
        }
        let link = "https://app.example/?_ariver_appid=\(tea)"
        #expect(app.code { try $0.openApp(withUrl: link, extraParams: nil, error: ()) } == nil)
        #expect(app.launch.openApp(withUrl: link, extraParams: [:]) is LaunchedProgramController)
        #expect(app.launch.openApp(withUrl: "https://app.example/", extraParams: [:]) == nil)
    }

    @Test func aPromotionLeadsOn() async {
        let app = PlayedApp()
        let target = "https://app.example/?_ariver_appid=\(tea)"
        let text = PlayedPlatform.promotion.text(for: target)
        await GRVAppContainerLaunch.$current.withValue(app.launch) {
            #expect(GRVURLContentDecoder.canDecodeURLContent(text) && !GRVURLContentDecoder.canDecodeURLContent(target))
            let good = await decoded(text)
            #expect(good.success && good.decodedURL == target && good.errorCode == nil)
            let damaged = await decoded(String(text.dropLast()) + "!")
            #expect(!damaged.success && damaged.errorCode == "DAMAGED_CODE" && damaged.decodedURL == nil)
            #expect(await decoded(target).errorCode == "NOT_A_PROMOTION_CODE")
            app.launch.container = nil
            #expect(!GRVURLContentDecoder.canDecodeURLContent(text))
            #expect(await decoded(text).errorCode == "NOT_A_PROMOTION_CODE")
        }
    }

    private func decoded(_ text: String) async -> GRVURLContentDecodeResponse {
        await withCheckedContinuation { continuation in
            GRVURLContentDecoder.decodeURLContent(text) { continuation.resume(returning: $0) }
        }
    }
}
