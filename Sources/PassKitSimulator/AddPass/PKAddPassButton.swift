public import Foundation

/// How the button looks.
public enum PKAddPassButtonStyle: Int, Sendable, CaseIterable {
    case black = 0
    case blackOutline
}

/// The system-drawn "Add to Wallet" button.
@preconcurrency @MainActor
open class PKAddPassButton: NSObject {
    open var addPassButtonStyle: PKAddPassButtonStyle
    open var isHidden = false
    open var isEnabled = true
    /// Stands in for UIKit's target and action.
    open var onTap: (@MainActor () -> Void)?

    public init(addPassButtonStyle style: PKAddPassButtonStyle) {
        addPassButtonStyle = style
        super.init()
    }

    /// The customer's finger. A hidden or disabled button does not hear it.
    open func sendTap() {
        guard !isHidden, isEnabled else { return }
        onTap?()
    }
}
