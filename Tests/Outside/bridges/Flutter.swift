// Flutter's names as far as our bridge uses them, as its headers declare them: FlutterPlugin.h, FlutterChannels.h, FlutterPlatformViews.h,
// FlutterCodecs.h. They say of no actor. What Flutter answers is kept, so that a driver can read it.
public import UIKit

public typealias FlutterResult = (Any?) -> Void

public final class FlutterNotImplementedMark: NSObject, Sendable {}
public let FlutterMethodNotImplemented: NSObject & Sendable = FlutterNotImplementedMark()

public final class FlutterError: NSObject {
    public let code: String
    public let message: String?
    public let details: Any?
    public init(code: String, message: String?, details: Any?) {
        self.code = code
        self.message = message
        self.details = details
    }
}

public final class FlutterMethodCall: NSObject {
    public let method: String
    public let arguments: Any?
    public init(methodName method: String, arguments: Any?) {
        self.method = method
        self.arguments = arguments
    }
}

public protocol FlutterBinaryMessenger: NSObjectProtocol {}
public protocol FlutterMessageCodec {}

public final class FlutterStandardMessageCodec: NSObject, FlutterMessageCodec {
    public static func sharedInstance() -> FlutterStandardMessageCodec { FlutterStandardMessageCodec() }
}

public final class FlutterMethodChannel: NSObject {
    public let name: String
    public private(set) var invoked: [(method: String, arguments: Any?)] = []
    public init(name: String, binaryMessenger messenger: any FlutterBinaryMessenger) { self.name = name }
    public func invokeMethod(_ method: String, arguments: Any?) { invoked.append((method, arguments)) }
}

public protocol FlutterPlugin: NSObjectProtocol {
    static func register(with registrar: any FlutterPluginRegistrar)
    func handle(_ call: FlutterMethodCall, result: @escaping FlutterResult)
}

public protocol FlutterPluginRegistrar: NSObjectProtocol {
    func messenger() -> any FlutterBinaryMessenger
    func addMethodCallDelegate(_ delegate: any FlutterPlugin, channel: FlutterMethodChannel)
    func register(_ factory: any FlutterPlatformViewFactory, withId factoryId: String)
}

public protocol FlutterPlatformView: NSObjectProtocol {
    func view() -> UIView
}

public protocol FlutterPlatformViewFactory: NSObjectProtocol {
    func create(withFrame frame: CGRect, viewIdentifier viewId: Int64, arguments args: Any?) -> any FlutterPlatformView
    func createArgsCodec() -> any FlutterMessageCodec & NSObjectProtocol
}
