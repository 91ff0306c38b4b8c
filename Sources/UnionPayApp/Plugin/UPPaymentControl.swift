import BillfoldConcurrency
public import Foundation

#if canImport(UIKit)
    public import UIKit
#else
    public import UIKitSimulator
#endif

/// Told how a payment ended: `code` is "success", "fail" or "cancel", `data` the signed text for the server where there is one.
public typealias UPPaymentResultBlock = (_ code: String?, _ data: [AnyHashable: Any]?) -> Void

/// Told which apps a payment could go to directly.
public typealias UPPaymentDirectAppSucc = (_ directApps: [Any]?) -> Void
/// Told why nobody knows: 01 a parameter, 02 the network, 03 another reason.
public typealias UPPaymentDirectAppFail = (_ code: String?, _ msg: String?) -> Void

/// UnionPay's plug-in by its published names (unionpay-tn.md#start): pays an order by its number in UnionPay's app or on its page.
///
/// Set ``launcher`` once, when the app starts. A word that comes back proves nothing: hand `data` to the server, and show what the server
/// knows. May be called from any thread, as the published header allows; off the main thread is told as a fault.
#if canImport(ObjectiveC)
    @objc(UPPaymentControl)
#endif
public final class UPPaymentControl: NSObject, Sendable {
    /// The one of the current task, where one process holds many phones; bind it with `UPPaymentControl.$current.withValue(…) { … }`.
    @TaskLocal public static var current: UPPaymentControl?
    private static let shared = UPPaymentControl()

    let calls = PluginCalls()

    public override init() { super.init() }

    /// What lets the customer pay. Nil: nothing is shown, and `startPay` answers false.
    public var launcher: (any PaymentLauncher)? {
        get { calls.launcher }
        set { calls.launcher = newValue }
    }

    /// How the URL with the result is opened, where the launcher ends a payment in this process: `UIApplication.shared.open` on a device.
    /// Nil: the result is lost, as when the app is killed.
    public var opener: (@Sendable (URL) -> Void)? {
        get { calls.opener }
        set { calls.opener = newValue }
    }

    /// The latest hundred faults, oldest first.
    public var faults: [PluginFault] { calls.faults }

    /// The one plug-in of the app; never nil. The published header does not say so.
    #if canImport(ObjectiveC)
        @objc(defaultControl)
    #endif
    public static func `default`() -> UPPaymentControl! { current ?? shared }

    /// Shows the payment. The result comes as a URL of `schemeStr`, also to an app that was killed meanwhile, or never.
    ///
    /// - Parameters:
    ///   - tn: The order's number, from the app's own server.
    ///   - schemeStr: A scheme that the app registers, and no other app.
    ///   - mode: "00" live, "01" test: that of the system that gave the number.
    ///   - viewController: What the payment is shown over.
    /// - Returns: False when nothing is shown; then no result comes. Not whether anything is paid.
    #if canImport(ObjectiveC)
        @objc(startPay:fromScheme:mode:viewController:)
    #endif
    @discardableResult
    public func startPay(_ tn: String!, fromScheme schemeStr: String!, mode: String!, viewController: UIViewController!) -> Bool {
        guard var order = calls.order(tn, mode: mode, hasScreen: viewController != nil, way: .control) else { return false }
        guard let scheme = schemeStr, let probe = URL(string: "\(scheme)://x"), probe.scheme == scheme else {
            calls.tell(.schemeUnusable, "no result could come back to this scheme")
            return false
        }
        order.scheme = scheme
        let calls = calls
        return calls.launch(order) { end in
            guard let url = PluginResult(code: end.word.rawValue).url(scheme: scheme) else { return }
            calls.opener?(url)
        }
    }

    /// Whether UnionPay's app is installed. On iOS false too where `LSApplicationQueriesSchemes` lacks its schemes.
    #if canImport(ObjectiveC)
        @objc
    #endif
    public func isPaymentAppInstalled() -> Bool { calls.launcher?.isPaymentAppInstalled() ?? false }

    /// As ``isPaymentAppInstalled()``, under the name of the header 3.6.2. Neither argument changes the answer here.
    #if canImport(ObjectiveC)
        @objc(isPaymentAppInstalled:withMerchantInfo:)
    #endif
    public func isPaymentAppInstalled(_ mode: String!, withMerchantInfo merchantInfo: String!) -> Bool { isPaymentAppInstalled() }

    /// Tells which banks' apps a payment could go to directly, as the header 3.6.2 has it: none here, which is the header's empty list.
    ///
    /// - Parameters:
    ///   - mode: "00" live, "01" test; another is the header's error 01.
    ///   - merchantInfo: Names the merchant; not read.
    ///   - succBlock: Called later, on the main thread.
    ///   - failBlock: Likewise.
    #if canImport(ObjectiveC)
        @objc(getDirectApps:withMerchantInfo:succBlock:failBlock:)
    #endif
    public func getDirectApps(
        _ mode: String!, withMerchantInfo merchantInfo: String!, succBlock: UPPaymentDirectAppSucc!, failBlock: UPPaymentDirectAppFail!
    ) {
        let isKnown = mode.flatMap(PluginOrder.Mode.init(rawValue:)) != nil
        let blocks = HandedOver((succBlock, failBlock))
        Task { @MainActor in
            if isKnown { blocks.value.0?([]) } else { blocks.value.1?("01", "parameter error") }
        }
    }

    /// Reads the URL by which the app is opened. Call it from each delegate method that gets one.
    ///
    /// The block is called once, before this returns, for a URL that is a result, also where the app was started anew by it; for any other
    /// URL it is not called. [I]
    /// The public headers give nothing back; apps that hand on a word are taken too. [I]
    ///
    /// - Parameters:
    ///   - url: What the app was opened by.
    ///   - completionBlock: Takes the word, and what is signed.
    /// - Returns: Whether the URL is a result.
    #if canImport(ObjectiveC)
        @objc(handlePaymentResult:completeBlock:)
    #endif
    @discardableResult
    public func handlePaymentResult(_ url: URL!, complete completionBlock: UPPaymentResultBlock!) -> Bool {
        guard let url, let result = PluginResult(url) else {
            calls.tell(.foreignURL, "the URL is no result of the plug-in")
            return false
        }
        calls.examine(result)
        completionBlock?(result.code, result.signed)
        return true
    }
}
