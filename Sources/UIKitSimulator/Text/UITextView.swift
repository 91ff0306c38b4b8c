public import Foundation

/// Lines that the customer types, or reads.
@MainActor
@preconcurrency
open class UITextView: UIScrollView {
    public nonisolated static let textDidChangeNotification = Notification.Name("UITextViewTextDidChangeNotification")

    /// Never nil when it is read: an app that sets nil reads an empty text.
    open var text: String! = "" {
        didSet { text = text ?? "" }
    }

    open var textColor: UIColor? = .label
    open var font: UIFont? = .systemFont(ofSize: 12)
    open var textAlignment = NSTextAlignment.natural
    open var isEditable = true
    open var isSelectable = true
    open var textContainerInset = UIEdgeInsets(top: 8, left: 0, bottom: 8, right: 0)
    open var inputAccessoryView: UIView?
    open var keyboardType = UIKeyboardType.default
    open var returnKeyType = UIReturnKeyType.default
    open var autocorrectionType = UITextAutocorrectionType.default

    public override init(frame: CGRect) { super.init(frame: frame) }

    /// There are no archives here: nil, always.
    public required init?(coder: NSCoder) { nil }

    /// The text with what it looks like, of which nothing is kept.
    open var attributedText: NSAttributedString! {
        get { NSAttributedString(string: text ?? "") }
        set { text = newValue?.string }
    }

    open var hasText: Bool { text?.isEmpty == false }
    open override var canBecomeFirstResponder: Bool { isEditable }
    private var editor: (any UITextViewDelegate)? { delegate as? any UITextViewDelegate }

    @discardableResult
    open override func becomeFirstResponder() -> Bool {
        guard !isFirstResponder else { return true }
        guard isEditable, editor?.textViewShouldBeginEditing(self) ?? true, super.becomeFirstResponder() else { return false }
        tellOfKeyboard(true)
        editor?.textViewDidBeginEditing(self)
        return true
    }

    @discardableResult
    open override func resignFirstResponder() -> Bool {
        guard isFirstResponder else { return true }
        guard super.resignFirstResponder() else { return false }
        tellOfKeyboard(false)
        editor?.textViewDidEndEditing(self)
        return true
    }

    /// The customer types, at the end of the text.
    ///
    /// - Parameter words: What is put in at once, as if pasted: the delegate is asked once.
    /// - Returns: False where the view can't be touched or edited, or the delegate does not want it.
    @discardableResult
    public func sendText(_ words: String) -> Bool {
        guard canBeTouched, becomeFirstResponder() else { return false }
        let end = NSRange(location: (text ?? "").utf16.count, length: 0)
        guard editor?.textView(self, shouldChangeTextIn: end, replacementText: words) ?? true else { return false }
        text = (text ?? "") + words
        editor?.textViewDidChange(self)
        NotificationCenter.default.post(name: Self.textDidChangeNotification, object: self)
        return true
    }
}

/// Hears what is typed, and says what may be. Every method may be left out.
@MainActor
@preconcurrency
public protocol UITextViewDelegate: UIScrollViewDelegate {
    /// Called before the keyboard comes.
    func textViewShouldBeginEditing(_ textView: UITextView) -> Bool
    /// Called when the keyboard has come.
    func textViewDidBeginEditing(_ textView: UITextView)
    /// Called when the keyboard is gone.
    func textViewDidEndEditing(_ textView: UITextView)
    /// Called before a text changes by the customer, in UTF-16 units.
    func textView(_ textView: UITextView, shouldChangeTextIn range: NSRange, replacementText text: String) -> Bool
    /// Called after a text changed by the customer.
    func textViewDidChange(_ textView: UITextView)
}

extension UITextViewDelegate {
    public func textViewShouldBeginEditing(_ textView: UITextView) -> Bool { true }
    public func textViewDidBeginEditing(_ textView: UITextView) {}
    public func textViewDidEndEditing(_ textView: UITextView) {}
    public func textView(_ textView: UITextView, shouldChangeTextIn range: NSRange, replacementText text: String) -> Bool { true }
    public func textViewDidChange(_ textView: UITextView) {}
}
