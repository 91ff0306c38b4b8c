public import UIKitSimulator

/// The controller for passes from files. There are none here: nothing makes one.
@MainActor
@preconcurrency
open class PKAddPassesViewController: UIViewController {
    open weak var delegate: (any PKAddPassesViewControllerDelegate)?

    /// Nil, always: a pass that the library gave cannot be added again.
    public convenience init?(pass: PKPass) { return nil }

    /// Nil, as ``init(pass:)``.
    public convenience init?(passes: [PKPass]) { return nil }

    /// False on a tablet, which can well take payment passes: ask `PKAddPaymentPassViewController.canAddPaymentPass()` instead.
    nonisolated open class func canAddPasses() -> Bool { SimulatedDevice.current.configuration.kind == .phone }
}

/// Hears from the controller for passes from files.
@MainActor
@preconcurrency
public protocol PKAddPassesViewControllerDelegate: NSObjectProtocol {
    /// The customer is done: dismiss the controller.
    func addPassesViewControllerDidFinish(_ controller: PKAddPassesViewController)
}

extension PKAddPassesViewControllerDelegate {
    public func addPassesViewControllerDidFinish(_ controller: PKAddPassesViewController) {}
}
