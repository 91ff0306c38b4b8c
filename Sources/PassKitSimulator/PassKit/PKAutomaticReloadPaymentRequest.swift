public import Foundation

/// Asks for a merchant token for top-ups of a stored-value account (apple-pay.md#later-charges).
open class PKAutomaticReloadPaymentRequest: NSObject {
    open var paymentDescription: String
    open var automaticReloadBilling: PKAutomaticReloadPaymentSummaryItem
    open var billingAgreement: String?
    open var managementURL: URL
    open var tokenNotificationURL: URL?

    public init(paymentDescription: String, automaticReloadBilling: PKAutomaticReloadPaymentSummaryItem, managementURL: URL) {
        self.paymentDescription = paymentDescription
        self.automaticReloadBilling = automaticReloadBilling
        self.managementURL = managementURL
    }
}
