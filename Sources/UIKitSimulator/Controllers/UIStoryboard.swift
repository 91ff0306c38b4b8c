public import Foundation

/// The screens that were drawn for an app. There is nothing to load here: what a test provides comes out, by
/// ``SimulatedScreen/provide(_:in:make:)``, and anything else is a ``ScreenFault``.
@MainActor
@preconcurrency
open class UIStoryboard: NSObject {
    private let name: String

    public init(name: String, bundle storyboardBundleOrNil: Bundle?) {
        self.name = name
        super.init()
    }

    /// What was provided under the empty identifier; nil where nothing was.
    open func instantiateInitialViewController() -> UIViewController? { provided("") }

    /// What was provided under the identifier. Where nothing was, a device without it ends the app: here it is an empty controller.
    open func instantiateViewController(withIdentifier identifier: String) -> UIViewController {
        provided(identifier) ?? UIViewController()
    }

    /// As `instantiateViewController(withIdentifier:)`.
    open func instantiateViewController(identifier: String) -> UIViewController { instantiateViewController(withIdentifier: identifier) }

    private func provided(_ identifier: String) -> UIViewController? {
        let screen = SimulatedScreen.current
        if let made = screen.storyboardScenes[[name, identifier]]?() as? UIViewController { return made }
        screen.record(.archiveNotLoaded, "\(name): \(identifier)")
        return nil
    }
}

extension SimulatedScreen {
    /// Stands in for a screen of a storyboard, which can't be loaded here.
    ///
    /// - Parameters:
    ///   - identifier: The screen's in the storyboard; empty for the first.
    ///   - storyboard: The storyboard's name.
    ///   - make: Makes the controller, and what its outlets lead to.
    @MainActor
    public func provide(_ identifier: String, in storyboard: String, make: @escaping @MainActor () -> UIViewController) {
        storyboardScenes[[storyboard, identifier]] = make
    }
}

/// A way from one screen of a storyboard to another. No storyboard makes one here.
@MainActor
@preconcurrency
open class UIStoryboardSegue: NSObject {
    public let identifier: String?
    public let source: UIViewController
    public let destination: UIViewController

    public init(identifier: String?, source: UIViewController, destination: UIViewController) {
        self.identifier = identifier
        self.source = source
        self.destination = destination
        super.init()
    }
}

extension UIViewController {
    /// Controllers come from no storyboard here: nil, always.
    public var storyboard: UIStoryboard? { nil }
}
