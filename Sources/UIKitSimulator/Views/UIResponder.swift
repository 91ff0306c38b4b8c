public import Foundation

/// What can be asked to handle an event. Nothing is sent along the chain here; `next` can be read, and one has the keyboard.
@MainActor
@preconcurrency
open class UIResponder: NSObject {
    public nonisolated static let keyboardWillShowNotification = Notification.Name("UIKeyboardWillShowNotification")
    public nonisolated static let keyboardDidShowNotification = Notification.Name("UIKeyboardDidShowNotification")
    public nonisolated static let keyboardWillHideNotification = Notification.Name("UIKeyboardWillHideNotification")
    public nonisolated static let keyboardDidHideNotification = Notification.Name("UIKeyboardDidHideNotification")
    public nonisolated static let keyboardFrameEndUserInfoKey = "UIKeyboardFrameEndUserInfoKey"
    public nonisolated static let keyboardAnimationDurationUserInfoKey = "UIKeyboardAnimationDurationUserInfoKey"

    public override init() { super.init() }

    /// Who is asked next: of a view its controller or its superview.
    open var next: UIResponder? { nil }

    /// Whether it may have the keyboard: only what takes text.
    open var canBecomeFirstResponder: Bool { false }

    /// Whether it may give the keyboard up.
    open var canResignFirstResponder: Bool { true }

    open var isFirstResponder: Bool { SimulatedScreen.current.firstResponder === self }

    /// Takes the keyboard from whoever has it.
    ///
    /// - Returns: False where it may not, or the other does not give it up.
    @discardableResult
    open func becomeFirstResponder() -> Bool {
        guard !isFirstResponder else { return true }
        guard canBecomeFirstResponder else { return false }
        let screen = SimulatedScreen.current
        if let other = screen.firstResponder as? UIResponder, !other.resignFirstResponder() { return false }
        screen.firstResponder = self
        return true
    }

    /// Gives the keyboard up.
    @discardableResult
    open func resignFirstResponder() -> Bool {
        guard isFirstResponder else { return true }
        guard canResignFirstResponder else { return false }
        SimulatedScreen.current.firstResponder = nil
        return true
    }

    /// Called on a device when a finger comes. Nobody's finger is followed here: ask the control, or the gesture.
    open func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent?) {}
    /// Called on a device when a finger moves. It is not called here.
    open func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent?) {}
    /// Called on a device when a finger goes. It is not called here.
    open func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent?) {}
    /// Called on a device when a finger counts no more. It is not called here.
    open func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent?) {}

    #if !canImport(ObjectiveC)
        /// Called when a property has changed that it observes by the property's name.
        open func observeValue(
            forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?, context: UnsafeMutableRawPointer?
        ) {}
    #endif

    /// Tells who listens that the keyboard comes or goes.
    func tellOfKeyboard(_ isShown: Bool) {
        let bounds = UIScreen.main.bounds
        let height: CGFloat = 336
        let frame = CGRect(x: 0, y: bounds.height - (isShown ? height : 0), width: bounds.width, height: height)
        let info: [AnyHashable: Any] = [
            Self.keyboardFrameEndUserInfoKey: NSValue(rect: frame), Self.keyboardAnimationDurationUserInfoKey: NSNumber(value: 0.25),
        ]
        let names =
            isShown
            ? [Self.keyboardWillShowNotification, Self.keyboardDidShowNotification]
            : [Self.keyboardWillHideNotification, Self.keyboardDidHideNotification]
        for name in names { NotificationCenter.default.post(name: name, object: nil, userInfo: info) }
    }
}

/// What a customer's finger did. None is made here.
@MainActor
@preconcurrency
open class UIEvent: NSObject {
    public override init() { super.init() }
}

/// A customer's finger. None is made here but by a test.
@MainActor
@preconcurrency
open class UITouch: NSObject {
    open internal(set) weak var view: UIView?

    public override init() { super.init() }
}
