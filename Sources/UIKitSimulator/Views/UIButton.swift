public import Foundation

/// A button with a title.
@MainActor
@preconcurrency
open class UIButton: UIControl {
    /// How the system draws it.
    public enum ButtonType: Int, Sendable {
        case custom = 0
        case system
        case detailDisclosure, infoLight, infoDark, contactAdd
        case close = 7
    }

    open private(set) var buttonType = ButtonType.custom
    open private(set) lazy var titleLabel: UILabel? = UILabel(frame: .zero)
    open private(set) lazy var imageView: UIImageView? = UIImageView(frame: .zero)
    open var titleEdgeInsets = UIEdgeInsets.zero
    open var imageEdgeInsets = UIEdgeInsets.zero
    open var contentEdgeInsets = UIEdgeInsets.zero
    open var adjustsImageWhenHighlighted = true
    /// Shown by a tap where `showsMenuAsPrimaryAction` is set. Nothing is drawn: a test calls an action of it by `sendChoice(_:)`.
    open var menu: UIMenu?
    open var showsMenuAsPrimaryAction = false
    private var titles: [State: NSAttributedString] = [:]
    private var colors: [State: UIColor] = [:]
    private var images: [State: UIImage] = [:]
    private var backgrounds: [State: UIImage] = [:]

    /// What the button looks like since iOS 15. Its title is the button's.
    open var configuration: Configuration? {
        didSet { titleLabel?.text = currentTitle }
    }

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
        take(primaryAction)
    }

    /// Makes a button by what it looks like, with an action, whose title becomes the button's.
    public convenience init(configuration: Configuration, primaryAction: UIAction? = nil) {
        self.init(type: .system)
        self.configuration = configuration
        take(primaryAction)
    }

    private func take(_ primaryAction: UIAction?) {
        guard let primaryAction else { return }
        if !primaryAction.title.isEmpty { setTitle(primaryAction.title, for: .normal) }
        if let image = primaryAction.image { setImage(image, for: .normal) }
        addAction(primaryAction, for: .primaryActionTriggered)
    }

    /// What the button says in a state; where nothing is set for it, what it says in the normal one.
    open func setTitle(_ title: String?, for state: State) { setAttributedTitle(title.map { NSAttributedString(string: $0) }, for: state) }

    /// What was set for a state, or for the normal one.
    open func title(for state: State) -> String? { attributedTitle(for: state)?.string }

    /// What the button says in a state, with what it looks like.
    open func setAttributedTitle(_ title: NSAttributedString?, for state: State) {
        titles[state] = title
        if state == .normal, configuration != nil { configuration?.title = title?.string }
        titleLabel?.text = currentTitle
    }

    /// What was set for a state, or for the normal one.
    open func attributedTitle(for state: State) -> NSAttributedString? { titles[state] ?? titles[.normal] }

    /// The title's colour in a state.
    open func setTitleColor(_ color: UIColor?, for state: State) { colors[state] = color }

    /// The colour that was set for a state, or for the normal one.
    open func titleColor(for state: State) -> UIColor? { colors[state] ?? colors[.normal] }

    /// The button's picture in a state.
    open func setImage(_ image: UIImage?, for state: State) {
        images[state] = image
        imageView?.image = currentImage
    }

    /// The picture that was set for a state, or for the normal one.
    open func image(for state: State) -> UIImage? { images[state] ?? images[.normal] }

    /// The picture behind the title in a state.
    open func setBackgroundImage(_ image: UIImage?, for state: State) { backgrounds[state] = image }

    /// The picture behind the title that was set for a state, or for the normal one.
    open func backgroundImage(for state: State) -> UIImage? { backgrounds[state] ?? backgrounds[.normal] }

    open var currentTitle: String? { configuration?.title ?? title(for: state) }
    open var currentAttributedTitle: NSAttributedString? { attributedTitle(for: state) }
    open var currentTitleColor: UIColor { titleColor(for: state) ?? .white }
    open var currentImage: UIImage? { configuration?.image ?? image(for: state) }

    /// The customer's finger on a line of the button's menu.
    ///
    /// - Parameter title: The whole text.
    /// - Returns: False where the button has no such line, or can't be touched.
    @discardableResult
    public func sendChoice(_ title: String) -> Bool {
        let lines = menu?.children.compactMap { $0 as? UIAction } ?? []
        guard isEnabled, canBeTouched, let chosen = lines.first(where: { $0.title == title }),
            chosen.attributes.isDisjoint(with: [.disabled, .hidden])
        else { return false }
        chosen.perform(sender: self)
        return true
    }
}
