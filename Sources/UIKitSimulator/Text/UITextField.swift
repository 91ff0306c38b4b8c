public import Foundation

/// A line that the customer types.
@MainActor
@preconcurrency
open class UITextField: UIControl {
    /// How its border is drawn.
    public enum BorderStyle: Int, Sendable {
        case none = 0
        case line, bezel, roundedRect
    }

    /// When a view in the field is seen.
    public enum ViewMode: Int, Sendable {
        case never = 0
        case whileEditing, unlessEditing, always
    }

    public nonisolated static let textDidBeginEditingNotification = Notification.Name("UITextFieldTextDidBeginEditingNotification")
    public nonisolated static let textDidChangeNotification = Notification.Name("UITextFieldTextDidChangeNotification")
    public nonisolated static let textDidEndEditingNotification = Notification.Name("UITextFieldTextDidEndEditingNotification")

    /// Never nil when it is read: an app that sets nil reads an empty text.
    open var text: String? = "" {
        didSet { text = text ?? "" }
    }

    open weak var delegate: (any UITextFieldDelegate)?
    open var placeholder: String?
    open var attributedPlaceholder: NSAttributedString? {
        didSet { placeholder = attributedPlaceholder?.string }
    }
    open var textColor: UIColor? = .label
    open var font: UIFont? = .systemFont(ofSize: 17)
    open var textAlignment = NSTextAlignment.natural
    open var borderStyle = BorderStyle.none
    open var clearButtonMode = ViewMode.never
    open var clearsOnBeginEditing = false
    open var adjustsFontSizeToFitWidth = false
    open var leftView: UIView?
    open var leftViewMode = ViewMode.never
    open var rightView: UIView?
    open var rightViewMode = ViewMode.never
    open var inputView: UIView?
    open var inputAccessoryView: UIView?
    open var isSecureTextEntry = false
    open var keyboardType = UIKeyboardType.default
    open var returnKeyType = UIReturnKeyType.default
    open var autocorrectionType = UITextAutocorrectionType.default
    open var autocapitalizationType = UITextAutocapitalizationType.sentences
    open var spellCheckingType = UITextSpellCheckingType.default
    open var textContentType: UITextContentType!
    open var enablesReturnKeyAutomatically = false

    public override init(frame: CGRect) { super.init(frame: frame) }

    /// There are no archives here: nil, always.
    public required init?(coder: NSCoder) { nil }

    /// The text with what it looks like, of which nothing is kept.
    open var attributedText: NSAttributedString? {
        get { NSAttributedString(string: text ?? "") }
        set { text = newValue?.string }
    }

    open var hasText: Bool { text?.isEmpty == false }
    open var isEditing: Bool { isFirstResponder }
    open override var canBecomeFirstResponder: Bool { isEnabled }

    @discardableResult
    open override func becomeFirstResponder() -> Bool {
        guard !isFirstResponder else { return true }
        guard isEnabled, delegate?.textFieldShouldBeginEditing(self) ?? true, super.becomeFirstResponder() else { return false }
        if clearsOnBeginEditing { text = "" }
        tellOfKeyboard(true)
        delegate?.textFieldDidBeginEditing(self)
        sendActions(for: .editingDidBegin)
        NotificationCenter.default.post(name: Self.textDidBeginEditingNotification, object: self)
        return true
    }

    @discardableResult
    open override func resignFirstResponder() -> Bool {
        guard isFirstResponder else { return true }
        guard delegate?.textFieldShouldEndEditing(self) ?? true, super.resignFirstResponder() else { return false }
        tellOfKeyboard(false)
        delegate?.textFieldDidEndEditing(self)
        sendActions(for: .editingDidEnd)
        NotificationCenter.default.post(name: Self.textDidEndEditingNotification, object: self)
        return true
    }

    /// The customer types, at the end of the text.
    ///
    /// - Parameter words: What is put in at once, as if pasted: the delegate is asked once.
    /// - Returns: False where the field can't be touched, or the delegate does not want it.
    @discardableResult
    public func sendText(_ words: String) -> Bool {
        let before = text ?? ""
        return replace(NSRange(location: before.utf16.count, length: 0), by: words)
    }

    /// The customer takes everything away that was typed.
    ///
    /// - Returns: False where the field can't be touched, or the delegate does not want it.
    @discardableResult
    public func sendDeletion() -> Bool { replace(NSRange(location: 0, length: (text ?? "").utf16.count), by: "") }

    /// The customer's finger on the return key.
    public func sendReturn() {
        guard isFirstResponder, delegate?.textFieldShouldReturn(self) ?? true else { return }
        sendActions(for: [.editingDidEndOnExit, .primaryActionTriggered])
    }

    /// The customer's finger: the keyboard comes.
    open override func sendTap() {
        guard canBeTouched else { return }
        _ = becomeFirstResponder()
    }

    private func replace(_ range: NSRange, by words: String) -> Bool {
        guard canBeTouched, becomeFirstResponder() else { return false }
        guard delegate?.textField(self, shouldChangeCharactersIn: range, replacementString: words) ?? true else { return false }
        text = NSString(string: text ?? "").replacingCharacters(in: range, with: words)
        sendActions(for: .editingChanged)
        NotificationCenter.default.post(name: Self.textDidChangeNotification, object: self)
        return true
    }
}

/// Hears what is typed, and says what may be. Every method may be left out.
@MainActor
@preconcurrency
public protocol UITextFieldDelegate: NSObjectProtocol {
    /// Called before the keyboard comes.
    func textFieldShouldBeginEditing(_ textField: UITextField) -> Bool
    /// Called when the keyboard has come.
    func textFieldDidBeginEditing(_ textField: UITextField)
    /// Called before the keyboard goes.
    func textFieldShouldEndEditing(_ textField: UITextField) -> Bool
    /// Called when the keyboard is gone.
    func textFieldDidEndEditing(_ textField: UITextField)
    /// Called before a text changes by the customer, in UTF-16 units.
    func textField(_ textField: UITextField, shouldChangeCharactersIn range: NSRange, replacementString string: String) -> Bool
    /// Called at the return key.
    func textFieldShouldReturn(_ textField: UITextField) -> Bool
}

extension UITextFieldDelegate {
    public func textFieldShouldBeginEditing(_ textField: UITextField) -> Bool { true }
    public func textFieldDidBeginEditing(_ textField: UITextField) {}
    public func textFieldShouldEndEditing(_ textField: UITextField) -> Bool { true }
    public func textFieldDidEndEditing(_ textField: UITextField) {}
    public func textField(_ textField: UITextField, shouldChangeCharactersIn range: NSRange, replacementString string: String) -> Bool {
        true
    }
    public func textFieldShouldReturn(_ textField: UITextField) -> Bool { true }
}
