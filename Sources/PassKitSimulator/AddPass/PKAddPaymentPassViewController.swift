public import Foundation
public import UIKitSimulator

/// The system's add-pass flow. Present it on a `UIViewController`; its ``sheet`` is what the customer sees.
@MainActor
@preconcurrency
open class PKAddPaymentPassViewController: UIViewController {
    open weak var delegate: (any PKAddPaymentPassViewControllerDelegate)?
    /// What is on the screen and what the customer does; nil until presented.
    public private(set) var sheet: AddPassSheet?
    private let configuration: PKAddPaymentPassRequestConfiguration
    private let device: SimulatedDevice

    /// Nil when an ``AddPassRule`` is broken; the device's faults say which.
    public init?(
        requestConfiguration configuration: PKAddPaymentPassRequestConfiguration, delegate: (any PKAddPaymentPassViewControllerDelegate)?
    ) {
        let device = SimulatedDevice.current
        if let rule = AddPassRule.broken(by: configuration, on: device) {
            device.record(.addPassRefused, rule.rawValue)
            return nil
        }
        self.configuration = configuration
        self.delegate = delegate
        self.device = device
        super.init(nibName: nil, bundle: nil)
    }

    /// There are no archives here: nil, always.
    public required init?(coder: NSCoder) { nil }

    // A screen that is dropped instead of dismissed must not leave its flow waiting for a tap for ever.
    deinit {
        Task { @MainActor [sheet] in sheet?.leave() }
    }

    /// Whether hardware, system, restrictions and region allow passes at all. Says nothing about the entitlement.
    nonisolated open class func canAddPaymentPass() -> Bool { SimulatedDevice.current.canMakePayments }

    open override func viewDidAppear(_ animated: Bool) {
        guard sheet == nil else { return }
        let made = AddPassSheet(configuration: configuration, requester: self, device: device)
        sheet = made
        made.begin()
    }

    open override func viewDidDisappear(_ animated: Bool) { sheet?.leave() }
}

extension PKAddPaymentPassViewController: AddPassRequester {
    var callback: String { "generateRequestWithCertificateChain" }
    var isThere: Bool { delegate != nil }
    var bundle: SignedApp { device.configuration.app }

    func generate(for challenge: BrokerChallenge, handler: @escaping @Sendable (PKAddPaymentPassRequest?) -> Void) {
        delegate?.addPaymentPassViewController(
            self, generateRequestWithCertificateChain: challenge.certificates, nonce: challenge.nonce,
            nonceSignature: challenge.nonceSignature, completionHandler: AddPassAnswer(handler).give)
    }

    func finished(_ pass: PKPaymentPass?, _ error: NSError?) {
        delegate?.addPaymentPassViewController(self, didFinishAdding: pass, error: error)
    }
}

/// Hears from the add-pass flow. Calls arrive on the main actor.
@MainActor
@preconcurrency
public protocol PKAddPaymentPassViewControllerDelegate: AnyObject {
    /// Asks for the sealed card. The handler must be called once, on any queue, within ``AddPassSheet/requestLimit``. The call does not name
    /// the device that the customer chose.
    func addPaymentPassViewController(
        _ controller: PKAddPaymentPassViewController, generateRequestWithCertificateChain certificates: [Data], nonce: Data,
        nonceSignature: Data, completionHandler handler: @escaping (PKAddPaymentPassRequest) -> Void)

    /// The last call: dismiss the controller. A pass is no proof that it can be used: see its activation state. The error's
    /// codes are ``PKAddPaymentPassError``'s.
    func addPaymentPassViewController(
        _ controller: PKAddPaymentPassViewController, didFinishAdding pass: PKPaymentPass?, error: (any Error)?)
}
