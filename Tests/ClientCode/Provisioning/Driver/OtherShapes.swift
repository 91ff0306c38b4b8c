import Foundation
import PassKitSimulator

/// Three more shapes of public apps.
extension ProvisioningDriver {
    final class AppDelegate: NSObject, UIApplicationDelegate {
        var window: UIWindow?
    }

    func otherShapes() async throws {
        try await stage.clear()
        let delegate = AppDelegate()
        delegate.window = stage.window
        stage.phone.screen.application.delegate = delegate
        var changes: [WalletWatcher.Change] = []
        let watcher = WalletWatcher { changes.append($0) }
        stage.expect("no digits, no identifier", CardDetector.detect(suffix: "4242") == .enabled(identifier: nil))

        let module = PaymentPassModule()
        var asked: [String: String] = [:]
        module.query(PlayedBank.account) { asked = $0 }
        stage.expect("the module asks the library", asked["status"] == "CAN_ADD", asked)
        let cancelled = await open(module, AddPassScript(acceptsTerms: false))
        stage.expect("the module tells a cancel", cancelled["error"] == "cancelled", cancelled)
        let added = await open(module, AddPassScript())
        stage.expect("the module tells the device's account", added["deviceAccount"] == "0017", added)
        module.query(PlayedBank.account) { asked = $0 }
        stage.expect("the module finds the card", asked["status"] == "ALREADY_ADDED", asked)

        stage.expect("the digits find the card", CardDetector.detect(suffix: "4242", bank: "Two Leaves Bank") == .disabled)
        stage.expect("other digits do not", CardDetector.detect(suffix: "4243") == .enabled(identifier: nil))
        stage.expect("the banks in Wallet", CardDetector.banks == ["Two Leaves Bank"], CardDetector.banks)

        guard let pass = stage.phone.passes.first else { return stage.expect("a pass is there", false) }
        stage.bank.change { $0.passes[stage.phone.identity.secureElementID]?[0].activationState = .suspended }
        try await stage.phone.refreshPasses()
        try await stage.phone.removePass(pass.id)
        await stage.until { changes.count == 3 }
        stage.expect(
            "what changed in Wallet",
            changes == [.init(added: [pass.id]), .init(replaced: [pass.id]), .init(removed: [pass.id])], changes)
        watcher.stop()
    }

    /// Answers the module's question as its framework does, and plays the customer.
    private func open(_ module: PaymentPassModule, _ script: AddPassScript) async -> [String: String] {
        _ = stage.showEmptyScreen()
        var ending: [String: String]?
        module.open(holder: "MEI LIN", lastFour: "4242") { challenge in
            let isHexadecimal = challenge["nonce"] == "a1b2c3d4" && challenge["nonceSignature"]?.count == 162
            stage.expect("the framework hears the challenge", isHexadecimal && challenge["leaf"]?.isEmpty == false, challenge)
            module.complete(
                Data("MBPAC".utf8).base64EncodedString(), Data([1]).base64EncodedString(),
                Data([4] + [UInt8](repeating: 9, count: 64)).base64EncodedString())
        } finished: {
            ending = $0
        }
        _ = await stage.play(script)
        await stage.until { ending != nil }
        return ending ?? [:]
    }
}
