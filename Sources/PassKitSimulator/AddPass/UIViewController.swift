public import Foundation

/// Stands in for UIKit's class, with its spelling of presenting and dismissing and nothing that draws, so that an app's
/// screen can show the add-pass controller on any system.
@preconcurrency @MainActor
open class UIViewController: NSObject {
    public private(set) var presentedViewController: UIViewController?
    public private(set) weak var presentingViewController: UIViewController?

    public override init() { super.init() }

    /// Shows another controller over this one. One at a time: a second one is refused, and recorded as a ``DeviceFault``.
    open func present(_ viewControllerToPresent: UIViewController, animated flag: Bool, completion: (() -> Void)? = nil) {
        guard presentedViewController == nil, viewControllerToPresent.presentingViewController == nil else {
            SimulatedDevice.current.record(.presentedOverAnother, "a controller is on the screen already")
            return
        }
        presentedViewController = viewControllerToPresent
        viewControllerToPresent.presentingViewController = self
        completion?()
        viewControllerToPresent.viewDidAppear(flag)
    }

    /// Takes away what this controller presented; without such, this controller itself.
    open func dismiss(animated flag: Bool, completion: (() -> Void)? = nil) {
        guard let shown = presentedViewController else {
            presentingViewController?.dismiss(animated: flag, completion: completion)
            return
        }
        presentedViewController = nil
        shown.presentingViewController = nil
        shown.viewDidDisappear(flag)
        completion?()
    }

    /// Called once the controller is shown. Does nothing by itself.
    open func viewDidAppear(_ animated: Bool) {}
    /// Called once the controller was taken away. Does nothing by itself.
    open func viewDidDisappear(_ animated: Bool) {}
}
