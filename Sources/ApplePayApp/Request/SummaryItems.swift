public import BillfoldMoney

#if canImport(PassKit) && canImport(UIKit)
    public import PassKit
#else
    public import PassKitSimulator
#endif

/// Builds what the sheet shows from the server's figures. Nothing is computed here: the server's total is checked, never made.
public enum SummaryItems {
    /// The server's lines and, last, the merchant's name with the total; the sheet reads it as "PAY name".
    ///
    /// Throws `total-differs-from-sum` unless the lines sum to the total exactly. A total with a pending line is pending.
    public static func items(_ lines: [CheckoutItem], total: Amount, merchantName: String) throws(ApplePayAppError)
        -> [PKPaymentSummaryItem]
    {
        let sum: Amount
        do {
            sum = try Amount.sum(lines.map(\.amount), currency: total.currency)
        } catch {
            throw ApplePayAppError(code: .totalDiffers, reason: "the items have no sum: \(error)")
        }
        guard sum == total else {
            throw ApplePayAppError(code: .totalDiffers, reason: "the items sum to \(sum), the total says \(total)")
        }
        let isPending = lines.contains { $0.isPending }
        return lines.map { PKPaymentSummaryItem(label: $0.label, amount: $0.amount.decimalNumber, type: $0.isPending ? .pending : .final) }
            + [PKPaymentSummaryItem(label: merchantName, amount: total.decimalNumber, type: isPending ? .pending : .final)]
    }

    /// The server's shipping methods in its order, with its identifiers and prices.
    public static func shippingMethods(_ methods: [CheckoutShippingMethod]) -> [PKShippingMethod] {
        methods.map { method in
            let shipping = PKShippingMethod(label: method.label, amount: method.amount.decimalNumber)
            shipping.identifier = method.identifier
            shipping.detail = method.detail
            return shipping
        }
    }
}
