public import Foundation

/// What the button says beside the mark.
public enum PKPaymentButtonType: Int, Sendable, CaseIterable {
    case plain = 0
    case buy, setUp, inStore, donate, checkout, book, subscribe, reload, addMoney, topUp, order, rent, support, contribute, tip, `continue`
}

/// How the button looks.
public enum PKPaymentButtonStyle: Int, Sendable, CaseIterable {
    case white = 0
    case whiteOutline, black, automatic
}

/// The system-drawn button: an app chooses type and style, never the drawing.
@MainActor
open class PKPaymentButton: NSObject {
    public let paymentButtonType: PKPaymentButtonType
    public let paymentButtonStyle: PKPaymentButtonStyle
    open var cornerRadius: CGFloat = 4
    open var isHidden = false
    open var isEnabled = true
    /// Stands in for UIKit's target and action. A tap must start the sheet at once.
    open var onTap: (@MainActor () -> Void)?

    public init(paymentButtonType type: PKPaymentButtonType, paymentButtonStyle style: PKPaymentButtonStyle) {
        paymentButtonType = type
        paymentButtonStyle = style
        super.init()
    }

    /// The customer's finger. A hidden or disabled button does not hear it.
    open func sendTap() {
        guard !isHidden, isEnabled else { return }
        onTap?()
    }
}
