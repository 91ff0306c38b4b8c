import AppContainer
import Foundation
import GriverSimulator
import MiniPrograms
import Testing

struct GriverSimulatorExample {
    // Example
    /// The super app's start: who is signed in, and where mini programs come from.
    @MainActor
    func start(_ programs: any ProgramSource, userID: String, screen: any JSAPIHost) {
        GRVAppContainerLaunch.sharedInstance().container = GriverContainer(
            source: programs, userID: userID, decoders: [PromotionCode(host: "promo.wallet.example")], host: { _, _ in screen },
            clock: { Date.now.timeIntervalSince1970 * 1_000 }, seed: { UInt64.random(in: 0 ... .max) })
    }

    /// What the app has always done when somebody taps a tile: nothing in it is ours.
    @MainActor
    func open(_ appId: String, from home: UIViewController) -> String? {
        let startupParams = GRVStartupParams()
        startupParams.showTitleBar = true
        do {
            let page = try GRVAppContainerLaunch.sharedInstance().openApp(withAppId: appId, startupParams: startupParams)
            if let page { home.navigationController?.pushViewController(page, animated: true) }
            return nil
        } catch {
            return "\((error as NSError).code)"
        }
    }
    // End

    /// One page, in memory.
    private struct Shelf: ProgramSource {
        func program(for link: MiniProgramLink) async throws -> OpenedMiniProgram {
            OpenedMiniProgram(
                metadata: MiniProgramMetadata(
                    appID: link.appID, name: "Tea", version: MiniProgramVersion(1, 0, 1), webPage: "https://tea.example/"),
                code: MiniProgramCode(
                    pages: ["pages/index/index"],
                    modules: ["/pages/index/index.js": .init(text: "Page({ onLoad() { console.log('tea') } })")]))
        }

        func listing() async throws -> [ListedProgram] { [] }
    }

    @MainActor @Test func example() async {
        let screen = ProgramScreen()
        await GRVAppContainerLaunch.$current.withValue(GRVAppContainerLaunch()) {
            let home = UIViewController()
            let navigation = UINavigationController(rootViewController: home)
            #expect(open("2171020000000001", from: home) == "90003")
            start(Shelf(), userID: "u-1", screen: screen)
            #expect(open("no id", from: home) == "90002")
            #expect(open("2171020000000001", from: home) == nil)
            #expect(await screen.lines(1) == ["tea"])
            #expect(navigation.topViewController?.title == "Tea")
        }
    }
}
