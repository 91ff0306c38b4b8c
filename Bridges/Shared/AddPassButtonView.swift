import PassKit
import UIKit

/// The system's "Add to Apple Wallet" button in a view that a framework lays out.
///
/// The button is made once, with the view. A framework that asks for the view again must get the same: one that is made anew is drawn over the
/// framework's own dialogs, and hides alerts.
class AddPassButtonView: UIView {
    let button: PKAddPassButton
    var onTap: (() -> Void)?

    init(style: PKAddPassButtonStyle = .black) {
        button = PKAddPassButton(addPassButtonStyle: style)
        super.init(frame: .zero)
        button.addAction(UIAction { [weak self] _ in self?.onTap?() }, for: .touchUpInside)
        addSubview(button)
    }

    required init?(coder: NSCoder) { nil }

    override func layoutSubviews() {
        super.layoutSubviews()
        button.frame = bounds
    }
}
