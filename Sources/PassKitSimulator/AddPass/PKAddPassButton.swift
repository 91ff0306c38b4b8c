public import Foundation
public import UIKitSimulator

/// How the button looks.
public enum PKAddPassButtonStyle: Int, Sendable, CaseIterable {
    case black = 0
    case blackOutline
}

/// The system-drawn "Add to Wallet" button.
@MainActor
@preconcurrency
open class PKAddPassButton: UIButton {
    open var addPassButtonStyle: PKAddPassButtonStyle
    /// A shorter word for an action of the primary event.
    open var onTap: (@MainActor () -> Void)?

    public init(addPassButtonStyle style: PKAddPassButtonStyle) {
        addPassButtonStyle = style
        super.init(frame: .zero)
        addAction(UIAction { [weak self] _ in self?.onTap?() }, for: .primaryActionTriggered)
    }

    /// There are no archives here: nil, always.
    public required init?(coder: NSCoder) { nil }
}
