public import Foundation

/// The app's answer to an authorised payment.
open class PKPaymentAuthorizationResult: NSObject {
    open var status: PKPaymentAuthorizationStatus
    /// Made by the factories of `PKPaymentRequest`. With errors and `failure` the sheet stays open for correction.
    open var errors: [any Error]?

    public init(status: PKPaymentAuthorizationStatus, errors: [any Error]?) {
        self.status = status
        self.errors = errors
    }

}
