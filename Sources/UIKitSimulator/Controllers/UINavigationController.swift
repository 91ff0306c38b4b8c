public import Foundation

/// A stack of controllers, of which the last is seen.
@MainActor
@preconcurrency
open class UINavigationController: UIViewController {
    public let navigationBar = UINavigationBar(frame: .zero)
    open weak var delegate: (any UINavigationControllerDelegate)?
    open var isNavigationBarHidden = false
    open var isToolbarHidden = true
    /// The gesture that leads back, which nobody makes here.
    open private(set) var interactivePopGestureRecognizer: UIGestureRecognizer? = UIGestureRecognizer(target: nil, action: nil)

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
        setViewControllers([rootViewController], animated: false)
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

    /// Takes off the stack what lies above a controller of it.
    @discardableResult
    open func popToViewController(_ viewController: UIViewController, animated: Bool) -> [UIViewController]? {
        guard let place = children.firstIndex(where: { $0 === viewController }) else { return nil }
        let gone = Array(children.dropFirst(place + 1))
        setViewControllers(Array(children.prefix(place + 1)), animated: animated)
        return gone
    }

    /// Hides the bar, or shows it.
    open func setNavigationBarHidden(_ hidden: Bool, animated: Bool) { isNavigationBarHidden = hidden }

    open override func show(_ vc: UIViewController, sender: Any?) { pushViewController(vc, animated: true) }

    /// Replaces the stack. What was seen disappears before what is seen now appears.
    open func setViewControllers(_ viewControllers: [UIViewController], animated: Bool) {
        let (before, top) = (children.last, viewControllers.last)
        if before !== top {
            before?.isMovingFromParent = !viewControllers.contains { $0 === before }
            before?.disappear(animated)
            before?.isMovingFromParent = false
        }
        let isNew = !children.contains { $0 === top }
        for old in children where !viewControllers.contains(where: { $0 === old }) { old.parent = nil }
        children = viewControllers
        for each in viewControllers { each.parent = self }
        navigationBar.items = viewControllers.map(\.navigationItem)
        guard isOnScreen, before !== top, let top else { return }
        delegate?.navigationController(self, willShow: top, animated: animated)
        top.isMovingToParent = isNew
        top.appear(animated)
        top.isMovingToParent = false
        delegate?.navigationController(self, didShow: top, animated: animated)
    }

    override var showsChildrenItself: Bool { true }

    override var seenChildren: [UIViewController] { children.suffix(1) }
}

/// Hears of a stack. Every method may be left out.
@MainActor
@preconcurrency
public protocol UINavigationControllerDelegate: NSObjectProtocol {
    /// Called before a controller of the stack is seen.
    func navigationController(_ navigationController: UINavigationController, willShow viewController: UIViewController, animated: Bool)
    /// Called when a controller of the stack is seen.
    func navigationController(_ navigationController: UINavigationController, didShow viewController: UIViewController, animated: Bool)
}

extension UINavigationControllerDelegate {
    public func navigationController(_ stack: UINavigationController, willShow viewController: UIViewController, animated: Bool) {}
    public func navigationController(_ stack: UINavigationController, didShow viewController: UIViewController, animated: Bool) {}
}

extension UIViewController {
    /// The nearest navigation controller that contains this one.
    public var navigationController: UINavigationController? {
        parent as? UINavigationController ?? parent?.navigationController
    }
}
