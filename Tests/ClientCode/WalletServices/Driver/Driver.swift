import Foundation
import UIKitSimulator
import WalletAPI

/// Plays the container, the customer and the phone around the super app's services, and says which outcome differs from the documented one.
@main
@MainActor
struct Driver {
    static func main() async {
        let stage = Stage()
        await Documented(stage).run()
        await OtherShapes(stage).run()
        stage.end()
    }
}

/// The phone's glass, and what was seen.
@MainActor
final class Stage {
    let window = UIWindow(frame: .zero)
    let root = UIViewController(nibName: nil, bundle: nil)
    private var differences: [String] = []

    init() {
        window.rootViewController = root
        window.makeKeyAndVisible()
    }

    func expect(_ holds: Bool, _ outcome: String) {
        print(holds ? "ok: \(outcome)" : "differs: \(outcome)")
        if !holds { differences.append(outcome) }
    }

    /// What is shown over the root, or another controller, once something is.
    func shown<Controller: UIViewController>(_ kind: Controller.Type, over base: UIViewController? = nil) async -> Controller? {
        for _ in 0..<1_000 {
            if let shown = (base ?? root).presentedViewController as? Controller { return shown }
            try? await Task.sleep(for: .milliseconds(2))
        }
        return nil
    }

    /// Taps an answer of the alert that a call brings up, and gives the call's result.
    func tapping<Answer: Sendable>(_ title: String, during call: @escaping @Sendable () async -> Answer) async -> Answer {
        let answer = Task { await call() }
        let alert = await shown(UIAlertController.self)
        expect(alert?.sendTap(on: title) == true, "an alert offers \(title)")
        return await answer.value
    }

    /// While nothing can be shown: the app's window has no root.
    func withoutRoot<Answer: Sendable>(_ call: @Sendable () async -> Answer) async -> Answer {
        window.rootViewController = nil
        let answer = await call()
        window.rootViewController = root
        return answer
    }

    func end() {
        guard differences.isEmpty else {
            print("\(differences.count) outcomes differ")
            exit(1)
        }
    }
}

extension WalletServices {
    /// The authorisation that a mini program asks for, from its call to its callback.
    func authorise(_ scopes: Set<String>) async -> AuthorizationOutcome {
        await AuthorizationWorkflow(services: self).authCode(
            for: AuthorizationRequest(userID: "user-1", appID: "app-1", authClientID: "client-1", name: "Tea", logo: "", scopes: scopes))
    }

    /// A jump that a mini program asks for after a tap; nil where it went well.
    func jump(_ address: String) async -> DeepLinkRefusal.Code? {
        do {
            try await links.open(address, in: IAPWalletAPIContext(appId: "app-1", appName: "Tea"), hasGesture: true)
            return nil
        } catch { return error.code }
    }

    /// A scene that a mini program asks for after a tap.
    func scene(_ name: String, _ parameters: [String: String] = [:]) async -> Result<[String: String], DeepLinkRefusal> {
        do {
            let context = IAPWalletAPIContext(appId: "app-1", appName: "Tea")
            return .success(try await links.open(scene: name, with: parameters, in: context, hasGesture: true))
        } catch { return .failure(error) }
    }

    private var links: DeepLinkWorkflow {
        let policy = DeepLinkPolicy(
            scenes: Set(WalletScene.allCases.map(\.rawValue) + ["MOON"]), hosts: [".wallet.example"], schemes: ["wallet", "nobody"])
        return DeepLinkWorkflow(services: self, policy: { _ in policy })
    }
}

extension AuthorizationOutcome {
    var refusal: AuthorizationRefusal? {
        if case .refused(let refusal) = self { return refusal }
        return nil
    }
}
