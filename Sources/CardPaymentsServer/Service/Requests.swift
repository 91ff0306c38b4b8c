import BillfoldPayments
import UnionPay

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

/// `POST /v1/orders/{id}/transaction-numbers`.
struct NumberRequestBody: Sendable {
    var choice: OrderPricing.Choice
    /// Over everything that has meaning.
    var fingerprint: RequestFingerprint
}

/// `POST /v1/orders/{id}/app-results`: what UnionPay's client handed to the app, as it came.
struct AppResultBody: Sendable {
    var code: String
    var signed: UnverifiedAppResult?
}
