public import Foundation

/// What a controller shows in the bar of its navigation controller.
@MainActor
@preconcurrency
open class UINavigationItem: NSObject {
    /// Whether the title is large.
    public enum LargeTitleDisplayMode: Int, Sendable {
        case automatic = 0
        case always, never
    }

    open var title: String?
    open var prompt: String?
    open var titleView: UIView?
    open var hidesBackButton = false
    open var backBarButtonItem: UIBarButtonItem?
    open var backButtonTitle: String?
    open var leftBarButtonItems: [UIBarButtonItem]?
    open var rightBarButtonItems: [UIBarButtonItem]?
    open var leftItemsSupplementBackButton = false
    open var largeTitleDisplayMode = LargeTitleDisplayMode.automatic

    public override init() { super.init() }

    public convenience init(title: String) {
        self.init()
        self.title = title
    }

    /// The first on the left.
    open var leftBarButtonItem: UIBarButtonItem? {
        get { leftBarButtonItems?.first }
        set { leftBarButtonItems = newValue.map { [$0] } }
    }

    /// The first on the right.
    open var rightBarButtonItem: UIBarButtonItem? {
        get { rightBarButtonItems?.first }
        set { rightBarButtonItems = newValue.map { [$0] } }
    }

    /// Replaces the button on the left.
    open func setLeftBarButton(_ item: UIBarButtonItem?, animated: Bool) { leftBarButtonItem = item }

    /// Replaces the button on the right.
    open func setRightBarButton(_ item: UIBarButtonItem?, animated: Bool) { rightBarButtonItem = item }

    /// Replaces the buttons on the right.
    open func setRightBarButtonItems(_ items: [UIBarButtonItem]?, animated: Bool) { rightBarButtonItems = items }

    /// Hides the button that leads back, or shows it.
    open func setHidesBackButton(_ hidesBackButton: Bool, animated: Bool) { self.hidesBackButton = hidesBackButton }
}

/// The bar above a stack of controllers. It is set and read; the buttons in it are its items'.
@MainActor
@preconcurrency
open class UINavigationBar: UIView {
    open var barTintColor: UIColor?
    open var isTranslucent = true
    open var prefersLargeTitles = false
    open var shadowImage: UIImage?
    open var titleTextAttributes: [NSAttributedString.Key: Any]?
    open var largeTitleTextAttributes: [NSAttributedString.Key: Any]?
    open var standardAppearance = UINavigationBarAppearance()
    open var scrollEdgeAppearance: UINavigationBarAppearance?
    open var compactAppearance: UINavigationBarAppearance?
    open internal(set) var items: [UINavigationItem]?
    private static let proxy = UINavigationBar(frame: .zero)

    public override init(frame: CGRect) { super.init(frame: frame) }

    /// There are no archives here: nil, always.
    public required init?(coder: NSCoder) { nil }

    open var topItem: UINavigationItem? { items?.last }

    /// Stands for every bar. What is set of it is kept, and no bar takes it.
    open class func appearance() -> UINavigationBar { proxy }

    /// The picture behind the bar. Nothing is drawn.
    open func setBackgroundImage(_ backgroundImage: UIImage?, for barMetrics: UIBarMetrics) {}
}

/// Which bar is meant.
public enum UIBarMetrics: Int, Sendable {
    case `default` = 0
    case compact
}

/// What a bar looks like.
@MainActor
@preconcurrency
open class UIBarAppearance: NSObject {
    open var backgroundColor: UIColor?
    open var shadowColor: UIColor?

    public override init() { super.init() }

    /// As the system's bar.
    open func configureWithDefaultBackground() {}
    /// A bar that hides what is behind.
    open func configureWithOpaqueBackground() {}
    /// A bar that shows what is behind.
    open func configureWithTransparentBackground() {}
}

/// What a navigation bar looks like.
@MainActor
@preconcurrency
open class UINavigationBarAppearance: UIBarAppearance {
    open var titleTextAttributes: [NSAttributedString.Key: Any] = [:]
    open var largeTitleTextAttributes: [NSAttributedString.Key: Any] = [:]
}

/// What a tab bar looks like.
@MainActor
@preconcurrency
open class UITabBarAppearance: UIBarAppearance {}

/// What a controller shows in the bar of its tab bar controller.
@MainActor
@preconcurrency
open class UITabBarItem: UIBarItem {
    open var selectedImage: UIImage?
    open var badgeValue: String?

    public override init() { super.init() }

    public convenience init(title: String?, image: UIImage?, tag: Int) {
        self.init(title: title, image: image, selectedImage: nil)
        self.tag = tag
    }

    public convenience init(title: String?, image: UIImage?, selectedImage: UIImage?) {
        self.init()
        (self.title, self.image, self.selectedImage) = (title, image, selectedImage)
    }
}

/// The bar below a tab bar controller. It is set and read; taps go to the controller.
@MainActor
@preconcurrency
open class UITabBar: UIView {
    open var barTintColor: UIColor?
    open var isTranslucent = true
    open var unselectedItemTintColor: UIColor?
    open var standardAppearance = UITabBarAppearance()
    open var scrollEdgeAppearance: UITabBarAppearance?
    open internal(set) var items: [UITabBarItem]?
    private static let proxy = UITabBar(frame: .zero)

    public override init(frame: CGRect) { super.init(frame: frame) }

    /// There are no archives here: nil, always.
    public required init?(coder: NSCoder) { nil }

    /// Stands for every bar. What is set of it is kept, and no bar takes it.
    open class func appearance() -> UITabBar { proxy }
}
