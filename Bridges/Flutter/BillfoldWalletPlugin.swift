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
        let reply = Reply(function: result)
        Task { @MainActor in
            switch await WalletCalls.call(function, card: card) {
            case .success(let value): reply.function(value)
            case .failure(let refusal): reply.function(FlutterError(code: refusal.code, message: refusal.message, details: nil))
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
        made = AddPassButtonView()
        super.init()
        made.frame = frame
        made.onTap = { channel.invokeMethod("addButtonTapped", arguments: id) }
    }

    func view() -> UIView { made }
}
