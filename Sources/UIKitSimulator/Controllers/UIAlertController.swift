public import Foundation

/// A question to the customer with a button for each answer.
@MainActor
@preconcurrency
open class UIAlertController: UIViewController {
    /// Where it stands on the screen.
    public enum Style: Int, Sendable {
        case actionSheet = 0
        case alert
    }

    open var message: String?
    public private(set) var preferredStyle = Style.actionSheet
    open private(set) var actions: [UIAlertAction] = []
    open var preferredAction: UIAlertAction?
    /// Those that were added, from above; nil where there are none.
    open private(set) var textFields: [UITextField]?

    public override init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) {
        super.init(nibName: nibNameOrNil, bundle: nibBundleOrNil)
    }

    public convenience init(title: String?, message: String?, preferredStyle: Style) {
        self.init(nibName: nil, bundle: nil)
        self.title = title
        self.message = message
        self.preferredStyle = preferredStyle
    }

    /// There are no archives here: nil, always.
    public required init?(coder: NSCoder) { nil }

    /// Adds an answer below the others.
    open func addAction(_ action: UIAlertAction) { actions.append(action) }

    /// Adds a line that the customer types, below the message. It lies in the alert's view, and can be typed into while that is shown.
    open func addTextField(configurationHandler: ((UITextField) -> Void)? = nil) {
        let field = UITextField(frame: .zero)
        textFields = (textFields ?? []) + [field]
        view.addSubview(field)
        configurationHandler?(field)
    }

    /// The customer's finger on the answer of a title. The alert is gone before the app hears of it.
    ///
    /// - Returns: False where no such answer is offered, or the alert is not on the screen.
    @discardableResult
    public func sendTap(on title: String) -> Bool {
        guard isOnScreen, let action = actions.first(where: { $0.title == title }), action.isEnabled else { return false }
        presentingViewController?.dismiss(animated: true)
        action.perform()
        return true
    }
}

/// An answer of an alert.
@MainActor
@preconcurrency
open class UIAlertAction: NSObject {
    /// How it is drawn.
    public enum Style: Int, Sendable {
        case `default` = 0
        case cancel, destructive
    }

    public private(set) var title: String?
    public private(set) var style = Style.default
    open var isEnabled = true
    private var handler: ((UIAlertAction) -> Void)?

    public convenience init(title: String?, style: Style, handler: ((UIAlertAction) -> Void)? = nil) {
        self.init()
        self.title = title
        self.style = style
        self.handler = handler
    }

    fileprivate func perform() { handler?(self) }
}
