public import Foundation
@_exported public import UIKit

/// <https://developer.apple.com/documentation/passkit/pkpaymentauthorizationcontroller>
@available(iOS 10, *)
open class PKPaymentAuthorizationController: NSObject {
    /// <https://developer.apple.com/documentation/passkit/pkpaymentauthorizationcontroller/canmakepayments()>
    @available(iOS 10, *)
    open class func canMakePayments() -> Bool { false }
    /// <https://developer.apple.com/documentation/passkit/pkpaymentauthorizationcontroller/canmakepayments(usingnetworks:capabilities:)>
    @available(iOS 10, *)
    open class func canMakePayments(
        usingNetworks supportedNetworks: [PKPaymentNetwork], capabilities capabilties: PKMerchantCapability
    ) -> Bool { false }
    /// <https://developer.apple.com/documentation/passkit/pkpaymentauthorizationcontroller/init(paymentrequest:)>
    @available(iOS 10, *)
    public init(paymentRequest request: PKPaymentRequest) { super.init() }
    /// <https://developer.apple.com/documentation/passkit/pkpaymentauthorizationcontroller/delegate>
    @available(iOS 10, *)
    open weak var delegate: (any PKPaymentAuthorizationControllerDelegate)?
    /// <https://developer.apple.com/documentation/passkit/pkpaymentauthorizationcontroller/present(completion:)>
    @available(iOS 10, *)
    open func present(completion: ((Bool) -> Void)? = nil) {}
    // What Objective-C offers with a handler runs where its caller does (SE-0461).
    /// <https://developer.apple.com/documentation/passkit/pkpaymentauthorizationcontroller/present()>
    @available(iOS 10, *)
    nonisolated(nonsending) open func present() async -> Bool { false }
    /// <https://developer.apple.com/documentation/passkit/pkpaymentauthorizationcontroller/dismiss(completion:)>
    @available(iOS 10, *)
    open func dismiss(completion: (() -> Void)? = nil) {}
    /// <https://developer.apple.com/documentation/passkit/pkpaymentauthorizationcontroller/dismiss()>
    @available(iOS 10, *)
    nonisolated(nonsending) open func dismiss() async {}
}

/// <https://developer.apple.com/documentation/passkit/pkpaymentauthorizationcontrollerdelegate>
@available(iOS 10, *)
public protocol PKPaymentAuthorizationControllerDelegate: NSObjectProtocol {
    /// <https://developer.apple.com/documentation/passkit/pkpaymentauthorizationcontrollerdelegate/paymentauthorizationcontrollerdidfinish(_:)>
    @MainActor
    @available(iOS 10, *)
    func paymentAuthorizationControllerDidFinish(_ controller: PKPaymentAuthorizationController)
    /// <https://developer.apple.com/documentation/passkit/pkpaymentauthorizationcontrollerdelegate/paymentauthorizationcontroller(_:didauthorizepayment:handler:)>
    @MainActor
    @available(iOS 11, *)
    func paymentAuthorizationController(
        _ controller: PKPaymentAuthorizationController, didAuthorizePayment payment: PKPayment,
        handler completion: @escaping (PKPaymentAuthorizationResult) -> Void)
    /// <https://developer.apple.com/documentation/passkit/pkpaymentauthorizationcontrollerdelegate/paymentauthorizationcontroller(_:didselectpaymentmethod:handler:)>
    @MainActor
    @available(iOS 11, *)
    func paymentAuthorizationController(
        _ controller: PKPaymentAuthorizationController, didSelectPaymentMethod paymentMethod: PKPaymentMethod,
        handler completion: @escaping (PKPaymentRequestPaymentMethodUpdate) -> Void)
    /// <https://developer.apple.com/documentation/passkit/pkpaymentauthorizationcontrollerdelegate/paymentauthorizationcontroller(_:didselectshippingcontact:handler:)>
    @MainActor
    @available(iOS 11, *)
    func paymentAuthorizationController(
        _ controller: PKPaymentAuthorizationController, didSelectShippingContact contact: PKContact,
        handler completion: @escaping (PKPaymentRequestShippingContactUpdate) -> Void)
    /// <https://developer.apple.com/documentation/passkit/pkpaymentauthorizationcontrollerdelegate/paymentauthorizationcontroller(_:didselectshippingmethod:handler:)>
    @MainActor
    @available(iOS 11, *)
    func paymentAuthorizationController(
        _ controller: PKPaymentAuthorizationController, didSelectShippingMethod shippingMethod: PKShippingMethod,
        handler completion: @escaping (PKPaymentRequestShippingMethodUpdate) -> Void)
    /// <https://developer.apple.com/documentation/passkit/pkpaymentauthorizationcontrollerdelegate/paymentauthorizationcontroller(_:didchangecouponcode:handler:)>
    @MainActor
    @available(iOS 15, *)
    func paymentAuthorizationController(
        _ controller: PKPaymentAuthorizationController, didChangeCouponCode couponCode: String,
        handler completion: @escaping (PKPaymentRequestCouponCodeUpdate) -> Void)
}

/// <https://developer.apple.com/documentation/passkit/pkpaymentauthorizationviewcontroller>
@available(iOS 8, *)
open class PKPaymentAuthorizationViewController: UIViewController {
    /// <https://developer.apple.com/documentation/passkit/pkpaymentauthorizationviewcontroller/canmakepayments()>
    @available(iOS 8, *)
    open class func canMakePayments() -> Bool { false }
    /// <https://developer.apple.com/documentation/passkit/pkpaymentauthorizationviewcontroller/init(paymentrequest:)>
    @available(iOS 8, *)
    public init?(paymentRequest request: PKPaymentRequest) { super.init(nibName: nil, bundle: nil) }
    public required init?(coder: NSCoder) { super.init(coder: coder) }
    /// <https://developer.apple.com/documentation/passkit/pkpaymentauthorizationviewcontroller/delegate>
    @available(iOS 8, *)
    open weak var delegate: (any PKPaymentAuthorizationViewControllerDelegate)?
}

/// <https://developer.apple.com/documentation/passkit/pkpaymentauthorizationviewcontrollerdelegate>
@available(iOS 8, *)
public protocol PKPaymentAuthorizationViewControllerDelegate: NSObjectProtocol {
    /// <https://developer.apple.com/documentation/passkit/pkpaymentauthorizationviewcontrollerdelegate/paymentauthorizationviewcontrollerdidfinish(_:)>
    @available(iOS 8, *)
    func paymentAuthorizationViewControllerDidFinish(_ controller: PKPaymentAuthorizationViewController)
    /// <https://developer.apple.com/documentation/passkit/pkpaymentauthorizationviewcontrollerdelegate/paymentauthorizationviewcontroller(_:didauthorizepayment:handler:)>
    @available(iOS 11, *)
    func paymentAuthorizationViewController(
        _ controller: PKPaymentAuthorizationViewController, didAuthorizePayment payment: PKPayment,
        handler completion: @escaping (PKPaymentAuthorizationResult) -> Void)
    /// <https://developer.apple.com/documentation/passkit/pkpaymentauthorizationviewcontrollerdelegate/paymentauthorizationviewcontroller(_:didselect:handler:)>
    @available(iOS 11, *)
    func paymentAuthorizationViewController(
        _ controller: PKPaymentAuthorizationViewController, didSelect paymentMethod: PKPaymentMethod,
        handler completion: @escaping (PKPaymentRequestPaymentMethodUpdate) -> Void)
    /// <https://developer.apple.com/documentation/passkit/pkpaymentauthorizationviewcontrollerdelegate/paymentauthorizationviewcontroller(_:didselectshippingcontact:handler:)>
    @available(iOS 11, *)
    func paymentAuthorizationViewController(
        _ controller: PKPaymentAuthorizationViewController, didSelectShippingContact contact: PKContact,
        handler completion: @escaping (PKPaymentRequestShippingContactUpdate) -> Void)
    /// <https://developer.apple.com/documentation/passkit/pkpaymentauthorizationviewcontrollerdelegate/paymentauthorizationviewcontroller(_:didselect:handler:)>
    @available(iOS 11, *)
    func paymentAuthorizationViewController(
        _ controller: PKPaymentAuthorizationViewController, didSelect shippingMethod: PKShippingMethod,
        handler completion: @escaping (PKPaymentRequestShippingMethodUpdate) -> Void)
    /// <https://developer.apple.com/documentation/passkit/pkpaymentauthorizationviewcontrollerdelegate/paymentauthorizationviewcontroller(_:didchangecouponcode:handler:)>
    @available(iOS 15, *)
    func paymentAuthorizationViewController(
        _ controller: PKPaymentAuthorizationViewController, didChangeCouponCode couponCode: String,
        handler completion: @escaping (PKPaymentRequestCouponCodeUpdate) -> Void)
}

/// <https://developer.apple.com/documentation/passkit/pkpaymentbuttontype>
@available(iOS 8.3, *)
public enum PKPaymentButtonType: Int, Sendable {
    /// <https://developer.apple.com/documentation/passkit/pkpaymentbuttontype/plain>
    @available(iOS 8.3, *)
    case plain
    /// <https://developer.apple.com/documentation/passkit/pkpaymentbuttontype/buy>
    @available(iOS 8.3, *)
    case buy
    /// <https://developer.apple.com/documentation/passkit/pkpaymentbuttontype/setup>
    @available(iOS 9, *)
    case setUp
}

/// <https://developer.apple.com/documentation/passkit/pkaddpassbuttonstyle>
@available(iOS 9, *)
public enum PKAddPassButtonStyle: Int, Sendable {
    /// <https://developer.apple.com/documentation/passkit/pkaddpassbuttonstyle/black>
    @available(iOS 9, *)
    case black
    /// <https://developer.apple.com/documentation/passkit/pkaddpassbuttonstyle/blackoutline>
    @available(iOS 9, *)
    case blackOutline
}

/// <https://developer.apple.com/documentation/passkit/pkaddpassbutton>
@available(iOS 9, *)
open class PKAddPassButton: UIButton {
    /// <https://developer.apple.com/documentation/passkit/pkaddpassbutton/init(addpassbuttonstyle:)>
    @available(iOS 9, *)
    public init(addPassButtonStyle style: PKAddPassButtonStyle) { super.init(frame: .zero) }
    /// <https://developer.apple.com/documentation/passkit/pkaddpassbutton/addpassbuttonstyle>
    @available(iOS 9, *)
    open var addPassButtonStyle = PKAddPassButtonStyle.black
}
