import AppContainer
import BillfoldJSON
import Foundation
import GriverSimulator
import MiniPrograms
import UIKitSimulator

/// Mini programs in memory, and a network that may be away.
struct PlayedPlatform: ProgramSource {
    static let tea = "2171020000000001"
    static let promotion = PromotionCode(host: "promo.example")
    var isAway = false
    /// Another mini program that it gives in the place of each.
    var other: String?
    var programs: [ListedProgram] = []
    var pages = ["pages/index/index", "pages/table/table"]

    func program(for link: MiniProgramLink) async throws -> OpenedMiniProgram {
        guard !isAway else { throw AppContainerError(code: .programUnavailable, reason: "away") }
        let page = """
            Page({
              onLoad(query) { console.log('page ' + (query.table || 'home')) },
              onPoints() { my.call('points', { card: '7', cups: 2, share: 0.5, isNew: true, tags: ['a'] }, r => console.log(JSON.stringify(r))) },
              onPay() {
                my.tradePay({ tradeNO: 'T1', success: r => console.log('paid ' + r.resultCode), fail: e => console.log('refused ' + e.error) })
              },
            })
            """
        let app = "App({ onLaunch(o) { console.log(JSON.stringify(o.query)) }, onHide() { console.log('hidden') } })"
        let modules = Dictionary(uniqueKeysWithValues: pages.map { ("/\($0).js", MiniProgramCode.Module(text: page)) })
        return OpenedMiniProgram(
            metadata: MiniProgramMetadata(
                appID: other ?? link.appID, name: "Tea", version: MiniProgramVersion(1, 0, 1), features: ["payment", "custom.points"],
                customInterfaces: ["points"], webPage: "https://tea.example/"),
            code: MiniProgramCode(pages: pages, modules: modules.merging(["/app.js": .init(text: app)]) { $1 }))
    }

    func listing() async throws -> [ListedProgram] {
        guard !isAway else { throw AppContainerError(code: .programUnavailable, reason: "away") }
        return programs
    }
}

/// Keeps what scripts said, and pays whatever it is asked to.
final class PlayedScreen: JSAPIHost, @unchecked Sendable {
    // Behind the lock.
    private var said: [String] = []
    private let lock = NSLock()

    func observe(_ event: ProgramEvent) {
        switch event {
        case .console(_, let text): lock.withLock { said.append(text) }
        case .ended: lock.withLock { said.append("ended") }
        default: break
        }
    }

    func answer(_ call: JSAPICall, _ reply: @escaping @Sendable (JSAPIAnswer) -> Void) {
        reply(.success(JSONObject([.init("resultCode", "9000")])))
    }

    /// The lines, once there are as many; what there is after ten seconds.
    func lines(_ count: Int) async -> [String] {
        for _ in 0..<2_000 where lock.withLock({ said.count }) < count { try? await Task.sleep(for: .milliseconds(5)) }
        return lock.withLock { said }
    }
}

/// An app whose SDK is initialised.
@MainActor
struct PlayedApp {
    let launch = GRVAppContainerLaunch()
    let screen = PlayedScreen()

    init(_ platform: PlayedPlatform = PlayedPlatform(), configuration: GRVConfiguration? = nil) {
        let screen = screen
        launch.container = GriverContainer(
            source: platform, userID: "u-1", decoders: [PlayedPlatform.promotion], configuration: configuration, host: { _, _ in screen },
            clock: { 1_700_000_000_000 }, seed: { 7 })
    }

    /// The code of what a call throws in the domain of the SDK; nil where it throws nothing.
    func code(_ call: (GRVAppContainerLaunch) throws -> UIViewController?) -> Int? {
        do {
            _ = try call(launch)
            return nil
        } catch {
            let error = error as NSError
            return error.domain == GriverErrorCode.domain ? error.code : -1
        }
    }

    func opened(_ call: (GRVAppContainerLaunch) throws -> UIViewController?) throws -> LaunchedProgramController? {
        try call(launch) as? LaunchedProgramController
    }
}

/// Waits, within ten seconds, until something is so.
@MainActor
func becomes(_ holds: () -> Bool) async -> Bool {
    for _ in 0..<2_000 where !holds() { try? await Task.sleep(for: .milliseconds(5)) }
    return holds()
}
