import Foundation
import PassKitSimulator

/// The phone with its watch, the bank, and what is expected of the app.
@MainActor
final class Stage {
    let bank: PlayedBank
    let watch: SimulatedDevice
    let phone: SimulatedDevice
    let window = UIWindow(frame: .zero)
    private(set) var failures = 0

    init() {
        let bank = PlayedBank()
        self.bank = bank
        watch = SimulatedDevice(
            .init(kind: .watch, name: "Watch", secureElementID: String(repeating: "0B", count: 24), isReachable: false))
        // The wallet's own waits are short; the twenty seconds that an app has are not, unless the bank is out of reach.
        let timer = DeviceTimer { duration in
            try await Task.sleep(for: duration < .seconds(20) || !bank.now.isReachable ? .milliseconds(20) : duration)
        }
        phone = SimulatedDevice(
            .init(
                secureElementID: String(repeating: "0A", count: 24),
                app: SignedApp(applicationIdentifier: "TEAM.example.bank", adamID: 1, mayAddPasses: true)),
            timer: timer, broker: bank, pairedWatch: watch)
        phone.installWallet()
    }

    /// A line for each outcome; one that differs ends the program badly.
    func expect(_ outcome: String, _ isAsExpected: Bool, _ seen: @autoclosure () -> Any = "") {
        print(isAsExpected ? "ok: \(outcome)" : "DIFFERS: \(outcome): \(seen())")
        if !isAsExpected { failures += 1 }
    }

    /// Empties both wallets, and the bank answers again.
    func clear() async throws {
        bank.change { $0 = PlayedBank.State() }
        phone.update {
            $0.isRestricted = false
            $0.app.mayAddPasses = true
        }
        watch.update { $0.isReachable = true }
        try await phone.refreshPasses()
        watch.update { $0.isReachable = false }
    }

    /// Shows an empty screen of the app's.
    func showEmptyScreen() -> UIViewController {
        let screen = UIViewController()
        window.rootViewController = screen
        window.makeKeyAndVisible()
        return screen
    }

    /// Waits until something is so, for five seconds at the most.
    func until(_ isSo: () -> Bool) async {
        for _ in 0..<1_000 where !isSo() { try? await Task.sleep(for: .milliseconds(5)) }
    }

    /// Waits for the wallet's screen and plays the customer on it.
    func play(_ script: AddPassScript = AddPassScript()) async -> AddPassState.Phase? {
        await until { phone.addPassSheet != nil }
        return await phone.addPassSheet?.play(script).phase
    }
}
