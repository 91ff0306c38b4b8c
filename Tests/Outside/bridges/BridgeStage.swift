import ApplePayApp
import Foundation
import PassKitSimulator

/// The bank's host as the bridge's library asks it.
struct PlayedIssuer: IssuerServer {
    let isOn: Bool

    func cards() async throws(ApplePayAppError) -> [IssuerCard] {
        [
            IssuerCard(
                id: "card-1", network: "visa", suffix: "4242", displayName: "Two Leaves Visa", cardholderName: "MEI LIN",
                primaryAccountIdentifier: PlayedBank.account)
        ]
    }

    func eligibility(card: IssuerCard.ID) async throws(ApplePayAppError) -> IssuerEligibility {
        isOn ? .enabled : .disabled(code: "switched-off", reason: "not now")
    }

    func configuration(card: IssuerCard.ID) async throws(ApplePayAppError) -> PassConfiguration {
        let json = #"""
            {"encryptionScheme":"EV_ECC_v2","cardholderName":"MEI LIN","primaryAccountSuffix":"4242","localizedDescription":"Two Leaves Visa",
            "primaryAccountIdentifier":"","paymentNetwork":"Visa","style":"payment","cardDetails":[],"requiresFelicaSecureElement":false,
            "productIdentifiers":[]}
            """#
        do {
            return try JSONDecoder().decode(PassConfiguration.self, from: Data(json.utf8))
        } catch {
            throw ApplePayAppError(code: .answerMalformed, reason: "\(error)")
        }
    }

    func passData(card: IssuerCard.ID, for challenge: PassChallenge) async throws(ApplePayAppError) -> IssuerPassData {
        IssuerPassData(
            encryptedPassData: Data([1]), activationData: Data([2]),
            key: .ephemeralPublicKey(Data([4] + [UInt8](repeating: 9, count: 64))))
    }

    func activate(card: IssuerCard.ID, tokenReference: String) async throws(ApplePayAppError) {}
}

/// A phone with the bank's app on it, and what is expected of a bridge.
@MainActor
final class BridgeStage {
    let bank = PlayedBank()
    let phone: SimulatedDevice
    let screen = UIViewController()
    private let window = UIWindow(frame: .zero)
    private var failures = 0

    init() {
        phone = SimulatedDevice(
            .init(
                secureElementID: String(repeating: "0A", count: 24),
                app: SignedApp(applicationIdentifier: "TEAM.example.bank", mayAddPasses: true)),
            broker: bank)
        guard SimulatedDevice.useForProcess(phone) else { exit(2) }
        window.rootViewController = screen
        window.makeKeyAndVisible()
    }

    /// A customer logs in.
    func bridge(isOn: Bool = true) -> WalletBridge {
        WalletBridge(issuer: PlayedIssuer(isOn: isOn), inventory: PassInventory { .none }) { [screen] in screen.present($0, animated: true)
        }
    }

    func expect(_ outcome: String, _ isAsExpected: Bool, _ seen: @autoclosure () -> Any = "") {
        print(isAsExpected ? "ok: \(outcome)" : "DIFFERS: \(outcome): \(seen())")
        if !isAsExpected { failures += 1 }
    }

    func play(_ script: AddPassScript = AddPassScript()) async {
        for _ in 0..<1_000 where phone.addPassSheet == nil { try? await Task.sleep(for: .milliseconds(5)) }
        await phone.addPassSheet?.play(script)
    }

    func end() -> Never { exit(failures == 0 ? 0 : 1) }
}
