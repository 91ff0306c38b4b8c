public import Foundation

/// A window: it shows its root controller once it is key and visible. Whoever made it keeps it alive, as on a device.
@MainActor
@preconcurrency
open class UIWindow: UIView {
    /// How near to the customer a window is.
    public struct Level: RawRepresentable, Hashable, Sendable {
        public let rawValue: CGFloat
        public init(rawValue: CGFloat) { self.rawValue = rawValue }
        public init(_ rawValue: CGFloat) { self.rawValue = rawValue }

        public static let normal = Level(0)
        public static let statusBar = Level(1_000)
        public static let alert = Level(2_000)

        /// Nearer than another.
        public static func + (level: Level, more: CGFloat) -> Level { Level(level.rawValue + more) }
    }

    open var windowLevel = Level.normal
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
        self.init(frame: UIScreen.main.bounds)
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
    public var window: UIWindow? { self as? UIWindow ?? superview?.window }
}
