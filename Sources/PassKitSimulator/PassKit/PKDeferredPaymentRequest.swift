public import Foundation

/// Asks for a merchant token for a charge on a later day, such as a hotel stay (apple-pay.md#later-charges).
open class PKDeferredPaymentRequest: NSObject {
    open var paymentDescription: String
    open var deferredBilling: PKDeferredPaymentSummaryItem
    open var billingAgreement: String?
    open var managementURL: URL
    open var tokenNotificationURL: URL?
    /// Until when the customer may cancel without cost, read in `freeCancellationDateTimeZone`.
    open var freeCancellationDate: Date?
    open var freeCancellationDateTimeZone: TimeZone?

    public init(paymentDescription: String, deferredBilling: PKDeferredPaymentSummaryItem, managementURL: URL) {
        self.paymentDescription = paymentDescription
        self.deferredBilling = deferredBilling
        self.managementURL = managementURL
    }
}
