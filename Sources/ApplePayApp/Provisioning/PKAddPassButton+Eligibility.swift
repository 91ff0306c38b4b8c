#if canImport(PassKit) && canImport(UIKit)
    public import PassKit
    import UIKit
#else
    public import PassKitSimulator
#endif

extension PKAddPassButton {
    /// The system's button where the card can be added; nil where there must be none. A tap must start the flow at once.
    @MainActor
    public static func button(
        for eligibility: ProvisioningEligibility, style: PKAddPassButtonStyle = .black, onTap: @escaping @MainActor () -> Void
    ) -> PKAddPassButton? {
        guard case .addable = eligibility else { return nil }
        let button = PKAddPassButton(addPassButtonStyle: style)
        #if canImport(PassKit) && canImport(UIKit)
            button.addAction(UIAction { _ in onTap() }, for: .primaryActionTriggered)
        #else
            button.onTap = onTap
        #endif
        return button
    }
}
