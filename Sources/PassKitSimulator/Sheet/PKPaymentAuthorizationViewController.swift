public import Foundation
public import UIKitSimulator

/// The payment sheet as a view controller: present it on a `UIViewController`, and dismiss it when the delegate hears that it is over.
/// Its ``sheet`` is what the customer sees; the core is the one of ``PKPaymentAuthorizationController``.
@MainActor
@preconcurrency
open class PKPaymentAuthorizationViewController: UIViewController {
    open weak var delegate: (any PKPaymentAuthorizationViewControllerDelegate)?

    /// The device the controller was made on.
    public let device: SimulatedDevice
    /// Nil until presented. Stands in for the glass: what the customer sees and does.
    public private(set) var sheet: PaymentSheet?
    var isDefaultReached = false
    /// Nil: the request was to pay out.
    private let request: PKPaymentRequest?

    /// Nil when the device cannot pay or a ``RequestRule`` is broken; the device's faults say which.
    public init?(paymentRequest request: PKPaymentRequest) {
        let device = SimulatedDevice.current
        guard PaymentSheet.canShow(request, on: device) else { return nil }
        self.request = request
        self.device = device
        super.init(nibName: nil, bundle: nil)
    }

    /// A controller that shows nothing: no simulated device pays out. Presented, it tells at once that it is over.
    public init(disbursementRequest request: PKDisbursementRequest) {
        self.request = nil
        device = SimulatedDevice.current
        super.init(nibName: nil, bundle: nil)
    }

    /// There are no archives here: nil, always.
    public required init?(coder: NSCoder) { nil }

    // A screen that is dropped instead of dismissed takes its sheet along.
    deinit {
        Task { @MainActor [sheet] in sheet?.dismiss() }
    }

    /// As ``PKPaymentAuthorizationController/canMakePayments()``.
    nonisolated open class func canMakePayments() -> Bool { PKPaymentAuthorizationController.canMakePayments() }

    /// As ``PKPaymentAuthorizationController/canMakePayments(usingNetworks:)``.
    nonisolated open class func canMakePayments(usingNetworks supportedNetworks: [PKPaymentNetwork]) -> Bool {
        PKPaymentAuthorizationController.canMakePayments(usingNetworks: supportedNetworks)
    }

    /// As ``PKPaymentAuthorizationController/canMakePayments(usingNetworks:capabilities:)``.
    nonisolated open class func canMakePayments(
        usingNetworks supportedNetworks: [PKPaymentNetwork], capabilities: PKMerchantCapability
    ) -> Bool {
        PKPaymentAuthorizationController.canMakePayments(usingNetworks: supportedNetworks, capabilities: capabilities)
    }

    /// Whether the device pays out. No simulated one does.
    nonisolated open class func supportsDisbursements() -> Bool { false }

    /// Whether the device pays out to a card of one of the networks. No simulated one does.
    nonisolated open class func supportsDisbursements(using supportedNetworks: [PKPaymentNetwork]) -> Bool { false }

    /// Whether the device pays out to a card that fits both the networks and the capabilities. No simulated one does.
    nonisolated open class func supportsDisbursements(
        using supportedNetworks: [PKPaymentNetwork], capabilities: PKMerchantCapability
    ) -> Bool { false }

    /// Begins the flow. Where another sheet is in the way none comes up, and the delegate hears at once that it is over
    /// (apple-pay.md#sheet [I]).
    open override func viewDidAppear(_ animated: Bool) {
        guard sheet == nil else {
            device.record(.presentedOverAnother, "this controller's sheet was presented before")
            return didFinish()
        }
        guard let request else {
            device.record(.requestRefused, "the device pays nothing out")
            return didFinish()
        }
        guard let made = PaymentSheet.make(for: request, app: self, on: device) else { return didFinish() }
        sheet = made
        made.begin()
    }

    open override func viewDidDisappear(_ animated: Bool) { sheet?.dismiss() }
}
