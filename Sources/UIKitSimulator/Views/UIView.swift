public import Foundation

/// A rectangle of the screen. It draws nothing and lays out nothing: it has its place in the tree and the properties that apps set. What is
/// animated on a device has happened when the call returns.
@MainActor
@preconcurrency
open class UIView: UIResponder {
    /// How what a view shows fills it. Nothing is drawn, so nothing follows from it here.
    public enum ContentMode: Int, Sendable {
        case scaleToFill = 0
        case scaleAspectFit, scaleAspectFill, redraw, center, top, bottom, left, right, topLeft, topRight, bottomLeft, bottomRight
    }

    open var frame: CGRect {
        didSet {
            layer.frame = frame
            observers.tell()
        }
    }
    /// Who observes the view's properties.
    package let observers = KeyValueObservers()
    public let layer = CALayer()
    open var transform = CGAffineTransform.identity
    open var contentMode = ContentMode.scaleToFill
    open var clipsToBounds = false
    open var autoresizingMask: AutoresizingMask = []
    open var layoutMargins = UIEdgeInsets(top: 8, left: 8, bottom: 8, right: 8)
    open var directionalLayoutMargins = NSDirectionalEdgeInsets(top: 8, leading: 8, bottom: 8, trailing: 8)
    open private(set) var constraints: [NSLayoutConstraint] = []
    open private(set) var gestureRecognizers: [UIGestureRecognizer]?
    open var isHidden = false { didSet { observers.tell() } }
    open var alpha: CGFloat = 1 { didSet { observers.tell() } }
    open var tag = 0
    open var backgroundColor: UIColor?
    open var tintColor: UIColor! = .systemBlue
    open var isUserInteractionEnabled = true
    open var overrideUserInterfaceStyle = UIUserInterfaceStyle.unspecified
    open var translatesAutoresizingMaskIntoConstraints = true
    open var accessibilityIdentifier: String?
    open var accessibilityLabel: String?
    open var accessibilityHint: String?
    open var accessibilityValue: String?
    open var accessibilityTraits: UIAccessibilityTraits = []
    open var isAccessibilityElement = false
    open private(set) var subviews: [UIView] = []
    open private(set) weak var superview: UIView?
    /// What constraints of this view refer to.
    public let safeAreaLayoutGuide = UILayoutGuide()
    public let layoutMarginsGuide = UILayoutGuide()
    /// What the keyboard leaves.
    public let keyboardLayoutGuide = UILayoutGuide()
    private let edges = UILayoutGuide()
    /// The controller that this view is the root of.
    weak var controller: UIResponder?

    public init(frame: CGRect) {
        self.frame = frame
        super.init()
        layer.frame = frame
    }

    public override convenience init() { self.init(frame: .zero) }

    /// There are no archives here: nil, always.
    public required init?(coder: NSCoder) { nil }

    open var bounds: CGRect {
        get { CGRect(origin: .zero, size: frame.size) }
        set { frame.size = newValue.size }
    }

    open var center: CGPoint {
        get { CGPoint(x: frame.origin.x + frame.size.width / 2, y: frame.origin.y + frame.size.height / 2) }
        set { frame.origin = CGPoint(x: newValue.x - frame.size.width / 2, y: newValue.y - frame.size.height / 2) }
    }

    /// Room that the system keeps for itself: none here.
    open var safeAreaInsets: UIEdgeInsets { .zero }

    /// What the view would be by its content: nothing is measured here.
    open var intrinsicContentSize: CGSize { CGSize(width: -1, height: -1) }

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
    open var leftAnchor: NSLayoutXAxisAnchor { edges.leftAnchor }
    open var rightAnchor: NSLayoutXAxisAnchor { edges.rightAnchor }
    open var centerXAnchor: NSLayoutXAxisAnchor { edges.centerXAnchor }
    open var centerYAnchor: NSLayoutYAxisAnchor { edges.centerYAnchor }
    open var widthAnchor: NSLayoutDimension { edges.widthAnchor }
    open var heightAnchor: NSLayoutDimension { edges.heightAnchor }
    open var firstBaselineAnchor: NSLayoutYAxisAnchor { edges.topAnchor }
    open var lastBaselineAnchor: NSLayoutYAxisAnchor { edges.bottomAnchor }

    // MARK: The tree

    /// Adds a view above the others. It leaves the view that it was in.
    open func addSubview(_ view: UIView) { insertSubview(view, at: subviews.count) }

    /// Adds a view at a place among the others, the lowest first. It leaves the view that it was in.
    open func insertSubview(_ view: UIView, at index: Int) {
        guard view !== self, !isDescendant(of: view) else { return }
        view.removeFromSuperview()
        view.willMove(toSuperview: self)
        subviews.insert(view, at: min(max(index, 0), subviews.count))
        view.superview = self
        view.didMoveToSuperview()
    }

    /// Adds a view just under another, or above all where that one is not here.
    open func insertSubview(_ view: UIView, belowSubview siblingSubview: UIView) {
        view.removeFromSuperview()
        insertSubview(view, at: subviews.firstIndex { $0 === siblingSubview } ?? subviews.count)
    }

    /// Adds a view just above another, or above all where that one is not here.
    open func insertSubview(_ view: UIView, aboveSubview siblingSubview: UIView) {
        view.removeFromSuperview()
        insertSubview(view, at: subviews.firstIndex { $0 === siblingSubview }.map { $0 + 1 } ?? subviews.count)
    }

    /// Takes this view, with what is in it, out of the view that it is in.
    open func removeFromSuperview() {
        guard let parent = superview else { return }
        willMove(toSuperview: nil)
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

    /// Called before the view comes into another, or leaves one. Does nothing by itself.
    open func willMove(toSuperview newSuperview: UIView?) {}
    /// Called after the view came into another, or left one. Does nothing by itself.
    open func didMoveToSuperview() {}
    /// Called on a device after the view came into a window. It is not called here.
    open func didMoveToWindow() {}

    // MARK: Layout and drawing

    /// Called by `layoutIfNeeded()`. Does nothing by itself.
    open func layoutSubviews() {}
    /// Asks for a layout. Nothing is laid out here.
    open func setNeedsLayout() {}
    /// Calls `layoutSubviews()`.
    open func layoutIfNeeded() { layoutSubviews() }
    /// Called on a device before a layout. It is not called here.
    open func updateConstraints() {}
    /// Asks for new constraints. Nothing is laid out here.
    open func setNeedsUpdateConstraints() {}
    /// Gives the view the size of what it holds: here it keeps its own.
    open func sizeToFit() {}
    /// The size that the view would like: here its own.
    open func sizeThatFits(_ size: CGSize) -> CGSize { frame.size }
    /// A place of this view in another. Each view lies where its frame says, in the one that it is in.
    open func convert(_ rect: CGRect, to view: UIView?) -> CGRect {
        let (here, there) = (placeOnScreen, view?.placeOnScreen ?? .zero)
        return CGRect(origin: CGPoint(x: rect.origin.x + here.x - there.x, y: rect.origin.y + here.y - there.y), size: rect.size)
    }

    private var placeOnScreen: CGPoint {
        let above = superview?.placeOnScreen ?? .zero
        return CGPoint(x: above.x + frame.origin.x, y: above.y + frame.origin.y)
    }

    /// Called on a device to draw. It is not called here.
    open func draw(_ rect: CGRect) {}
    /// Asks for drawing. Nothing is drawn.
    open func setNeedsDisplay() {}
    /// Called on a device when the surroundings changed. It is not called here.
    open func traitCollectionDidChange(_ previousTraitCollection: UITraitCollection?) {}

    /// Makes a constraint count.
    open func addConstraint(_ constraint: NSLayoutConstraint) {
        constraint.isActive = true
        constraints.append(constraint)
    }

    /// Makes constraints count.
    open func addConstraints(_ constraints: [NSLayoutConstraint]) { for each in constraints { addConstraint(each) } }

    /// Makes a constraint count no more.
    open func removeConstraint(_ constraint: NSLayoutConstraint) {
        constraint.isActive = false
        constraints.removeAll { $0 === constraint }
    }

    /// How much the view minds being larger than its content. Nothing is laid out here.
    open func setContentHuggingPriority(_ priority: UILayoutPriority, for axis: NSLayoutConstraint.Axis) {}
    /// How much the view minds being smaller than its content. Nothing is laid out here.
    open func setContentCompressionResistancePriority(_ priority: UILayoutPriority, for axis: NSLayoutConstraint.Axis) {}

    // MARK: The customer's fingers

    /// Adds what looks for a gesture on this view.
    open func addGestureRecognizer(_ gestureRecognizer: UIGestureRecognizer) {
        gestureRecognizer.view?.removeGestureRecognizer(gestureRecognizer)
        gestureRecognizers = (gestureRecognizers ?? []) + [gestureRecognizer]
        gestureRecognizer.view = self
    }

    /// Takes away what looked for a gesture.
    open func removeGestureRecognizer(_ gestureRecognizer: UIGestureRecognizer) {
        guard gestureRecognizer.view === self else { return }
        gestureRecognizers?.removeAll { $0 === gestureRecognizer }
        gestureRecognizer.view = nil
    }

    /// Takes the keyboard from what has it in this view.
    ///
    /// - Parameter force: Takes it from who does not want to give it up, too.
    /// - Returns: Whether the keyboard was here and is gone.
    @discardableResult
    open func endEditing(_ force: Bool) -> Bool {
        let screen = SimulatedScreen.current
        guard let editor = screen.firstResponder as? UIView, editor.isDescendant(of: self) else { return false }
        let isGone = editor.resignFirstResponder()
        if !isGone, force { screen.firstResponder = nil }
        return isGone || force
    }

    /// Called before the customer sees the view, for views that make their content late.
    func prepareToBeSeen() {}

    /// Every view of this tree, this one first, without those that are hidden or see-through and what is in them.
    package var visibleTree: [UIView] {
        guard !isHidden, alpha > 0 else { return [] }
        prepareToBeSeen()
        return [self] + subviews.flatMap(\.visibleTree)
    }

    /// Whether a finger reaches it.
    var canBeTouched: Bool { !isHidden && alpha > 0 && isUserInteractionEnabled && superview?.canBeTouched ?? true }
}
