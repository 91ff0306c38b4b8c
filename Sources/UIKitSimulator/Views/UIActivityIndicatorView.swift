public import Foundation

/// A wheel that turns while something is waited for.
@MainActor
@preconcurrency
open class UIActivityIndicatorView: UIView {
    /// Its size.
    public enum Style: Int, Sendable {
        case medium = 100
        case large

        /// The names of before iOS 13.
        public static let gray = Style.medium
        public static let white = Style.medium
        public static let whiteLarge = Style.large
    }

    open var style = Style.medium
    open var color: UIColor! = .systemGray
    /// Whether it is hidden when it stands still.
    open var hidesWhenStopped = true
    open private(set) var isAnimating = false

    public override init(frame: CGRect) { super.init(frame: frame) }

    public convenience init(style: Style) {
        self.init(frame: .zero)
        self.style = style
        isHidden = true
    }

    /// There are no archives here: nil, always.
    public required init?(coder: NSCoder) { nil }

    /// Lets it turn, and shows it.
    open func startAnimating() {
        isAnimating = true
        isHidden = false
    }

    /// Stops it, and hides it unless it shall be seen then.
    open func stopAnimating() {
        isAnimating = false
        if hidesWhenStopped { isHidden = true }
    }
}
