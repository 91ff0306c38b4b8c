import Foundation
import GriverSimulator
import Testing
import UIKitSimulator

/// Keeps the taps that it was told of.
private final class PlayedBar: NSObject, GRVNavigationBarEventDelegate {
    var heard: [GRVNavigationBarItemClickedType] = []

    func navigationBarItemDidClicked(with type: GRVNavigationBarItemClickedType) { heard.append(type) }
}

/// Overrides nothing, as the header allows.
private final class DeafBar: NSObject, GRVNavigationBarEventDelegate {}

private final class HiddenItem: GRVMPMoreMenuItem {
    override func canShow(forMPAppId appId: String!) -> Bool { false }
}

private final class PlayedMenu: NSObject, GRVMPMoreMenuDelegate {
    var tapped: [String] = []

    func getMenuList(_ appId: String) -> [GRVMPMoreMenuItem] {
        let report = GRVMPMoreMenuItem()
        (report.row, report.title, report.identifier) = (2, "Report", "report")
        report.clickMenuItemAction = { [weak self] context in self?.tapped.append("report \(context?.appId ?? "")") }
        let share = GRVMPMoreMenuItem(title: "Share", icon: nil, identifier: "share", row: 1) { [weak self] _ in
            self?.tapped.append("share")
        }
        let rowless = GRVMPMoreMenuItem()
        (rowless.title, rowless.identifier) = ("No row", "none")
        let hidden = HiddenItem(title: "Hidden", icon: nil, identifier: "hidden", row: 1, clickMenuItemAction: nil)
        return [report, share, rowless, hidden]
    }
}

/// Keeps which mini programs started and ended.
private final class PlayedListener: NSObject, GRVAppEventDelegate {
    var heard: [String] = []

    func onAppStart(_ app: any GRVAppSessionInfo) { heard.append("+\(app.appId)") }
    func onAppExit(_ app: any GRVAppSessionInfo) { heard.append("-\(app.appId)") }
}

/// Overrides nothing, as the header allows.
private final class DeafListener: NSObject, GRVAppEventDelegate {}

@MainActor
struct ExtensionTests {
    private let tea = PlayedPlatform.tea

    /// What one of the two blocks said: the code of the failure, or nil.
    private func initialised(_ launch: GRVAppContainerLaunch, _ config: IAPConnectInitConfig) async -> Int? {
        await withCheckedContinuation { continuation in
            GRVAppContainerLaunch.$current.withValue(launch) {
                IAPConnectClient.sharedInstance()?.initWithContext(
                    config, success: { continuation.resume(returning: nil) },
                    failure: { error, message in
                        #expect(message?.isEmpty == false)
                        continuation.resume(returning: (error as NSError?)?.code ?? 0)
                    })
            }
        }
    }

    @Test func withoutAContainerTheInitialisationFails() async {
        #expect(await initialised(GRVAppContainerLaunch(), IAPConnectInitConfig()) == 90003)
    }

    @Test func tapsOnTheTitleBarAreTold() async throws {
        let (app, bar, config) = (PlayedApp(), PlayedBar(), IAPConnectInitConfig())
        let extensions = GRVExtensionDelegate()
        config.riverExtensionDelegate = extensions
        extensions.navigationBarEventDelegate = bar
        #expect(await initialised(app.launch, config) == nil)
        let page = try #require(try app.opened { try $0.openApp(withAppId: tea, startupParams: nil) })
        let stack = UINavigationController(rootViewController: UIViewController(nibName: nil, bundle: nil))
        stack.pushViewController(page, animated: false)
        #expect(page.tapTitleBar(.unknown) && page.tapTitleBar(.back))
        #expect(stack.topViewController === page, "it goes by a tap on its close button alone")
        extensions.navigationBarEventDelegate = DeafBar()
        #expect(page.tapTitleBar(.closeApp) && stack.viewControllers.count == 1)
        #expect(bar.heard == [.unknown, .back])

        let params = GRVStartupParams()
        params.showTitleBar = false
        let bare = try #require(try app.opened { try $0.openApp(withAppId: tea, startupParams: params) })
        #expect(!bare.tapTitleBar(.back), "there is no bar to tap")
    }

    /// Waits until something holds that the main thread does in its turn.
    private func until(_ holds: () -> Bool) async {
        for _ in 0..<100_000 where !holds() { await Task.yield() }
    }

    @Test func startsAndEndsAreTold() async throws {
        let (app, listener, config) = (PlayedApp(), PlayedListener(), IAPConnectInitConfig())
        let extensions = GRVExtensionDelegate()
        extensions.appEventDelegate = listener
        config.riverExtensionDelegate = extensions
        #expect(await initialised(app.launch, config) == nil)
        var page = try app.opened { try $0.openApp(withAppId: tea, startupParams: nil) }
        #expect(page != nil && listener.heard.isEmpty, "nothing has started yet")
        await until { listener.heard == ["+\(tea)"] }
        #expect(listener.heard == ["+\(tea)"])
        extensions.appEventDelegate = DeafListener()
        page = nil
        await until { listener.heard.count == 2 }
        #expect(listener.heard == ["+\(tea)", "-\(tea)"], "who heard of the start hears of the end")
        page = try app.opened { try $0.openApp(withAppId: tea, startupParams: nil) }
        await until {
            if case .running = page?.state { true } else { false }
        }
        page = nil
        for _ in 0..<100 { await Task.yield() }
        #expect(listener.heard.count == 2)
    }

    @Test func theMenuHasTheAppsEntries() async throws {
        let (app, menu, config) = (PlayedApp(), PlayedMenu(), IAPConnectInitConfig())
        let extensions = GRVExtensionDelegate()
        config.riverExtensionDelegate = extensions
        #expect(await initialised(app.launch, config) == nil)
        let page = try #require(try app.opened { try $0.openApp(withAppId: tea, startupParams: nil) })
        #expect(page.tapTitleBar(.optionMenu) && page.shownMenu.isEmpty)
        extensions.uiProvider.moreMenuDelegate = menu
        #expect(!page.tapMenuItem("share"), "the menu is not open")
        #expect(page.tapTitleBar(.optionMenu))
        #expect(page.shownMenu.map(\.identifier) == ["share", "report"], "row by row, and what can be shown")
        #expect(page.tapMenuItem("report") && page.shownMenu.isEmpty)
        #expect(menu.tapped == ["report \(tea)"])
    }
}
