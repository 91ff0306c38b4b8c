public import Foundation

/// The direction of a row.
public enum NSLayoutAxis: Int, Sendable {
    case horizontal = 0
    case vertical
}

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

    open var axis = NSLayoutAxis.horizontal
    open var distribution = Distribution.fill
    open var alignment = Alignment.fill
    open var spacing: CGFloat = 0
    open private(set) var arrangedSubviews: [UIView] = []

    public override init(frame: CGRect) { super.init(frame: frame) }

    public convenience init(arrangedSubviews views: [UIView]) {
        self.init(frame: .zero)
        for view in views { addArrangedSubview(view) }
    }

    /// There are no archives here: nil, always.
    public required init?(coder: NSCoder) { nil }

    /// Adds a view at the end of the row.
    open func addArrangedSubview(_ view: UIView) {
        arrangedSubviews.removeAll { $0 === view }
        arrangedSubviews.append(view)
        addSubview(view)
    }

    /// Takes a view out of the row. It stays a subview.
    open func removeArrangedSubview(_ view: UIView) { arrangedSubviews.removeAll { $0 === view } }
}
