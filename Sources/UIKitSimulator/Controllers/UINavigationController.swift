public import Foundation

/// A stack of controllers, of which the last is seen.
@MainActor
@preconcurrency
open class UINavigationController: UIViewController {
    /// The stack, the root first.
    open var viewControllers: [UIViewController] {
        get { children }
        set { setViewControllers(newValue, animated: false) }
    }

    public override init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) {
        super.init(nibName: nibNameOrNil, bundle: nibBundleOrNil)
    }

    public init(rootViewController: UIViewController) {
        super.init(nibName: nil, bundle: nil)
        addChild(rootViewController)
    }

    /// There are no archives here: nil, always.
    public required init?(coder: NSCoder) { nil }

    open var topViewController: UIViewController? { children.last }

    /// What is seen: the last of the stack, or what it presents.
    open var visibleViewController: UIViewController? { presentedViewController ?? topViewController }

    /// Puts a controller on the stack.
    open func pushViewController(_ viewController: UIViewController, animated: Bool) {
        setViewControllers(children + [viewController], animated: animated)
    }

    /// Takes the last controller off the stack; the root stays.
    @discardableResult
    open func popViewController(animated: Bool) -> UIViewController? {
        guard children.count > 1, let last = children.last else { return nil }
        setViewControllers(children.dropLast(), animated: animated)
        return last
    }

    /// Takes all but the root off the stack.
    @discardableResult
    open func popToRootViewController(animated: Bool) -> [UIViewController]? {
        guard children.count > 1 else { return nil }
        let gone = Array(children.dropFirst())
        setViewControllers(Array(children.prefix(1)), animated: animated)
        return gone
    }

    /// Replaces the stack. What was seen disappears before what is seen now appears.
    open func setViewControllers(_ viewControllers: [UIViewController], animated: Bool) {
        let before = children.last
        if before !== viewControllers.last { before?.disappear(animated) }
        for old in children where !viewControllers.contains(where: { $0 === old }) { old.parent = nil }
        children = viewControllers
        for each in viewControllers { each.parent = self }
        if isOnScreen, before !== viewControllers.last { viewControllers.last?.appear(animated) }
    }

    override var seenChildren: [UIViewController] { children.suffix(1) }
}

extension UIViewController {
    /// The nearest navigation controller that contains this one.
    @MainActor @preconcurrency public var navigationController: UINavigationController? {
        parent as? UINavigationController ?? parent?.navigationController
    }
}
