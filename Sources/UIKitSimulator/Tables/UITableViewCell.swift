public import Foundation

/// A row of a table.
///
/// A table makes the cells of a registered class by `init(dequeuedAs:)`, which a subclass has where it overrides
/// `init(style:reuseIdentifier:)`, as all of them do that can be registered.
@MainActor
@preconcurrency
open class UITableViewCell: UIView {
    /// Which labels a cell has.
    public enum CellStyle: Int, Sendable {
        case `default` = 0
        case value1, value2, subtitle
    }

    /// How a chosen cell is drawn.
    public enum SelectionStyle: Int, Sendable {
        case none = 0
        case blue, gray, `default`
    }

    /// What stands at its end.
    public enum AccessoryType: Int, Sendable {
        case none = 0
        case disclosureIndicator, detailDisclosureButton, checkmark, detailButton
    }

    /// What an editing customer does to a row.
    public enum EditingStyle: Int, Sendable {
        case none = 0
        case delete, insert
    }

    public let reuseIdentifier: String?
    public let contentView = UIView(frame: .zero)
    open private(set) var textLabel: UILabel?
    open private(set) var detailTextLabel: UILabel?
    open private(set) var imageView: UIImageView?
    open var accessoryType = AccessoryType.none
    open var selectionStyle = SelectionStyle.default
    open var separatorInset = UIEdgeInsets.zero
    open var selectedBackgroundView: UIView?
    open var backgroundView: UIView?
    open var isHighlighted = false
    open var isEditing = false
    private var isChosen = false

    /// A control at its end, such as a switch.
    open var accessoryView: UIView? {
        didSet {
            guard oldValue !== accessoryView else { return }
            oldValue?.removeFromSuperview()
            if let accessoryView { addSubview(accessoryView) }
        }
    }

    /// What the cell says since iOS 14, in labels of its own.
    open var contentConfiguration: (any UIContentConfiguration)? {
        didSet { show(contentConfiguration as? UIListContentConfiguration) }
    }

    public init(style: CellStyle, reuseIdentifier: String?) {
        self.reuseIdentifier = reuseIdentifier
        super.init(frame: .zero)
        addSubview(contentView)
        let (label, picture) = (UILabel(frame: .zero), UIImageView(frame: .zero))
        (textLabel, imageView) = (label, picture)
        contentView.addSubview(picture)
        contentView.addSubview(label)
        guard style != .default else { return }
        let detail = UILabel(frame: .zero)
        detailTextLabel = detail
        contentView.addSubview(detail)
    }

    public convenience init() { self.init(style: .default, reuseIdentifier: nil) }

    /// Made by a table, of a class that was registered.
    public required convenience init(dequeuedAs reuseIdentifier: String) { self.init(style: .default, reuseIdentifier: reuseIdentifier) }

    /// There are no archives here: nil, always.
    public required init?(coder: NSCoder) { nil }

    open var isSelected: Bool {
        get { isChosen }
        set { setSelected(newValue, animated: false) }
    }

    /// Called when the row is chosen, and when it no longer is.
    open func setSelected(_ selected: Bool, animated: Bool) { isChosen = selected }

    /// Called on a device while a finger is on the row. It is not called here.
    open func setHighlighted(_ highlighted: Bool, animated: Bool) { isHighlighted = highlighted }

    /// Called before the table hands the cell out again.
    open func prepareForReuse() {}

    /// A configuration that is empty yet.
    open func defaultContentConfiguration() -> UIListContentConfiguration { .cell() }

    private func show(_ configuration: UIListContentConfiguration?) {
        textLabel?.attributedText = configuration?.attributedText ?? configuration?.text.map { NSAttributedString(string: $0) }
        imageView?.image = configuration?.image
        if detailTextLabel == nil, configuration?.secondaryText != nil {
            let detail = UILabel(frame: .zero)
            detailTextLabel = detail
            contentView.addSubview(detail)
        }
        detailTextLabel?.text = configuration?.secondaryText
    }
}

/// What a cell says, in whichever form.
public protocol UIContentConfiguration {}

/// What a cell of a list says: a text, another and a picture.
public struct UIListContentConfiguration: UIContentConfiguration {
    /// How a text looks. It is set and read.
    public struct TextProperties {
        public var font = UIFont.systemFont(ofSize: 17)
        public var color = UIColor.label
        public var numberOfLines = 0
    }

    /// How a picture looks. It is set and read.
    public struct ImageProperties {
        public var tintColor: UIColor?
        public var maximumSize = CGSize.zero
        public var cornerRadius: CGFloat = 0
    }

    public var text: String?
    public var attributedText: NSAttributedString?
    public var secondaryText: String?
    public var image: UIImage?
    public var textProperties = TextProperties()
    public var secondaryTextProperties = TextProperties()
    public var imageProperties = ImageProperties()
    public var prefersSideBySideTextAndSecondaryText = false

    /// Of a cell with one text.
    public static func cell() -> UIListContentConfiguration { UIListContentConfiguration() }
    /// Of a cell with another text below.
    public static func subtitleCell() -> UIListContentConfiguration { UIListContentConfiguration() }
    /// Of a cell with another text at its end.
    public static func valueCell() -> UIListContentConfiguration { UIListContentConfiguration() }
}

/// What stands above or below a section.
@MainActor
@preconcurrency
open class UITableViewHeaderFooterView: UIView {
    public let reuseIdentifier: String?
    public let contentView = UIView(frame: .zero)
    open private(set) var textLabel: UILabel?

    public init(reuseIdentifier: String?) {
        self.reuseIdentifier = reuseIdentifier
        super.init(frame: .zero)
        let label = UILabel(frame: .zero)
        textLabel = label
        addSubview(contentView)
        contentView.addSubview(label)
    }

    /// Made by a table, of a class that was registered.
    public required convenience init(dequeuedAs reuseIdentifier: String) { self.init(reuseIdentifier: reuseIdentifier) }

    /// There are no archives here: nil, always.
    public required init?(coder: NSCoder) { nil }

    /// Called before the table hands the view out again.
    open func prepareForReuse() {}
}
