public import Foundation
public import UIKitSimulator

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
@preconcurrency
open class PKPaymentButton: UIButton {
    public let paymentButtonType: PKPaymentButtonType
    public let paymentButtonStyle: PKPaymentButtonStyle
    open var cornerRadius: CGFloat = 4
    /// A shorter word for an action of the primary event. A tap must start the sheet at once.
    open var onTap: (@MainActor () -> Void)?

    public init(paymentButtonType type: PKPaymentButtonType, paymentButtonStyle style: PKPaymentButtonStyle) {
        paymentButtonType = type
        paymentButtonStyle = style
        super.init(frame: .zero)
        addAction(UIAction { [weak self] _ in self?.onTap?() }, for: .primaryActionTriggered)
    }

    /// There are no archives here: nil, always.
    public required init?(coder: NSCoder) { nil }
}
