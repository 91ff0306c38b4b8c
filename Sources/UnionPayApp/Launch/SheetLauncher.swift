import Foundation

#if canImport(PassKit) && canImport(UIKit)
    public import PassKit
#else
    public import PassKitSimulator
#endif

/// Shows the sheet of Apple Pay for the orders of ``UPAPayPlugin``, and sends the token to UnionPay (unionpay-tn.md#apple-pay).
///
/// Between plug-in and UnionPay nothing is published. What is asked here is the sandbox's own: `GET <base>/<tn>/order?mode=`, and
/// `POST <base>/<tn>/apple-pay` with the token. [I]
public struct SheetLauncher: PaymentLauncher {
    private let connection: PluginConnection
    private let others: (any PaymentLauncher)?
    private let onPresent: (@MainActor @Sendable (PKPaymentAuthorizationController) -> Void)?

    /// - Parameters:
    ///   - connection: Carries requests to the address of UnionPay's pages.
    ///   - others: Shows what is not to be paid by Apple Pay; nil: nothing does.
    ///   - onPresent: Called when a sheet is on the screen.
    public init(
        connection: @escaping PluginConnection, others: (any PaymentLauncher)? = nil,
        onPresent: (@MainActor @Sendable (PKPaymentAuthorizationController) -> Void)? = nil
    ) {
        self.connection = connection
        self.others = others
        self.onPresent = onPresent
    }

    public func isPaymentAppInstalled() -> Bool { others?.isPaymentAppInstalled() ?? false }

    public func launch(_ order: PluginOrder, end: @escaping @Sendable (PluginEnd) -> Void) -> Bool {
        guard order.way == .applePay else { return others?.launch(order, end: end) ?? false }
        // Without a fitting card nothing can be shown.
        guard PKPaymentAuthorizationController.canMakePayments(usingNetworks: [.chinaUnionPay], capabilities: [.threeDSecure, .emv])
        else { return false }
        let (exchange, onPresent) = (SheetExchange(connection: connection, order: order), onPresent)
        Task { @MainActor in end(await PluginSheet(order, exchange).run(onPresent)) }
        return true
    }
}
