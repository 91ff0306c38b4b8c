public import Foundation

/// Asks for a merchant token for a repeating charge (apple-pay.md#later-charges).
open class PKRecurringPaymentRequest: NSObject {
    open var paymentDescription: String
    open var regularBilling: PKRecurringPaymentSummaryItem
    open var trialBilling: PKRecurringPaymentSummaryItem?
    open var billingAgreement: String?
    /// Where the customer changes or ends the agreement.
    open var managementURL: URL
    /// Where the platform reports the token's life-cycle events.
    open var tokenNotificationURL: URL?

    public init(paymentDescription: String, regularBilling: PKRecurringPaymentSummaryItem, managementURL: URL) {
        self.paymentDescription = paymentDescription
        self.regularBilling = regularBilling
        self.managementURL = managementURL
    }
}
