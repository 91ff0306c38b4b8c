public import Foundation

/// A text that the customer reads.
@MainActor
@preconcurrency
open class UILabel: UIView {
    open var text: String? {
        get { words?.string }
        set { words = newValue.map { NSAttributedString(string: $0) } }
    }

    /// The text with what it looks like.
    open var attributedText: NSAttributedString? {
        get { words }
        set { words = newValue }
    }

    open var textColor: UIColor! = .label
    open var numberOfLines = 1
    open var font: UIFont! = .systemFont(ofSize: 17)
    open var textAlignment = NSTextAlignment.natural
    open var lineBreakMode = NSLineBreakMode.byTruncatingTail
    open var adjustsFontSizeToFitWidth = false
    open var adjustsFontForContentSizeCategory = false
    open var minimumScaleFactor: CGFloat = 0
    open var isEnabled = true
    open var isHighlighted = false
    private var words: NSAttributedString?

    public override init(frame: CGRect) {
        super.init(frame: frame)
        isUserInteractionEnabled = false
    }

    /// There are no archives here: nil, always.
    public required init?(coder: NSCoder) { nil }
}

/// A picture that the customer sees.
@MainActor
@preconcurrency
open class UIImageView: UIView {
    open var image: UIImage?
    open var highlightedImage: UIImage?
    open var isHighlighted = false

    public override init(frame: CGRect) {
        super.init(frame: frame)
        isUserInteractionEnabled = false
    }

    /// A view of the picture's size.
    public convenience init(image: UIImage?) {
        self.init(frame: CGRect(origin: .zero, size: image?.size ?? .zero))
        self.image = image
    }

    /// There are no archives here: nil, always.
    public required init?(coder: NSCoder) { nil }

    open override var intrinsicContentSize: CGSize { image?.size ?? super.intrinsicContentSize }
}
