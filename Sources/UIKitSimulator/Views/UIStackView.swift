public import Foundation

/// Views in a row. Nothing is laid out here: what it holds lies in it, and can be seen and tapped.
@MainActor
@preconcurrency
open class UIStackView: UIView {
    /// How views share the room along the row.
    public enum Distribution: Int, Sendable {
        case fill = 0
        case fillEqually, fillProportionally, equalSpacing, equalCentering
    }

    /// How views stand across the row.
    public enum Alignment: Int, Sendable {
        case fill = 0
        case leading, firstBaseline, center, trailing, lastBaseline
    }

    /// The room that the system would leave.
    public nonisolated static let spacingUseSystem = CGFloat.greatestFiniteMagnitude

    open var axis = NSLayoutConstraint.Axis.horizontal
    open var distribution = Distribution.fill
    open var alignment = Alignment.fill
    open var spacing: CGFloat = 0
    open var isLayoutMarginsRelativeArrangement = false
    /// Those that lie in this view still: one that leaves it leaves the row.
    open var arrangedSubviews: [UIView] { row.filter { $0.superview === self } }
    private var row: [UIView] = []

    public override init(frame: CGRect) { super.init(frame: frame) }

    public convenience init(arrangedSubviews views: [UIView]) {
        self.init(frame: .zero)
        for view in views { addArrangedSubview(view) }
    }

    /// There are no archives here: nil, always.
    public required init?(coder: NSCoder) { nil }

    /// Adds a view at the end of the row.
    open func addArrangedSubview(_ view: UIView) {
        row.removeAll { $0 === view }
        row.append(view)
        addSubview(view)
    }

    /// Adds a view at a place of the row.
    open func insertArrangedSubview(_ view: UIView, at stackIndex: Int) {
        addArrangedSubview(view)
        row = arrangedSubviews.dropLast()
        row.insert(view, at: min(max(stackIndex, 0), row.count))
    }

    /// Wants more or less room after one view of the row. Nothing is laid out here.
    open func setCustomSpacing(_ spacing: CGFloat, after arrangedSubview: UIView) {}

    /// Takes a view out of the row. It stays a subview.
    open func removeArrangedSubview(_ view: UIView) { row.removeAll { $0 === view } }
}
