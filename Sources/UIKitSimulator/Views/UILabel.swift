public import Foundation

/// A text that the customer reads.
@MainActor
@preconcurrency
open class UILabel: UIView {
    open var text: String?
    open var textColor: UIColor! = .label
    open var numberOfLines = 1
    open var font: UIFont! = .systemFont(ofSize: 17)
    open var textAlignment = NSTextAlignment.natural

    public override init(frame: CGRect) { super.init(frame: frame) }

    /// There are no archives here: nil, always.
    public required init?(coder: NSCoder) { nil }
}
