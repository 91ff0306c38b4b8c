public import Foundation

/// A window: it shows its root controller once it is key and visible. Whoever made it keeps it alive, as on a device.
@MainActor
@preconcurrency
open class UIWindow: UIView {
    open weak var windowScene: UIWindowScene?
    open private(set) var isKeyWindow = false

    /// What is shown. A new one appears at once where the window is on the screen.
    open var rootViewController: UIViewController? {
        didSet {
            guard oldValue !== rootViewController else { return }
            oldValue?.disappear(false)
            oldValue?.viewIfLoaded?.removeFromSuperview()
            if isShown { showRoot() }
        }
    }

    private var isShown = false

    public override init(frame: CGRect) {
        super.init(frame: frame)
        isHidden = true
    }

    public convenience init(windowScene: UIWindowScene) {
        self.init(frame: .zero)
        self.windowScene = windowScene
    }

    /// There are no archives here: nil, always.
    public required init?(coder: NSCoder) { nil }

    /// Shows the window above the others and makes it the one that is typed into.
    open func makeKeyAndVisible() {
        isHidden = false
        makeKey()
        guard !isShown else { return }
        isShown = true
        showRoot()
    }

    /// Makes the window the one that is typed into.
    open func makeKey() { UIApplication.shared.makeKey(self) }

    func becomeKey(_ isKey: Bool) { isKeyWindow = isKey }

    private func showRoot() {
        guard let rootViewController else { return }
        if let view = rootViewController.view { addSubview(view) }
        rootViewController.appear(false)
    }
}

extension UIView {
    /// The window that this view lies in.
    @MainActor public var window: UIWindow? { self as? UIWindow ?? superview?.window }
}
