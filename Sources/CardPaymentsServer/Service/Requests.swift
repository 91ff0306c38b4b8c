import BillfoldPayments

// What is asked of the service, once it was read.

/// `POST /v1/orders`.
struct OrderRequest: Sendable, Hashable {
    var reference: String
    var definition: OrderDefinition
}

/// `POST /v1/orders/{id}/payments`.
struct PaymentRequestBody: Sendable {
    /// `PKPaymentToken.paymentData`, byte for byte.
    var paymentData: [UInt8]
    /// As the client tells it; letter case differs between systems. Compared, never trusted.
    var transactionIdentifier: String
    /// Not signed: for display only.
    var network: String?
    var choice: OrderPricing.Choice
    var billingContact: Contact?
    /// Over everything that has meaning.
    var fingerprint: RequestFingerprint
}

/// `POST /v1/payments/{id}/refunds`.
struct RefundRequestBody: Sendable {
    var amount: String
    var reason: String?
}
