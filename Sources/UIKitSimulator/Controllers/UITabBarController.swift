public import Foundation

/// Controllers beside each other, of which one is seen.
@MainActor
@preconcurrency
open class UITabBarController: UIViewController {
    public let tabBar = UITabBar(frame: .zero)
    open weak var delegate: (any UITabBarControllerDelegate)?
    private var chosen = 0

    public override init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) {
        super.init(nibName: nibNameOrNil, bundle: nibBundleOrNil)
    }

    /// There are no archives here: nil, always.
    public required init?(coder: NSCoder) { nil }

    /// From the left. The first is seen.
    open var viewControllers: [UIViewController]? {
        get { children.isEmpty ? nil : children }
        set { setViewControllers(newValue, animated: false) }
    }

    /// Replaces the controllers. The one that is seen stays where it is still among them.
    open func setViewControllers(_ viewControllers: [UIViewController]?, animated: Bool) {
        let before = selectedViewController
        let next = viewControllers ?? []
        let place = next.firstIndex { $0 === before }
        if place == nil { before?.disappear(animated) }
        for old in children { old.parent = nil }
        children = next
        for each in children { each.parent = self }
        tabBar.items = children.compactMap(\.tabBarItem)
        chosen = place ?? 0
        if isOnScreen, place == nil { selectedViewController?.appear(animated) }
    }

    /// Which is seen. Telling nobody; a number that there is none of is not taken.
    open var selectedIndex: Int {
        get { chosen }
        set {
            guard children.indices.contains(newValue) else { return }
            let before = selectedViewController
            chosen = newValue
            show(selectedViewController, after: before, false)
        }
    }

    /// The one that is seen.
    open var selectedViewController: UIViewController? {
        get { children.indices.contains(chosen) ? children[chosen] : nil }
        set { selectedIndex = children.firstIndex { $0 === newValue } ?? chosen }
    }

    /// The customer's finger on a tab.
    ///
    /// - Parameter title: The whole text of the tab.
    /// - Returns: False where there is no such tab, or the delegate does not want it.
    @discardableResult
    public func sendTap(on title: String) -> Bool {
        guard isOnScreen, let wanted = children.first(where: { $0.tabBarItem?.title == title }),
            delegate?.tabBarController(self, shouldSelect: wanted) ?? true
        else { return false }
        selectedViewController = wanted
        delegate?.tabBarController(self, didSelect: wanted)
        return true
    }

    private func show(_ next: UIViewController?, after before: UIViewController?, _ animated: Bool) {
        guard isOnScreen, next !== before else { return }
        before?.disappear(animated)
        next?.appear(animated)
    }

    override var showsChildrenItself: Bool { true }

    override var seenChildren: [UIViewController] { selectedViewController.map { [$0] } ?? [] }
}

/// Hears of tabs. Every method may be left out.
@MainActor
@preconcurrency
public protocol UITabBarControllerDelegate: NSObjectProtocol {
    /// Called before the customer changes the tab.
    func tabBarController(_ tabBarController: UITabBarController, shouldSelect viewController: UIViewController) -> Bool
    /// Called when the customer changed the tab.
    func tabBarController(_ tabBarController: UITabBarController, didSelect viewController: UIViewController)
}

extension UITabBarControllerDelegate {
    public func tabBarController(_ tabBarController: UITabBarController, shouldSelect viewController: UIViewController) -> Bool { true }
    public func tabBarController(_ tabBarController: UITabBarController, didSelect viewController: UIViewController) {}
}

extension UIViewController {
    /// The nearest tab bar controller that contains this one.
    public var tabBarController: UITabBarController? { parent as? UITabBarController ?? parent?.tabBarController }
}
