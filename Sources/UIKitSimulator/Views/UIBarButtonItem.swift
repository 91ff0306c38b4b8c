public import Foundation

/// What stands in a bar, whichever.
@MainActor
@preconcurrency
open class UIBarItem: NSObject {
    open var title: String?
    open var image: UIImage?
    open var isEnabled = true
    open var tag = 0
    open var accessibilityIdentifier: String?
    open var accessibilityLabel: String?

    public override init() { super.init() }
}

/// A button of a bar.
@MainActor
@preconcurrency
open class UIBarButtonItem: UIBarItem {
    /// How it is drawn.
    public enum Style: Int, Sendable {
        case plain = 0
        case done = 2
    }

    /// The buttons that the system has a text or a picture for.
    public enum SystemItem: Int, Sendable {
        case done = 0
        case cancel, edit, save, add, flexibleSpace, fixedSpace, compose, reply, action, organize, bookmarks, search, refresh, stop, camera
        case trash, play, pause, rewind, fastForward, undo, redo
        case close = 24
    }

    open var style = Style.plain
    open weak var target: AnyObject?
    open var action: Selector?
    open var customView: UIView?
    open var width: CGFloat = 0
    open var tintColor: UIColor?
    open var primaryAction: UIAction?
    open var menu: UIMenu?
    private var systemItem: SystemItem?

    public override init() { super.init() }

    /// There are no archives here: nil, always.
    public required init?(coder: NSCoder) { nil }

    public convenience init(title: String?, style: Style, target: Any?, action: Selector?) {
        self.init()
        (self.title, self.style, self.target, self.action) = (title, style, target as AnyObject?, action)
    }

    public convenience init(image: UIImage?, style: Style, target: Any?, action: Selector?) {
        self.init(title: nil, style: style, target: target, action: action)
        self.image = image
    }

    public convenience init(barButtonSystemItem systemItem: SystemItem, target: Any?, action: Selector?) {
        self.init(title: nil, style: systemItem == .done ? .done : .plain, target: target, action: action)
        self.systemItem = systemItem
    }

    public convenience init(customView: UIView) {
        self.init()
        self.customView = customView
    }

    public convenience init(title: String? = nil, image: UIImage? = nil, primaryAction: UIAction? = nil, menu: UIMenu? = nil) {
        self.init(title: title ?? primaryAction?.title, style: .plain, target: nil, action: nil)
        self.image = image ?? primaryAction?.image
        (self.primaryAction, self.menu) = (primaryAction, menu)
    }

    public convenience init(systemItem: SystemItem, primaryAction: UIAction? = nil, menu: UIMenu? = nil) {
        self.init(barButtonSystemItem: systemItem, target: nil, action: nil)
        (self.primaryAction, self.menu) = (primaryAction, menu)
    }

    /// Room that grows.
    open class func flexibleSpace() -> UIBarButtonItem { UIBarButtonItem(barButtonSystemItem: .flexibleSpace, target: nil, action: nil) }

    /// What the customer knows the button by: its title, its label, or the English name of the system's.
    public var name: String? {
        if let title { return title }
        if let accessibilityLabel { return accessibilityLabel }
        guard let systemItem, ![.flexibleSpace, .fixedSpace].contains(systemItem) else { return nil }
        let word = "\(systemItem)"
        return word.prefix(1).uppercased() + word.dropFirst()
    }

    /// The customer's finger. A button that is disabled does not hear it.
    ///
    /// - Returns: Whether something heard it.
    @discardableResult
    public func sendTap() -> Bool {
        guard isEnabled else { return false }
        if let primaryAction {
            primaryAction.perform(sender: self)
            return true
        }
        guard let target, let action else { return false }
        return Selector.send(action, to: target, from: self)
    }
}

/// A bar with buttons, such as that above a keyboard.
@MainActor
@preconcurrency
open class UIToolbar: UIView {
    open var items: [UIBarButtonItem]?
    open var barTintColor: UIColor?
    open var isTranslucent = true

    public override init(frame: CGRect) { super.init(frame: frame) }

    /// There are no archives here: nil, always.
    public required init?(coder: NSCoder) { nil }

    /// Replaces the buttons.
    open func setItems(_ items: [UIBarButtonItem]?, animated: Bool) { self.items = items }
}
