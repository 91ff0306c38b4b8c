public import UIKitSimulator

// A launch is declared to give an optional, and the documents' samples push what it gave as it is: both forms compile.

extension UINavigationController {
    /// Pushes what a launch gave; nil pushes nothing.
    public func pushViewController(_ launched: UIViewController?, animated: Bool) {
        guard let launched else { return }
        pushViewController(launched as UIViewController, animated: animated)
    }
}

extension UIViewController {
    /// Presents what a launch gave; nil presents nothing, and nothing is called.
    public func present(_ launched: UIViewController?, animated flag: Bool, completion: (() -> Void)? = nil) {
        guard let launched else { return }
        present(launched as UIViewController, animated: flag, completion: completion)
    }
}
