import ApplePayApp
import Foundation
import PassKitSimulator

/// The phone with the bank's app on it and a watch beside it, the customer, and the lines to broker and issuer.
@MainActor
final class Stage {
    enum Line: String {
        case broker = "BROKER_LINE"
        case issuer = "ISSUER_LINE"
    }

    let phone: SimulatedDevice
    let watch: SimulatedDevice
    let scene = SceneDelegate()
    private let folder: URL

    init(account: String = "trusted@example.com", hasWatch: Bool = false) {
        folder = URL(fileURLWithPath: Stage.given("APP_FOLDER"))
        let broker = SandboxBroker(base: Stage.address(.broker))
        let app = SignedApp(applicationIdentifier: "TEAM123456.example.bank.app", adamID: 1_234_567_890, mayAddPasses: true)
        let element = Stage.given("SECURE_ELEMENT")
        watch = SimulatedDevice(
            .init(
                model: "Watch6,9", kind: .watch, name: "Watch", appleAccount: account,
                secureElementID: String(element.reversed().drop { $0 == "0" }).padding(toLength: 48, withPad: "0", startingAt: 0),
                isReachable: hasWatch, app: app), broker: broker)
        phone = SimulatedDevice(
            .init(model: "iPhone15,2", name: "Phone", appleAccount: account, secureElementID: element, app: app), broker: broker,
            pairedWatch: watch)
        guard SimulatedDevice.useForProcess(phone) else { Stage.stop("the process has another phone") }
        var settings = Settings()
        settings.bank = URL(string: Stage.given("BANK"))!
        settings.issuer = Stage.address(.issuer)
        settings.folder = folder
        settings.watch = { hasWatch ? .inReach : .none }
        scene.settings = settings
    }

    private static func given(_ name: String) -> String {
        guard let value = ProcessInfo.processInfo.environment[name] else { stop("\(name) is not set") }
        return value
    }

    private static func address(_ line: Line) -> URL { URL(string: given(line.rawValue))! }

    // MARK: What is told

    /// A line for the test that reads this program's output; written at once, as the program may be killed next.
    static func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

    static func stop(_ reason: String) -> Never {
        say("differs: \(reason)")
        exit(1)
    }

    func expect(_ outcome: String, _ holds: Bool) {
        guard holds else { Stage.stop("\(outcome); the screen says \(phone.screen.texts), faults \(phone.faults)") }
    }

    /// Waits until something is so.
    func until(_ outcome: String, _ isSo: () -> Bool) async {
        for _ in 0..<2_000 where !isSo() { try? await Task.sleep(for: .milliseconds(20)) }
        expect(outcome, isSo())
    }

    /// Waits for what the customer reads, and tells it.
    func reads(_ start: String) async {
        await until("the customer reads \(start)") { phone.screen.texts.contains { $0.hasPrefix(start) } }
        Stage.say("reads: \(phone.screen.texts.first { $0.hasPrefix(start) } ?? "")")
    }

    // MARK: What is done

    /// Opens the app and logs in.
    func open(as customer: String = "Mei Lin") async {
        phone.screen.launch(AppDelegate(), scene: scene)
        expect("a customer can log in", phone.screen.tap(customer))
        await until("the cards are there") { scene.bank?.rows.isEmpty == false }
    }

    /// From now on a line loses `nothing`, `requests` or `answers`.
    func line(_ line: Line, loses what: String) async {
        guard (try? await URLSession.shared.data(from: Stage.address(line).appendingPathComponent("line/\(what)"))) != nil else {
            Stage.stop("the line does not hear")
        }
    }

    var addButtons: [PKAddPassButton] { phone.screen.visibleViews.compactMap { $0 as? PKAddPassButton } }

    /// Taps the button of the first card, and goes on in the wallet's screen until it waits at a step.
    func add(to kind: DeviceKind = .phone, until phase: AddPassState.Phase) async -> AddPassSheet {
        addButtons.first?.sendTap()
        await until("the wallet's screen is there") { phone.addPassSheet != nil }
        guard let sheet = phone.addPassSheet else { Stage.stop("no screen of the wallet") }
        while sheet.state.phase != phase, !sheet.state.phase.isOver {
            await sheet.settle()
            guard sheet.state.phase != phase else { break }
            sheet.perform(await AddPassScript(device: kind).action(on: sheet.state))
        }
        return sheet
    }

    /// The customer comes back to the app, after the wallet has heard from the broker.
    func comeBack() async {
        phone.screen.goToBackground()
        try? await phone.refreshPasses()
        phone.screen.comeToFront()
    }

    /// The card that the app is adding, as it wrote it down.
    var kept: KeptAddition? { AdditionFile(in: folder).read() }

    /// Nobody is asked, and nothing is put in order.
    func dieAtOnce() -> Never {
        kill(getpid(), SIGKILL)
        exit(1)
    }
}
