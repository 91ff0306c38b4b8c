import Flutter
import Foundation
import UIKit

/// The method channel `billfold/wallet` and the platform view `billfold/add-pass-button`.
final class BillfoldWalletPlugin: NSObject, FlutterPlugin {
    static let channelName = "billfold/wallet"
    static let viewType = "billfold/add-pass-button"

    static func register(with registrar: FlutterPluginRegistrar) {
        let channel = FlutterMethodChannel(name: channelName, binaryMessenger: registrar.messenger())
        registrar.addMethodCallDelegate(BillfoldWalletPlugin(), channel: channel)
        registrar.register(AddPassButtonFactory(channel: channel), withId: viewType)
    }

    /// Flutter calls on the main thread.
    func handle(_ call: FlutterMethodCall, result: @escaping FlutterResult) {
        guard let function = WalletCalls.Function(rawValue: call.method) else { return result(FlutterMethodNotImplemented) }
        guard let card = (call.arguments as? [String: Any])?["card"] as? String, !card.isEmpty else {
            return result(FlutterError(code: "message-malformed", message: "a card's id is expected", details: nil))
        }
        let reply = Carried(value: result)
        Task { @MainActor in
            switch await WalletCalls.call(function, card: card) {
            case .success(let value): reply.value(value)
            case .failure(let refusal): reply.value(FlutterError(code: refusal.code, message: refusal.message, details: nil))
            }
        }
    }
}

/// Makes a platform view for each widget.
final class AddPassButtonFactory: NSObject, FlutterPlatformViewFactory {
    private let channel: FlutterMethodChannel

    init(channel: FlutterMethodChannel) {
        self.channel = channel
        super.init()
    }

    func create(withFrame frame: CGRect, viewIdentifier viewId: Int64, arguments args: Any?) -> FlutterPlatformView {
        AddPassButtonPlatformView(frame: frame, id: viewId, channel: channel)
    }

    func createArgsCodec() -> FlutterMessageCodec & NSObjectProtocol { FlutterStandardMessageCodec.sharedInstance() }
}

/// One button. It is made here and handed out again at each request for the view.
final class AddPassButtonPlatformView: NSObject, FlutterPlatformView {
    private let made: AddPassButtonView

    init(frame: CGRect, id: Int64, channel: FlutterMethodChannel) {
        let channel = Carried(value: channel)
        // Flutter asks on the main thread; its headers say nothing of it.
        made = MainActor.assumeIsolated {
            let made = AddPassButtonView()
            made.frame = frame
            made.onTap = { channel.value.invokeMethod("addButtonTapped", arguments: id) }
            return made
        }
        super.init()
    }

    func view() -> UIView { made }
}
