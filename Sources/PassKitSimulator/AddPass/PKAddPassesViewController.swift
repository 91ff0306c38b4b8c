public import UIKitSimulator

/// The controller for passes from a file; here only the question that integrations mistake for the one about payment passes.
@MainActor
open class PKAddPassesViewController: UIViewController {
    /// False on a tablet, which can well take payment passes: ask `PKAddPaymentPassViewController.canAddPaymentPass()` instead.
    nonisolated open class func canAddPasses() -> Bool { SimulatedDevice.current.configuration.kind == .phone }
}
