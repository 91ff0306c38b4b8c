import BillfoldConcurrency
public import Foundation

#if canImport(UIKit)
    public import UIKit
#else
    public import UIKitSimulator
#endif

/// Hears how a payment by the older plug-in ended. Called on the main thread, once for each payment that was shown.
///
/// As ``UPAPayPluginDelegate``, it belongs to no actor.
#if canImport(ObjectiveC)
    @objc(UPPayPluginDelegate)
#endif
public protocol UPPayPluginDelegate: NSObjectProtocol {
    /// Tells the word: "success", "fail" or "cancel".
    #if canImport(ObjectiveC)
        @objc(UPPayPluginResult:)
    #endif
    @preconcurrency
    @MainActor
    func upPayPluginResult(_ result: String!)
}

/// UnionPay's plug-in of before 2015, which apps still compile against: the result comes to a delegate, as a word.
/// What it is set up with is that of ``UPPaymentControl``.
#if canImport(ObjectiveC)
    @objc(UPPayPlugin)
#endif
public final class UPPayPlugin: NSObject {
    /// Shows the payment. False when nothing is shown; then the delegate hears nothing.
    #if canImport(ObjectiveC)
        @objc(startPay:mode:viewController:delegate:)
    #endif
    @discardableResult
    public static func startPay(
        _ tn: String!, mode: String!, viewController: UIViewController!, delegate: (any UPPayPluginDelegate)!
    ) -> Bool {
        guard let calls = UPPaymentControl.default()?.calls,
            let order = calls.order(tn, mode: mode, hasScreen: viewController != nil, way: .older)
        else { return false }
        guard let delegate else {
            calls.tell(.delegateMissing, "nobody would hear of the result")
            return false
        }
        let listener = HandedOver(delegate)
        return calls.launch(order) { end in MainThread.soon { listener.value.upPayPluginResult(end.word.rawValue) } }
    }
}
