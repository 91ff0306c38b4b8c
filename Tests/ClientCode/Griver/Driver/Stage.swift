import AppContainer
import BillfoldJSON
import Foundation
import GriverSimulator
import MiniPrograms
import UIKitSimulator

/// The phone's glass, and what was seen.
@MainActor
final class Stage {
    let window = UIWindow(frame: .zero)
    let navigation = UINavigationController(rootViewController: UIViewController(nibName: nil, bundle: nil))
    private var differences: [String] = []

    init() {
        window.rootViewController = navigation
        window.makeKeyAndVisible()
    }

    func expect(_ holds: Bool, _ outcome: String) {
        print(holds ? "ok: \(outcome)" : "differs: \(outcome)")
        if !holds { differences.append(outcome) }
    }

    /// Waits, within bounds, until something is so.
    func becomes(_ outcome: String, _ holds: @MainActor () -> Bool) async {
        for _ in 0..<2_500 where !holds() { try? await Task.sleep(for: .milliseconds(2)) }
        expect(holds(), outcome)
    }

    /// Waits for what an app's own function calls back with.
    func waiting(_ start: (@escaping () -> Void) -> Void) async {
        await withCheckedContinuation { continuation in start { continuation.resume() } }
    }

    func end() {
        guard differences.isEmpty else {
            print("\(differences.count) outcomes differ")
            exit(1)
        }
    }
}

/// Shows nothing, and keeps what the script said and asked for. It pays whatever it is asked to.
final class Glass: JSAPIHost, @unchecked Sendable {
    private let lock = NSLock()
    private var said: [String] = []

    var lines: [String] { lock.withLock { said } }
    func forget() { lock.withLock { said = [] } }
    func add(_ line: String) { lock.withLock { said.append(line) } }

    func observe(_ event: ProgramEvent) {
        switch event {
        case .console(_, let text): add(text)
        case .error(let error): add("error \(error)")
        default: break
        }
    }

    func answer(_ call: JSAPICall, _ reply: @escaping @Sendable (JSAPIAnswer) -> Void) {
        add("asked \(call.name)")
        reply(.success(call.name == "tradePay" ? JSONObject([.init("resultCode", "9000")]) : []))
    }
}

/// The platform: one mini program, a list of three, and a network that may be away.
final class Platform: ProgramSource, @unchecked Sendable {
    private let lock = NSLock()
    private var away = false
    private var slow = false

    var isAway: Bool {
        get { lock.withLock { away } }
        set { lock.withLock { away = newValue } }
    }
    var isSlow: Bool {
        get { lock.withLock { slow } }
        set { lock.withLock { slow = newValue } }
    }

    static let tea = "2171020000000001"
    static let app = """
        App({
          onLaunch(o) { console.log('launch ' + JSON.stringify(o.query)) },
          onHide() { console.log('hidden') },
          onShow() { console.log('shown') },
        })
        """
    static let page = """
        Page({
          onLoad(query) { console.log('page ' + (query.table || 'home')) },
          onPoints(card) { my.call('points', { card: card }, r => console.log('points ' + JSON.stringify(r))) },
          onToast() { my.showToast({ content: 'hi', success: r => console.log('toast ' + JSON.stringify(r)) }) },
          onPay() {
            my.tradePay({ tradeNO: 'T1', success: r => console.log('paid ' + r.resultCode), fail: e => console.log('refused ' + e.error) })
          },
        })
        """

    func program(for link: MiniProgramLink) async throws -> OpenedMiniProgram {
        while isSlow { try await Task.sleep(for: .milliseconds(2)) }
        guard !isAway else { throw AppContainerError(code: .programUnavailable, reason: "the platform gave no answer") }
        guard link.appID == Self.tea else { throw PlatformRefusal(code: "NO_SUCH_PROGRAM", reason: "nothing is released") }
        let metadata = MiniProgramMetadata(
            appID: Self.tea, name: "Tea", version: MiniProgramVersion(1, 0, 1), features: ["payment", "custom.points", "custom.showToast"],
            customInterfaces: ["points", "showToast"], webPage: "https://tea.example/")
        let code = MiniProgramCode(
            pages: ["pages/index/index", "pages/table/table"],
            modules: [
                "/app.js": .init(text: Self.app), "/pages/index/index.js": .init(text: Self.page),
                "/pages/table/table.js": .init(text: Self.page),
            ])
        return OpenedMiniProgram(metadata: metadata, code: code)
    }

    func listing() async throws -> [ListedProgram] {
        guard !isAway else { throw AppContainerError(code: .programUnavailable, reason: "the platform gave no answer") }
        let shops = ListedProgram.Category([
            .init(name: "Shops", id: "1001"), .init(name: "Food", id: "1001-2"), .init(name: "Tea", id: "1001-2-3"),
        ])
        return [
            ListedProgram(
                appID: Self.tea, name: "tea", slogan: "Hot", introduction: "Tea by the cup", iconURL: "https://img.example/tea.png",
                releaseVersion: "1.0.1.1653969582308", packageSize: 4_096, created: 2_000, firstPublished: 5_000, categories: [shops]),
            ListedProgram(
                appID: "2171020000000002", name: "Books", slogan: "New", introduction: "Read", releaseVersion: "2.1.0.1653969582999",
                isGrayscale: true, created: 3_000, firstPublished: 9_000),
            ListedProgram(
                appID: "2171020000000003", name: "Zoo", introduction: "animals", releaseVersion: "1.0.0.1", created: 1_000,
                firstPublished: 1_000, categories: [.init([.init(name: "Fun", id: "2001")])]),
        ]
    }
}
