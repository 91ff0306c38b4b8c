import AppContainer
import Foundation
import GriverSimulator
import MiniPrograms
import UIKitSimulator

/// Plays the platform, the customer and the phone around the super app's code, and says which outcome differs from the documented one.
@main
@MainActor
struct Driver {
    let stage = Stage()
    let glass = Glass()
    let platform = Platform()
    let promotion = PromotionCode(host: "promo.example")
    let launch = GRVAppContainerLaunch()

    static func main() async {
        let driver = Driver()
        await GRVAppContainerLaunch.$current.withValue(driver.launch) { await driver.run() }
        driver.stage.end()
    }

    private func run() async {
        await beforeAnythingIsHandedIn()
        let glass = glass
        launch.container = GriverContainer(
            source: platform, userID: "u-1", decoders: [promotion], host: { _, _ in glass }, clock: { 1_700_000_000_000 }, seed: { 7 })
        await home()
        await promotions()
        await olderNames()
        await lists()
        await ownInterfaces()
        await newerApp()
        await printedForms()
        await extensions()
        await superApp()
    }

    private func beforeAnythingIsHandedIn() async {
        let home = HomeViewController(nibName: nil, bundle: nil)
        stage.navigation.pushViewController(home, animated: false)
        home.open(HomeViewController.Tile(title: "Tea", appId: Platform.tea))
        stage.expect(home.message == "try again in a moment", "before the SDK is initialised a launch is 90003")
        let start = AppStart()
        await stage.waiting(start.begin)
        stage.expect(start.lines == ["failed 90003"], "without the platform's set-up the initialisation fails")
        let list = ProgramList()
        await stage.waiting(list.loadNext)
        stage.expect(list.problem == "UNKNOWN_ERROR", "before the SDK is initialised a list is 3")
        stage.expect(!GRVURLContentDecoder.canDecodeURLContent(promotion.text(for: "x")), "before the SDK is initialised no text is a code")
    }

    /// One file with an import for each name that documents print.
    private func superApp() async {
        let start = SuperAppStart()
        var message: String? = "none"
        await stage.waiting { done in
            start.begin { text in
                message = text
                done()
            }
        }
        stage.expect(message == nil, "a file imports every name of the SDK")
        stage.navigation.setViewControllers([UIViewController(nibName: nil, bundle: nil)], animated: false)
        if let page = SuperAppStart.page(Platform.tea) { stage.navigation.pushViewController(page, animated: false) }
        await stage.becomes("a start is told") { start.open == [Platform.tea] && start.count == 1 }
        stage.navigation.popToRootViewController(animated: false)
        await stage.becomes("an end is told") { start.open.isEmpty }
    }

    private func extensions() async {
        let start = AppStart()
        await stage.waiting(start.begin)
        stage.expect(start.lines == ["ready"], "the SDK is initialised")
        let screen = try? launch.openApp(withAppId: Platform.tea, startupParams: nil) as? LaunchedProgramController
        stage.expect(screen?.tapTitleBar(.optionMenu) == true && start.lines.last == "menu", "the tap on the menu is told")
        stage.expect(
            screen?.tapMenuItem("attention") == true && start.lines.last == "attention \(Platform.tea)", "the app's own entry does its work"
        )
    }

    private var shown: LaunchedProgramController? { stage.navigation.topViewController as? LaunchedProgramController }

    private func home() async {
        let home = HomeViewController(nibName: nil, bundle: nil)
        stage.navigation.setViewControllers([home], animated: false)
        home.open(HomeViewController.Tile(title: "Tea", appId: Platform.tea, query: "a=b&c=d"))
        stage.expect(
            shown?.startup.showsTitleBar == true && shown?.startup.titleBarColor == 0xFF16_77FF, "the screen has its bar and colour")
        await stage.becomes("a launch by id runs the program's home page") { glass.lines.contains("page home") }
        stage.expect(shown?.title == "Tea", "the screen is titled as the platform says")
        stage.expect(glass.lines.first == #"launch {"a":"b","c":"d"}"#, "the query reaches App.onLaunch")
        shown?.program?.trigger("onPay")
        await stage.becomes("a program that the app opened may ask for a payment") { glass.lines.contains("paid 9000") }

        stage.navigation.pushViewController(UIViewController(nibName: nil, bundle: nil), animated: false)
        await stage.becomes("the program is told that its screen was left") { glass.lines.last == "hidden" }
        stage.navigation.popViewController(animated: false)
        await stage.becomes("the program is told that somebody came back") { glass.lines.last == "shown" }

        weak let running = shown
        stage.navigation.setViewControllers([home], animated: false)
        await stage.becomes("a screen that was taken away ends its program") { running == nil }

        for id in ["", "../x", "2171 02"] {
            home.open(HomeViewController.Tile(title: "Bad", appId: id))
            stage.expect(home.message == "this page does not exist" && shown == nil, "\"\(id)\" is no id: 90002, and nothing is shown")
        }
        home.open(HomeViewController.Tile(title: "Bad", appId: Platform.tea, query: "a=%zz"))
        stage.expect(shown == nil, "a broken query opens nothing")

        home.open(HomeViewController.Tile(title: "Gone", appId: "2171020000000009", isFullScreen: true))
        stage.expect(shown?.startup.orientation == .auto && shown?.startup.showsTitleBar == false, "a full screen has no bar")
        await stage.becomes("a program that is not released does not start") {
            if case .failed(let error) = shown?.state { return error is PlatformRefusal }
            return false
        }
        stage.navigation.setViewControllers([home], animated: false)
        await links(home)
    }

    private func links(_ home: HomeViewController) async {
        glass.forget()
        home.open(link: "https://app.wallet.example/?_ariver_appid=\(Platform.tea)&_ariver_path=pages%2Ftable%2Ftable&table=7")
        await stage.becomes("a link opens its page, which gets the rest of the query") { glass.lines.contains("page 7") }
        shown?.program?.trigger("onPay")
        await stage.becomes("what a link opened does not pay before a tap") { glass.lines.contains("refused 4") }
        shown?.program?.trigger("onPay", isTap: true)
        await stage.becomes("after a tap it may") { glass.lines.contains("paid 9000") }
        stage.navigation.setViewControllers([home], animated: false)
        for link in ["https://app.wallet.example/", "wallet://x?_ariver_appid=\(Platform.tea)", "no link"] {
            home.open(link: link)
            stage.expect(home.message == "this page does not exist" && shown == nil, "\(link) opens nothing: 90002")
        }
    }

    private func promotions() async {
        let scanner = PromotionScanner(nibName: nil, bundle: nil)
        stage.navigation.setViewControllers([scanner], animated: false)
        glass.forget()
        await scanned("https://shop.example/1", by: scanner)
        stage.expect(scanner.outcome == .notForUs, "an ordinary address is no promotion code")
        let code = promotion.text(for: "https://app.wallet.example/?_ariver_appid=\(Platform.tea)")
        await scanned(String(code.dropLast()) + "!", by: scanner)
        stage.expect(scanner.outcome == .refused("the promotion code is damaged"), "a damaged code says so")
        await scanned(promotion.text(for: "https://tea.example/"), by: scanner)
        stage.expect(scanner.outcome == .refused("cannot be opened"), "a code that leads to no program opens none")
        await scanned(code, by: scanner)
        stage.expect(scanner.outcome == .opened, "a code leads to a program")
        await stage.becomes("which starts with the app's query") { glass.lines.contains(#"launch {"from":"door"}"#) }
        stage.navigation.dismiss(animated: false)
    }

    private func scanned(_ text: String, by scanner: PromotionScanner) async {
        await stage.waiting { done in
            scanner.whenDone = done
            scanner.didScan(text)
        }
    }

    private func olderNames() async {
        let launcher = LegacyLauncher(window: stage.window)
        glass.forget()
        let screen = launcher.launch(appId: Platform.tea)
        stage.expect(screen is LaunchedProgramController, "the older spelling gives a screen too")
        await stage.becomes("the older query reaches App.onLaunch") { glass.lines.contains(#"launch {"a":"b","c":"d"}"#) }
        stage.expect(
            launcher.launch(appId: Platform.tea, extraParams: ["query": 7]) == nil && launcher.lastCode == 90002,
            "a parameter of another type is 90002")
        stage.expect(launcher.launch(appId: Platform.tea, extraParams: ["ours": 7]) != nil, "a parameter that nobody knows is passed over")
        let byLink = launcher.launch(url: "http://app.wallet.example/?_ariver_appid=\(Platform.tea)") as? LaunchedProgramController
        stage.expect(byLink?.startup.showsTitleBar == false && byLink?.startup.isTitleCentred == true, "the older parameters are read")
        launcher.lastCode = 0
        stage.expect(launcher.launch(url: "https://tea.example/") == nil && launcher.lastCode == 90002, "an address without an id is 90002")

        platform.isSlow = true
        weak var waiting = launcher.launch(appId: Platform.tea)
        platform.isSlow = false
        await stage.becomes("a screen that nobody keeps starts nothing") { waiting == nil }
    }

    private func lists() async {
        let list = ProgramList()
        list.pageSize = 2
        await stage.waiting(list.loadNext)
        stage.expect(list.rows.map(\.title) == ["Books", "tea"] && list.total == 3, "names are in order whatever their letter case")
        stage.expect(list.rows.first?.isPilot == true && list.rows.last?.subtitle == "Food, Hot, 1.0.1", "a row says what the list says")
        await stage.waiting(list.loadNext)
        stage.expect(list.rows.map(\.title) == ["Books", "tea", "Zoo"], "the next page goes on")
        let newest = ProgramList()
        (newest.isNewestFirst, newest.category) = (true, "1001-2")
        await stage.waiting(newest.loadNext)
        stage.expect(newest.rows.map(\.title) == ["tea"], "a category of the second level has its own")
        platform.isAway = true
        await stage.waiting(newest.loadNext)
        stage.expect(newest.problem == "NETWORK_ERROR", "without the platform a list is 10104")
        let recent = RecentPrograms()
        await stage.waiting { recent.load([Platform.tea], done: $0) }
        stage.expect(recent.code == 10104 && recent.names.isEmpty, "and so is a question for ids")
        platform.isAway = false
        await stage.waiting { recent.load(["2171020000000003", Platform.tea, "2171020000000009"], done: $0) }
        stage.expect(recent.names == ["Zoo", "tea"] && recent.code == nil, "ids that are not released are left out")
        stage.expect(recent.details[Platform.tea] == "Tea by the cup 1.0.1.1653969582308 1001 Tea", "details are the list's")
        await stage.waiting { recent.load([], done: $0) }
        stage.expect(recent.code == 2, "no ids at all are a bad parameter: 2")
        await details()
    }

    private func details() async {
        let parameter = GRVFetchAppsParameter()
        let empty: [String]? = await withCheckedContinuation { continuation in
            launch.fetchApps(parameter) { response, _ in continuation.resume(returning: response?.appInfoList?.map(\.appId)) }
        }
        stage.expect(empty == [], "a size of nothing gives nothing")
        parameter.querySize = 1
        (parameter.queryStartIndex, parameter.sortDescriptor) = (0, nil)
        parameter.category = Platform.tea
        parameter.category = "1001"
        let sheet: [String]? = await withCheckedContinuation { continuation in
            launch.fetchApps(parameter) { response, _ in continuation.resume(returning: response?.appInfoList?.first?.sheet) }
        }
        stage.expect(
            sheet == [
                Platform.tea, "tea", "Hot", "Tea by the cup", "https://img.example/tea.png", "1.0.1", "1.0.1.1653969582308", "ONLINE",
                "4096",
                "2", "Shops", "1001", "1001", "Food", "1001-2", "Tea", "1001-2-3",
            ], "all members of a program of the list")
        let other: [String]? = await withCheckedContinuation { continuation in
            launch.fetchAppInfos(byIds: [Platform.tea], category: "1001-2-3") { result, _ in
                continuation.resume(returning: result?.appInfos.first?.sheet)
            }
        }
        stage.expect(
            other?.suffix(7) == ["5", "Shops", "1001", "Food", "1001-2", "Tea", "1001-2-3"], "and of one that was asked for by its id")
        let shop = try? launch.openApp(withAppId: Platform.tea, startupParams: StartupPresets.shop()) as? LaunchedProgramController
        stage.expect(
            shop?.startup.orientation == .landscape && shop?.startup.backButtonColor == 0xFF33_3333 && shop?.startup.showsLoading == false
                && shop?.startup.showsTitleLoading == true, "every startup parameter is read")
    }

    private func ownInterfaces() async {
        let path = FileManager.default.currentDirectoryPath + "/interfaces.plist"
        let entries = [
            ["name": "ClientCode.LoyaltyHandler", "jsApi": "points"], ["name": "ClientCode.BrandedToastHandler", "jsApi": "showToast"],
        ]
        write(entries, to: path)
        launch.container?.configuration = Interfaces.configuration(plist: path)
        glass.forget()
        let screen = try? launch.openApp(withAppId: Platform.tea, startupParams: nil) as? LaunchedProgramController
        await stage.becomes("a program with interfaces of the app's own runs") { glass.lines.contains("page home") }
        screen?.program?.trigger("onPoints", ["7"])
        await stage.becomes("a handler answers my.call") { glass.lines.contains(#"points {"isGold":true,"owner":"Ada","points":120}"#) }
        screen?.program?.trigger("onPoints", ["9"])
        await stage.becomes("an answer with error and errorMessage is a failure") {
            glass.lines.contains(#"points {"error":12,"errorMessage":"no such card"}"#)
        }
        screen?.program?.trigger("onToast")
        await stage.becomes("a handler takes a built-in's place") { glass.lines.contains(#"toast {"branded":true}"#) }
        stage.expect(!glass.lines.contains("asked showToast"), "and the built-in is not asked")

        write(entries + [["name": "ClientCode.Nobody", "jsApi": "x"]], to: path)
        stage.expect(
            code { _ = try launch.openApp(withAppId: Platform.tea, startupParams: nil) } == 10000, "a class that there is not is 10000")
        write(entries + [["name": "ClientCode.LoyaltyHandler", "jsApi": "again"]], to: path)
        stage.expect(
            code { _ = try launch.openApp(withAppId: Platform.tea, startupParams: nil) } == 10000, "a class that is listed twice is 10000")
        launch.container?.configuration = nil
    }

    private func printedForms() async {
        let tile = TileController(nibName: nil, bundle: nil)
        stage.navigation.setViewControllers([tile], animated: false)
        tile.pushProgram(Platform.tea)
        stage.expect(shown != nil, "what a launch gives is pushed as it came")
        stage.navigation.setViewControllers([tile], animated: false)
        tile.presentProgram("https://app.wallet.example/?_ariver_appid=\(Platform.tea)")
        stage.expect(tile.presentedViewController is LaunchedProgramController, "and presented")
        tile.dismiss(animated: false)
        tile.pushProgram("no id")
        stage.expect(tile.code == 90002 && shown == nil, "what is wrong is thrown")
        let history = OrderHistoryController(nibName: nil, bundle: nil)
        let page = history.reorder(Platform.tea) as? LaunchedProgramController
        stage.expect(page?.startup.query["from"] == "history", "the SDK's other name leads to the same")
        stage.expect(history.reorder("no id") == nil && history.code == 90002, "and throws the same")

        let path = FileManager.default.currentDirectoryPath + "/interfaces.plist"
        write([["name": "ClientCode.ScreenHandler", "jsApi": "points"]], to: path)
        launch.container?.configuration = Interfaces.configuration(plist: path)
        glass.forget()
        let screen = try? launch.openApp(withAppId: Platform.tea, startupParams: nil) as? LaunchedProgramController
        await stage.becomes("a handler by the header runs") { glass.lines.contains("page home") }
        screen?.program?.trigger("onPoints", ["-"])
        await stage.becomes("numbers stay numbers, and the screen is there") {
            glass.lines.contains(#"points {"count":1,"isShown":true}"#)
        }
        for (index, code) in [1, 2, 3, 4, 11].enumerated() {
            screen?.program?.trigger("onPoints", [.string("\(index)")])
            await stage.becomes("the header's \(code) reaches the script") {
                glass.lines.contains(#"points {"error":\#(code),"errorMessage":"points"}"#)
            }
        }
        launch.container?.configuration = nil
    }

    private func write(_ entries: [[String: String]], to path: String) {
        let list = ["JsApiRuntime": ["JsApis": entries]]
        let data = try? PropertyListSerialization.data(fromPropertyList: list, format: .xml, options: 0)
        FileManager.default.createFile(atPath: path, contents: data)
    }

    private func code(_ call: () throws -> Void) -> Int? {
        do { try call() } catch { return (error as NSError).code }
        return nil
    }

    private func newerApp() async {
        let launcher = ModernLauncher(navigation: stage.navigation)
        glass.forget()
        do { try launcher.launch(Platform.tea) { $0.query = "n=1" } } catch { stage.expect(false, "the newer app launches") }
        await stage.becomes("the newer app launches") { glass.lines.contains(#"launch {"n":"1"}"#) }
        stage.navigation.popToRootViewController(animated: false)
        do {
            try launcher.launch("no id")
            stage.expect(false, "the newer app hears of a bad id")
        } catch { stage.expect(error == .noSuchProgram, "the newer app hears of a bad id") }
        let link = "https://app.wallet.example/?_ariver_appid=\(Platform.tea)&_ariver_path=pages/table/table&table=3"
        try? await launcher.launch(promotion: promotion.text(for: link))
        await stage.becomes("the newer app opens a promotion's page") { glass.lines.contains("page 3") }
        do {
            try await launcher.launch(promotion: "https://shop.example/")
            stage.expect(false, "what is no promotion is told")
        } catch { stage.expect(error as? LaunchProblem == .notAPromotion("NOT_A_PROMOTION_CODE"), "what is no promotion is told") }
        stage.expect((try? await launcher.names(of: [Platform.tea])) == ["tea", "of 1"], "the newer app asks by id")
        var firsts: [String] = []
        for order in ModernLauncher.orders {
            firsts.append((try? await launcher.identifiers(sortedBy: order).first?.suffix(1)).map { String($0) } ?? "?")
        }
        stage.expect(firsts == ["1", "2", "3", "3", "3"], "each order has its first")
        var problem: LaunchProblem?
        do { _ = try await launcher.identifiers(sortedBy: "moon") } catch { problem = error as? LaunchProblem }
        stage.expect(problem == .other(2), "an order that there is not is 2")
    }
}
