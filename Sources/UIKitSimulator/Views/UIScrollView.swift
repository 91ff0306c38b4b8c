public import Foundation

/// A view that shows a part of what it holds. Nothing is laid out here, so the customer sees all of it.
@MainActor
@preconcurrency
open class UIScrollView: UIView {
    /// What takes the keyboard away when the customer scrolls.
    public enum KeyboardDismissMode: Int, Sendable {
        case none = 0
        case onDrag, interactive
    }

    /// Whether room is kept for bars.
    public enum ContentInsetAdjustmentBehavior: Int, Sendable {
        case automatic = 0
        case scrollableAxes, never, always
    }

    open weak var delegate: (any UIScrollViewDelegate)?
    open var contentSize = CGSize.zero { didSet { observers.tell() } }
    open var contentInset = UIEdgeInsets.zero { didSet { observers.tell() } }
    open var scrollIndicatorInsets = UIEdgeInsets.zero
    open var contentInsetAdjustmentBehavior = ContentInsetAdjustmentBehavior.automatic
    open var isScrollEnabled = true
    open var isPagingEnabled = false
    open var bounces = true
    open var alwaysBounceVertical = false
    open var alwaysBounceHorizontal = false
    open var showsVerticalScrollIndicator = true
    open var showsHorizontalScrollIndicator = true
    open var keyboardDismissMode = KeyboardDismissMode.none
    public let contentLayoutGuide = UILayoutGuide()
    public let frameLayoutGuide = UILayoutGuide()

    /// What the customer pulls down to have the content loaded again.
    open var refreshControl: UIRefreshControl? {
        didSet {
            guard oldValue !== refreshControl else { return }
            oldValue?.removeFromSuperview()
            if let refreshControl { insertSubview(refreshControl, at: 0) }
        }
    }

    public override init(frame: CGRect) {
        super.init(frame: frame)
        observers.know(["contentSize": { [weak self] in self?.contentSize }, "contentOffset": { [weak self] in self?.contentOffset }])
    }

    /// There are no archives here: nil, always.
    public required init?(coder: NSCoder) { nil }

    /// Where the part begins that is seen.
    open var contentOffset = CGPoint.zero {
        didSet {
            guard oldValue != contentOffset else { return }
            observers.tell()
            delegate?.scrollViewDidScroll(self)
        }
    }

    /// Scrolls there, at once.
    open func setContentOffset(_ contentOffset: CGPoint, animated: Bool) { self.contentOffset = contentOffset }

    /// Scrolls until a part is seen: here all of it is.
    open func scrollRectToVisible(_ rect: CGRect, animated: Bool) {}
}

/// Hears of scrolling. Every method may be left out.
@MainActor
@preconcurrency
public protocol UIScrollViewDelegate: NSObjectProtocol {
    /// Called when another part is seen.
    func scrollViewDidScroll(_ scrollView: UIScrollView)
}

extension UIScrollViewDelegate {
    public func scrollViewDidScroll(_ scrollView: UIScrollView) {}
}

/// A wheel above a list, which the customer pulls down to have it loaded again.
@MainActor
@preconcurrency
open class UIRefreshControl: UIControl {
    open private(set) var isRefreshing = false
    open var attributedTitle: NSAttributedString?

    public override init(frame: CGRect) { super.init(frame: frame) }

    /// There are no archives here: nil, always.
    public required init?(coder: NSCoder) { nil }

    /// Lets it turn, without telling anybody.
    open func beginRefreshing() { isRefreshing = true }

    /// Stops it.
    open func endRefreshing() { isRefreshing = false }

    /// The customer pulls, unless it turns already.
    public func sendPull() {
        guard isEnabled, canBeTouched, !isRefreshing else { return }
        isRefreshing = true
        sendActions(for: .valueChanged)
    }
}
