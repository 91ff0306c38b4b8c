public import Foundation

/// A screen of an app: its view, its life cycle, and what it presents. Nothing moves here: what is animated on a device happens at once.
@MainActor
@preconcurrency
open class UIViewController: UIResponder {
    /// What the controller is called, in the bar above it and in the one below it too.
    open var title: String? {
        didSet {
            navigationItem.title = title
            tabBarItem.title = title
        }
    }

    public let navigationItem = UINavigationItem()
    open var tabBarItem: UITabBarItem! = UITabBarItem()
    open var hidesBottomBarWhenPushed = false
    open var edgesForExtendedLayout = UIRectEdge.all
    open var extendedLayoutIncludesOpaqueBars = false
    open var automaticallyAdjustsScrollViewInsets = true
    open var definesPresentationContext = false
    open var preferredContentSize = CGSize.zero
    open var isEditing = false
    open var overrideUserInterfaceStyle = UIUserInterfaceStyle.unspecified
    open var modalPresentationStyle = UIModalPresentationStyle.automatic
    open var modalTransitionStyle = UIModalTransitionStyle.coverVertical
    open var isModalInPresentation = false
    /// Those that this one contains, such as a navigation controller's stack.
    open internal(set) var children: [UIViewController] = []
    open internal(set) weak var parent: UIViewController?
    open private(set) var isBeingPresented = false
    open private(set) var isBeingDismissed = false
    /// Whether it appears because it was put on a stack.
    open internal(set) var isMovingToParent = false
    /// Whether it disappears because it is taken off a stack.
    open internal(set) var isMovingFromParent = false
    /// Whether the customer sees it.
    package private(set) var isOnScreen = false
    private var loadedView: UIView?
    private var isPlaced = false
    private var presented: UIViewController?
    private weak var presenter: UIViewController?
    private lazy var editButton = UIBarButtonItem(
        primaryAction: UIAction { [weak self] _ in
            guard let self else { return }
            setEditing(!isEditing, animated: true)
        })
    private lazy var sheet = UISheetPresentationController()

    /// There are no archives here: both arguments are ignored.
    public init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) { super.init() }

    public override convenience init() { self.init(nibName: nil, bundle: nil) }

    /// There are no archives here: nil, always.
    public required init?(coder: NSCoder) { nil }

    open override var next: UIResponder? { loadedView?.superview ?? parent }

    // MARK: The view

    /// Loaded when it is first asked for.
    open var view: UIView! {
        get {
            loadViewIfNeeded()
            return loadedView
        }
        set {
            loadedView?.controller = nil
            loadedView = newValue
            newValue?.controller = self
        }
    }

    open var isViewLoaded: Bool { loadedView != nil }
    open var viewIfLoaded: UIView? { loadedView }

    /// Makes the view. An override sets `view` and does not call this one.
    open func loadView() { view = UIView(frame: UIScreen.main.bounds) }

    /// Loads the view where it was not yet, and calls `viewDidLoad()` then.
    open func loadViewIfNeeded() {
        guard loadedView == nil else { return }
        loadView()
        if loadedView == nil { view = UIView(frame: UIScreen.main.bounds) }
        viewDidLoad()
    }

    /// Called once, when the view was made. Does nothing by itself.
    open func viewDidLoad() {}
    /// Called before the controller is shown. Does nothing by itself.
    open func viewWillAppear(_ animated: Bool) {}
    /// Called once the controller is shown. Does nothing by itself.
    open func viewDidAppear(_ animated: Bool) {}
    /// Called before the controller is taken away. Does nothing by itself.
    open func viewWillDisappear(_ animated: Bool) {}
    /// Called once the controller was taken away. Does nothing by itself.
    open func viewDidDisappear(_ animated: Bool) {}

    /// Called on a device before the view is laid out. It is not called here.
    open func viewWillLayoutSubviews() {}
    /// Called on a device after the view was laid out. It is not called here.
    open func viewDidLayoutSubviews() {}
    /// Called on a device that runs out of room. It is not called here.
    open func didReceiveMemoryWarning() {}
    /// Called on a device when the surroundings changed. It is not called here.
    open func traitCollectionDidChange(_ previousTraitCollection: UITraitCollection?) {}
    /// Asks for the other look of the bar with the clock. Nothing is drawn.
    open func setNeedsStatusBarAppearanceUpdate() {}
    /// A button that lets the customer edit, or no more.
    open var editButtonItem: UIBarButtonItem {
        editButton.title = isEditing ? "Done" : "Edit"
        return editButton
    }

    /// Lets the customer edit, or no more.
    open func setEditing(_ editing: Bool, animated: Bool) {
        isEditing = editing
        _ = editButtonItem
    }

    open var preferredStatusBarStyle: UIStatusBarStyle { .default }
    open var prefersStatusBarHidden: Bool { false }
    open var shouldAutorotate: Bool { true }
    open var supportedInterfaceOrientations: UIInterfaceOrientationMask { .allButUpsideDown }

    /// What was overridden here or around here, or else what the device is set to.
    open var traitCollection: UITraitCollection {
        if overrideUserInterfaceStyle != .unspecified { return UITraitCollection(userInterfaceStyle: overrideUserInterfaceStyle) }
        return (parent ?? presenter)?.traitCollection ?? loadedView?.superview?.traitCollection ?? UIScreen.main.traitCollection
    }

    // MARK: Presenting

    /// What this controller presents, or one that contains it.
    open var presentedViewController: UIViewController? { presented ?? parent?.presentedViewController }

    /// Who presents this controller, or one that contains it.
    open var presentingViewController: UIViewController? { presenter ?? parent?.presentingViewController }

    /// Shows another controller over this one. One at a time: a second one is refused, and recorded as a ``ScreenFault``. So is one that
    /// this controller presents while it is not on the screen, such as in `viewDidLoad()` or after it was taken away. A program that
    /// shows no window at all is not held to that: there a controller by itself presents too. The completion is called after the other's
    /// `viewDidAppear(_:)`.
    open func present(_ viewControllerToPresent: UIViewController, animated flag: Bool, completion: (() -> Void)? = nil) {
        let base = outermost
        let screen = SimulatedScreen.current
        guard base.isOnScreen || !screen.showsWindow() else {
            screen.record(.notOnScreen, "\(type(of: self)) is not on the screen")
            return
        }
        guard base.presented == nil, viewControllerToPresent.presenter == nil, viewControllerToPresent !== base else {
            screen.record(.presentedOverAnother, "a controller is on the screen already")
            return
        }
        base.presented = viewControllerToPresent
        viewControllerToPresent.presenter = base
        viewControllerToPresent.isBeingPresented = true
        viewControllerToPresent.appear(flag)
        viewControllerToPresent.isBeingPresented = false
        completion?()
    }

    /// Takes away what this controller presented, and what that presented in turn; without such, this controller itself. The completion is
    /// called after the other's `viewDidDisappear(_:)`.
    open func dismiss(animated flag: Bool, completion: (() -> Void)? = nil) {
        guard let shown = presentedViewController, let base = shown.presenter else {
            guard let presenting = presentingViewController else {
                completion?()
                return
            }
            presenting.dismiss(animated: flag, completion: completion)
            return
        }
        if shown.presented != nil { shown.dismiss(animated: false) }
        base.presented = nil
        shown.presenter = nil
        shown.isBeingDismissed = true
        shown.disappear(flag)
        shown.isBeingDismissed = false
        completion?()
    }

    /// Pushes another controller where there is a stack, and presents it elsewhere.
    open func show(_ vc: UIViewController, sender: Any?) {
        if let parent { parent.show(vc, sender: sender) } else { present(vc, animated: true) }
    }

    /// Called before the way to another screen of a storyboard is gone. Does nothing by itself.
    open func prepare(for segue: UIStoryboardSegue, sender: Any?) {}
    /// Called before the way to another screen of a storyboard is prepared.
    open func shouldPerformSegue(withIdentifier identifier: String, sender: Any?) -> Bool { true }
    /// There are no storyboards here: nothing is shown, and that is a ``ScreenFault``.
    open func performSegue(withIdentifier identifier: String, sender: Any?) {
        SimulatedScreen.current.record(.archiveNotLoaded, "segue \(identifier)")
    }

    /// Telephones have no popovers: nil, always.
    open var popoverPresentationController: UIPopoverPresentationController? { nil }

    /// How the controller stands as a sheet, where it is presented as one.
    open var sheetPresentationController: UISheetPresentationController? {
        [.automatic, .pageSheet, .formSheet].contains(modalPresentationStyle) ? sheet : nil
    }

    // MARK: Containing

    /// Puts a controller into this one. The app adds the view, and calls `didMove(toParent:)`.
    open func addChild(_ childController: UIViewController) {
        childController.removeFromParent()
        children.append(childController)
        childController.parent = self
    }

    /// Takes this controller out of the one that contains it.
    open func removeFromParent() {
        parent?.children.removeAll { $0 === self }
        parent = nil
    }

    /// Called before the controller changes its parent. Does nothing by itself.
    open func willMove(toParent parent: UIViewController?) {}
    /// Called after the controller changed its parent. Does nothing by itself.
    open func didMove(toParent parent: UIViewController?) {}

    /// The one that contains this one and is contained in none.
    private var outermost: UIViewController { parent?.outermost ?? self }

    /// Tells the controller, and those that are seen in it, that the customer sees it now.
    func appear(_ animated: Bool) {
        guard !isOnScreen else { return }
        loadViewIfNeeded()
        place()
        viewWillAppear(animated)
        isOnScreen = true
        for child in seenChildren { child.appear(animated) }
        viewDidAppear(animated)
    }

    func disappear(_ animated: Bool) {
        guard isOnScreen else { return }
        viewWillDisappear(animated)
        isOnScreen = false
        for child in seenChildren { child.disappear(animated) }
        if isPlaced { loadedView?.removeFromSuperview() }
        isPlaced = false
        viewDidDisappear(animated)
    }

    /// Puts the view where it is seen: into that of a stack or of tabs, or over what presents it. What the app put somewhere stays there.
    private func place() {
        guard let loadedView, loadedView.superview == nil else { return }
        if let parent, parent.showsChildrenItself {
            parent.view.addSubview(loadedView)
        } else if let below = presenter?.loadedView?.superview {
            var outermost = below
            while let next = outermost.superview { outermost = next }
            outermost.addSubview(loadedView)
        }
        isPlaced = loadedView.superview != nil
    }

    /// Whether the controller adds its children's views to its own, as a stack does.
    var showsChildrenItself: Bool { false }

    /// Those children that are seen when this one is.
    var seenChildren: [UIViewController] { children }
}
