public import Foundation

/// Presents the payment sheet of the current ``SimulatedDevice``.
@MainActor
@preconcurrency
open class PKPaymentAuthorizationController: NSObject {
    open weak var delegate: (any PKPaymentAuthorizationControllerDelegate)?

    /// The device the controller was made on.
    public let device: SimulatedDevice
    /// Nil until presented. Stands in for the glass: what the customer sees and does.
    public private(set) var sheet: PaymentSheet?
    var isDefaultReached = false
    /// Nil: the request was to pay out.
    private let request: PKPaymentRequest?

    public init(paymentRequest request: PKPaymentRequest) {
        self.request = request
        device = SimulatedDevice.current
        super.init()
    }

    /// A controller that shows nothing: no simulated device pays out.
    public init(disbursementRequest request: PKDisbursementRequest) {
        self.request = nil
        device = SimulatedDevice.current
        super.init()
    }

    /// Whether hardware, system and restrictions allow the wallet at all. False means: show nothing.
    nonisolated open class func canMakePayments() -> Bool { SimulatedDevice.current.canMakePayments }

    /// Whether a card of one of the networks is in the wallet, whatever its capabilities.
    nonisolated open class func canMakePayments(usingNetworks supportedNetworks: [PKPaymentNetwork]) -> Bool {
        SimulatedDevice.current.canMakePayments(networks: supportedNetworks, capabilities: [])
    }

    /// Whether a card is in the wallet that fits both the networks and the capabilities.
    nonisolated open class func canMakePayments(
        usingNetworks supportedNetworks: [PKPaymentNetwork], capabilities capabilties: PKMerchantCapability
    ) -> Bool {
        SimulatedDevice.current.canMakePayments(networks: supportedNetworks, capabilities: capabilties)
    }

    /// Whether the device pays out. No simulated one does.
    nonisolated open class func supportsDisbursements() -> Bool { false }

    /// Whether the device pays out to a card of one of the networks. No simulated one does.
    nonisolated open class func supportsDisbursements(using supportedNetworks: [PKPaymentNetwork]) -> Bool { false }

    /// Whether the device pays out to a card that fits both the networks and the capabilities. No simulated one does.
    nonisolated open class func supportsDisbursements(
        using supportedNetworks: [PKPaymentNetwork], capabilities: PKMerchantCapability
    ) -> Bool { false }

    /// Calls back with false when the request is unfit or another sheet is in the way; the device's faults say which.
    open func present(completion: ((Bool) -> Void)? = nil) {
        if request == nil { device.record(.requestRefused, "the device pays nothing out") }
        _ = delegate?.presentationWindow(for: self)
        guard sheet == nil, let request, let made = PaymentSheet.make(for: request, app: self, on: device) else {
            if sheet != nil { device.record(.presentedOverAnother, "this controller's sheet was presented before") }
            completion?(false)
            return
        }
        sheet = made
        completion?(true)
        made.begin(keeping: self)
    }

    /// As ``present(completion:)``: false when no sheet came up.
    open func present() async -> Bool {
        present(completion: nil)
        return sheet != nil
    }

    /// Takes the sheet from the screen, and calls back at once.
    open func dismiss(completion: (() -> Void)? = nil) {
        sheet?.dismiss()
        completion?()
    }

    /// As ``dismiss(completion:)``.
    open func dismiss() async { sheet?.dismiss() }
}
