public import Foundation

/// A rectangle of the screen. It draws nothing and lays out nothing: it has its place in the tree and the properties that apps set.
@MainActor
@preconcurrency
open class UIView: UIResponder {
    open var frame: CGRect
    open var isHidden = false
    open var alpha: CGFloat = 1
    open var tag = 0
    open var backgroundColor: UIColor?
    open var tintColor: UIColor! = .systemBlue
    open var isUserInteractionEnabled = true
    open var overrideUserInterfaceStyle = UIUserInterfaceStyle.unspecified
    open var translatesAutoresizingMaskIntoConstraints = true
    open var accessibilityIdentifier: String?
    open var accessibilityLabel: String?
    open private(set) var subviews: [UIView] = []
    open private(set) weak var superview: UIView?
    /// What constraints of this view refer to.
    public let safeAreaLayoutGuide = UILayoutGuide()
    private let edges = UILayoutGuide()
    /// The controller that this view is the root of.
    weak var controller: UIResponder?

    public init(frame: CGRect) {
        self.frame = frame
        super.init()
    }

    public override convenience init() { self.init(frame: .zero) }

    /// There are no archives here: nil, always.
    public required init?(coder: NSCoder) { nil }

    open var bounds: CGRect { CGRect(origin: .zero, size: frame.size) }

    open override var next: UIResponder? { controller ?? superview }

    /// What was overridden here or around here, or else what the device is set to.
    open var traitCollection: UITraitCollection {
        if overrideUserInterfaceStyle != .unspecified { return UITraitCollection(userInterfaceStyle: overrideUserInterfaceStyle) }
        return superview?.traitCollection ?? UIScreen.main.traitCollection
    }

    open var topAnchor: NSLayoutYAxisAnchor { edges.topAnchor }
    open var bottomAnchor: NSLayoutYAxisAnchor { edges.bottomAnchor }
    open var leadingAnchor: NSLayoutXAxisAnchor { edges.leadingAnchor }
    open var trailingAnchor: NSLayoutXAxisAnchor { edges.trailingAnchor }
    open var centerXAnchor: NSLayoutXAxisAnchor { edges.centerXAnchor }
    open var centerYAnchor: NSLayoutYAxisAnchor { edges.centerYAnchor }
    open var widthAnchor: NSLayoutDimension { edges.widthAnchor }
    open var heightAnchor: NSLayoutDimension { edges.heightAnchor }

    /// Adds a view above the others. It leaves the view that it was in.
    open func addSubview(_ view: UIView) { insertSubview(view, at: subviews.count) }

    /// Adds a view at a place among the others, the lowest first. It leaves the view that it was in.
    open func insertSubview(_ view: UIView, at index: Int) {
        guard view !== self, !isDescendant(of: view) else { return }
        view.removeFromSuperview()
        subviews.insert(view, at: min(max(index, 0), subviews.count))
        view.superview = self
        view.didMoveToSuperview()
    }

    /// Takes this view, with what is in it, out of the view that it is in.
    open func removeFromSuperview() {
        guard let parent = superview else { return }
        parent.subviews.removeAll { $0 === self }
        superview = nil
        didMoveToSuperview()
    }

    /// Puts a subview above the others.
    open func bringSubviewToFront(_ view: UIView) {
        guard let place = subviews.firstIndex(where: { $0 === view }) else { return }
        subviews.append(subviews.remove(at: place))
    }

    /// Puts a subview under the others.
    open func sendSubviewToBack(_ view: UIView) {
        guard let place = subviews.firstIndex(where: { $0 === view }) else { return }
        subviews.insert(subviews.remove(at: place), at: 0)
    }

    /// The first view of this tree with the tag, this view included.
    open func viewWithTag(_ tag: Int) -> UIView? {
        if self.tag == tag { return self }
        for view in subviews { if let found = view.viewWithTag(tag) { return found } }
        return nil
    }

    /// Whether this view is the other, or lies in it.
    open func isDescendant(of view: UIView) -> Bool {
        var place: UIView? = self
        while let here = place {
            if here === view { return true }
            place = here.superview
        }
        return false
    }

    /// Called after the view came into another, or left one. Does nothing by itself.
    open func didMoveToSuperview() {}
    /// Called by ``layoutIfNeeded()``. Does nothing by itself.
    open func layoutSubviews() {}
    /// Asks for a layout. Nothing is laid out here.
    open func setNeedsLayout() {}
    /// Calls ``layoutSubviews()``.
    open func layoutIfNeeded() { layoutSubviews() }
    /// Gives the view the size of what it holds: here it keeps its own.
    open func sizeToFit() {}

    /// Every view of this tree, this one first, without those that are hidden or see-through and what is in them.
    package var visibleTree: [UIView] { isHidden || alpha == 0 ? [] : [self] + subviews.flatMap(\.visibleTree) }
}
