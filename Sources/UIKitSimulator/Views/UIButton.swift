public import Foundation

/// A button with a title.
@MainActor
@preconcurrency
open class UIButton: UIControl {
    /// How the system draws it.
    public enum ButtonType: Int, Sendable {
        case custom = 0
        case system
    }

    open private(set) var buttonType = ButtonType.custom
    open private(set) lazy var titleLabel: UILabel? = UILabel(frame: .zero)
    private var titles: [State: String] = [:]
    private var colors: [State: UIColor] = [:]

    public override init(frame: CGRect) { super.init(frame: frame) }

    /// There are no archives here: nil, always.
    public required init?(coder: NSCoder) { nil }

    public convenience init(type buttonType: ButtonType) {
        self.init(frame: .zero)
        self.buttonType = buttonType
    }

    /// Makes a button with an action, whose title becomes the button's.
    public convenience init(type buttonType: ButtonType = .system, primaryAction: UIAction?) {
        self.init(type: buttonType)
        guard let primaryAction else { return }
        if !primaryAction.title.isEmpty { setTitle(primaryAction.title, for: .normal) }
        addAction(primaryAction, for: .primaryActionTriggered)
    }

    /// What the button says in a state; where nothing is set for it, what it says in the normal one.
    open func setTitle(_ title: String?, for state: State) {
        titles[state] = title
        titleLabel?.text = currentTitle
    }

    /// What was set for a state, or for the normal one.
    open func title(for state: State) -> String? { titles[state] ?? titles[.normal] }

    /// The title's colour in a state.
    open func setTitleColor(_ color: UIColor?, for state: State) { colors[state] = color }

    /// The colour that was set for a state, or for the normal one.
    open func titleColor(for state: State) -> UIColor? { colors[state] ?? colors[.normal] }

    open var currentTitle: String? { title(for: state) }
}
