import Flutter
import Foundation
import PassKitSimulator

/// Registers the plug-in and calls it as Flutter does: on the main thread.
@main
@MainActor
struct FlutterDriver {
    final class Registrar: NSObject, FlutterPluginRegistrar, FlutterBinaryMessenger {
        var plugin: (any FlutterPlugin)?
        var channel: FlutterMethodChannel?
        var factory: (any FlutterPlatformViewFactory)?
        var viewType = ""
        func messenger() -> any FlutterBinaryMessenger { self }
        func addMethodCallDelegate(_ delegate: any FlutterPlugin, channel: FlutterMethodChannel) {
            plugin = delegate
            self.channel = channel
        }
        func register(_ factory: any FlutterPlatformViewFactory, withId factoryId: String) {
            self.factory = factory
            viewType = factoryId
        }
    }

    static let registrar = Registrar()

    static func ask(_ method: String, _ arguments: Any? = ["card": "card-1"]) async -> String {
        await withCheckedContinuation { continuation in
            registrar.plugin?.handle(FlutterMethodCall(methodName: method, arguments: arguments)) { value in
                switch value {
                case let error as FlutterError: continuation.resume(returning: "error \(error.code)")
                case let mark as NSObject where mark === FlutterMethodNotImplemented: continuation.resume(returning: "not implemented")
                default:
                    let json = try? JSONSerialization.data(withJSONObject: value ?? NSNull(), options: [.fragmentsAllowed, .sortedKeys])
                    continuation.resume(returning: String(decoding: json ?? Data(), as: UTF8.self))
                }
            }
        }
    }

    static func main() async {
        let stage = BridgeStage()
        BillfoldWalletPlugin.register(with: registrar)
        stage.expect(
            "channel and view have their names",
            registrar.channel?.name == "billfold/wallet" && registrar.viewType == "billfold/add-pass-button")
        let early = await ask("showButton")
        stage.expect("nobody is logged in", early == "error not-logged-in", early)
        WalletCalls.bridge = stage.bridge()
        let wrong = await ask("removeCard")
        stage.expect("another method", wrong == "not implemented", wrong)
        for arguments in [nil, ["card": 1], ["card": ""], "card-1"] as [Any?] {
            let malformed = await ask("showButton", arguments)
            stage.expect("other arguments", malformed == "error message-malformed", malformed)
        }
        let first = await ask("showButton")
        stage.expect("2: the card can be added", first == #"{"devices":["thisDevice"],"state":2}"#, first)
        async let adding = ask("addCard")
        await stage.play()
        let added = await adding
        stage.expect("added", added.contains(#""outcome":"added""#), added)
        let present = await ask("containsCard")
        stage.expect("the card is in", present == "true", present)
        let active = await ask("activationState")
        stage.expect("and active", active == #"{"thisDevice":0}"#, active)
        let last = await ask("showButton")
        stage.expect("1: added everywhere", last == #"{"devices":[],"state":1}"#, last)

        guard let platform = registrar.factory?.create(withFrame: .zero, viewIdentifier: 7, arguments: nil) else {
            stage.expect("a platform view is made", false)
            stage.end()
        }
        let view = platform.view() as? AddPassButtonView
        stage.expect("the same view is handed out again", view != nil && platform.view() === view)
        view?.button.sendTap()
        let told = registrar.channel?.invoked ?? []
        stage.expect(
            "a tap reaches Dart with the view's number",
            told.count == 1 && told[0].method == "addButtonTapped" && told[0].arguments as? Int64 == 7,
            told)
        stage.end()
    }
}
