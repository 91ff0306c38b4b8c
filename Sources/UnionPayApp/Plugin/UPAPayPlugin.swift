import BillfoldConcurrency
public import Foundation

#if canImport(UIKit)
    public import UIKit
#else
    public import UIKitSimulator
#endif

/// How a payment by ``UPAPayPlugin`` ended (unionpay-tn.md#apple-pay [D]). None of it proves money.
#if canImport(ObjectiveC)
    @objc
#endif
public enum UPPaymentResultStatus: Int, Sendable {
    /// Shown as paid; the server knows.
    case success = 0
    /// Shown as failed: show ``UPPayResult/errorDescription``, and ask the server before the customer pays again.
    case failure = 1
    /// Left before a payment was begun.
    case cancel = 2
    /// Left while a payment was on its way: ask the server.
    case unknownCancel = 3
}

/// What the delegate of ``UPAPayPlugin`` is told.
#if canImport(ObjectiveC)
    @objc(UPPayResult)
    @objcMembers
#endif
open class UPPayResult: NSObject {
    /// How it ended.
    open var paymentResultStatus = UPPaymentResultStatus.success
    /// UnionPay's text with its seven digits, such as `可用余额不足[1000051]`; nil after success and cancellation.
    open var errorDescription: String!
    /// What the customer saved: `currency=元&order_amt=20.00&pay_amt=15.00`. Show it. Nil without a discount.
    open var otherInfo: String!

    public override init() { super.init() }

    convenience init(_ end: PluginEnd) {
        self.init()
        switch end {
        case .success(let discount): (paymentResultStatus, otherInfo) = (.success, discount)
        case .failure(let text): (paymentResultStatus, errorDescription) = (.failure, text)
        case .cancel: paymentResultStatus = .cancel
        case .unknownCancel: paymentResultStatus = .unknownCancel
        }
    }
}

/// Hears how a payment by Apple Pay ended. Called on the main thread, once for each payment that was shown.
///
/// The published protocol belongs to no actor: what conforms may be a controller, or an object that is used from anywhere.
#if canImport(ObjectiveC)
    @objc(UPAPayPluginDelegate)
#endif
public protocol UPAPayPluginDelegate: NSObjectProtocol {
    /// Tells how the payment ended.
    #if canImport(ObjectiveC)
        @objc(UPAPayPluginResult:)
    #endif
    @preconcurrency
    @MainActor
    func upaPayPluginResult(_ payResult: UPPayResult!)
}

/// UnionPay's plug-in for Apple Pay by its published names: it shows the sheet for an order's number and sends the token to UnionPay
/// itself. What it is set up with is that of ``UPPaymentControl``.
#if canImport(ObjectiveC)
    @objc(UPAPayPlugin)
#endif
public final class UPAPayPlugin: NSObject {
    /// Shows the Apple Pay sheet.
    ///
    /// - Parameters:
    ///   - tn: The order's number, from the app's own server.
    ///   - mode: "00" live, "01" test.
    ///   - viewController: What the sheet is shown over.
    ///   - delegate: Told of the result; held until then.
    ///   - mID: The app's merchant identifier at Apple, whose processing certificate UnionPay holds.
    /// - Returns: False when nothing is shown; then the delegate hears nothing.
    #if canImport(ObjectiveC)
        @objc(startPay:mode:viewController:delegate:andAPMechantID:)
    #endif
    @discardableResult
    public static func startPay(
        _ tn: String!, mode: String!, viewController: UIViewController!, delegate: (any UPAPayPluginDelegate)!, andAPMechantID mID: String!
    ) -> Bool {
        guard let calls = UPPaymentControl.default()?.calls,
            var order = calls.order(tn, mode: mode, hasScreen: viewController != nil, way: .applePay)
        else { return false }
        guard let merchant = mID, !merchant.isEmpty else {
            calls.tell(.merchantMissing, "no merchant identifier was given")
            return false
        }
        guard let delegate else {
            calls.tell(.delegateMissing, "nobody would hear of the result")
            return false
        }
        order.merchantIdentifier = merchant
        let listener = HandedOver(delegate)
        return calls.launch(order) { end in MainThread.soon { listener.value.upaPayPluginResult(UPPayResult(end)) } }
    }
}
