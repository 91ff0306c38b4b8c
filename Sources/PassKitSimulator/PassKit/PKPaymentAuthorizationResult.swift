public import Foundation

/// The app's answer to an authorised payment.
open class PKPaymentAuthorizationResult: NSObject {
    open var status: PKPaymentAuthorizationStatus
    /// Made by the factories of `PKPaymentRequest`. With errors and `failure` the sheet stays open for correction.
    open var errors: [any Error]?
    /// The order that Wallet follows after the payment. It is kept, and no simulated wallet shows orders.
    open var orderDetails: PKPaymentOrderDetails?

    public init(status: PKPaymentAuthorizationStatus, errors: [any Error]?) {
        self.status = status
        self.errors = errors
    }

    /// Set by the delegate protocols' default implementations: the delegate has no such method.
    var isUnimplemented = false
    var reportedErrors: [any Error] { (errors ?? []).isEmpty ? status.contactErrors : errors ?? [] }

    /// The answer of a delegate that has no such method: nothing was paid.
    static var unimplemented: PKPaymentAuthorizationResult {
        let result = PKPaymentAuthorizationResult(status: .failure, errors: nil)
        result.isUnimplemented = true
        return result
    }
}

/// Where Wallet finds an order of the merchant's.
open class PKPaymentOrderDetails: NSObject {
    open var orderTypeIdentifier: String
    open var orderIdentifier: String
    open var webServiceURL: URL
    open var authenticationToken: String

    public init(orderTypeIdentifier: String, orderIdentifier: String, webServiceURL: URL, authenticationToken: String) {
        self.orderTypeIdentifier = orderTypeIdentifier
        self.orderIdentifier = orderIdentifier
        self.webServiceURL = webServiceURL
        self.authenticationToken = authenticationToken
    }
}
