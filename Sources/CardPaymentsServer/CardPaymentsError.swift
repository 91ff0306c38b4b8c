public import BillfoldDiagnosis
import BillfoldEvents
import BillfoldJSON
import BillfoldPayments
public import BillfoldServer
package import HTTPTypes

/// What the card-payments API refuses.
///
/// Every failure of a token, from its first byte to its binding, is `token-refused` outside: whoever probes with altered
/// tokens learns nothing about which check they met. The trace and the log say which.
public struct CardPaymentsError: CodedError {
    /// A stable code: callers compare its ``description``, and new ones are added without breaking them.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        public let description: String
        let status: HTTPResponse.Status
        init(_ description: String, _ status: HTTPResponse.Status) {
            self.description = description
            self.status = status
        }

        /// The body is not the strict JSON of this operation.
        package static let malformedRequest = Self("malformed-request", .badRequest)
        package static let idempotencyKeyMissing = Self("idempotency-key-missing", .badRequest)
        /// No credential, or one that is not valid here. One code for every reason.
        package static let unauthorized = Self("unauthorized", .unauthorized)
        package static let orderNotFound = Self("order-not-found", .notFound)
        package static let paymentNotFound = Self("payment-not-found", .notFound)
        package static let refundNotFound = Self("refund-not-found", .notFound)
        /// An amount, price or quantity cannot be what it says.
        package static let invalidAmount = Self("invalid-amount", .unprocessableContent)
        /// The acquirer does not settle the order's currency with the merchant.
        package static let currencyNotSettled = Self("currency-not-settled", .unprocessableContent)
        /// Two shipping methods have one identifier, or two coupons one code.
        package static let identifierRepeated = Self("identifier-repeated", .unprocessableContent)
        /// The order has no such shipping method.
        package static let shippingMethodUnknown = Self("shipping-method-unknown", .unprocessableContent)
        package static let referenceTaken = Self("reference-taken", .conflict)
        /// The key was used for a different request.
        package static let idempotencyConflict = Self("idempotency-conflict", .unprocessableContent)
        /// The same request is being worked on; ask again later with the same key.
        package static let idempotencyRunning = Self("idempotency-running", .conflict)
        package static let tokenRefused = Self("token-refused", .unprocessableContent)
        /// The token is good and holds card data that the acquirer cannot take, such as 3-D Secure data.
        package static let cardNotSupported = Self("card-not-supported", .unprocessableContent)
        package static let paymentInProgress = Self("payment-in-progress", .conflict)
        package static let orderClosed = Self("order-closed", .conflict)
        /// The payment's state does not allow the refund, void or reversal.
        package static let wrongState = Self("wrong-state", .conflict)
        package static let exceedsCaptured = Self("exceeds-captured", .unprocessableContent)
        /// The settlement day is over: refund instead.
        package static let voidTooLate = Self("void-too-late", .conflict)
        package static let rateLimited = Self("rate-limited", .tooManyRequests)
        package static let notificationRefused = Self("notification-refused", .badRequest)
        /// A notification that names another amount than the books.
        package static let notificationMismatch = Self("notification-mismatch", .conflict)
        /// The id, or the secret, is ours, and what it stood for is not in the store any more: a failover can lose rows of payments that
        /// were sent. Neither paid nor unpaid: what the acquirer says of it becomes an alarm.
        package static let outcomeUnknown = Self("outcome-unknown", .serviceUnavailable)
        /// The acquirer has no file for the day, or not yet.
        package static let fileMissing = Self("file-missing", .conflict)
        /// The acquirer did not answer, or its answer cannot be believed.
        package static let acquirerUnavailable = Self("acquirer-unavailable", .badGateway)
        /// A page's `validationURL` leads elsewhere than to Apple's session endpoint.
        package static let validationURLRefused = Self("validation-url-refused", .unprocessableContent)
        /// The domain is none of the merchant's.
        package static let domainUnknown = Self("domain-unknown", .unprocessableContent)
        /// The merchant has no usable identity certificate here, or no display name.
        package static let sessionNotConfigured = Self("session-not-configured", .conflict)
        /// Apple did not give a session. Asking again is safe: a session moves nothing.
        package static let sessionUnavailable = Self("session-unavailable", .badGateway)
        /// No merchant here has proof for that host.
        package static let domainAssociationMissing = Self("domain-association-missing", .notFound)
        /// Orders are not paid by UnionPay's own client here.
        package static let numbersNotConfigured = Self("numbers-not-configured", .conflict)
        /// The shopper's choice cannot be paid for: an address, method or coupon that does not fit.
        package static let choiceRefused = Self("choice-refused", .unprocessableContent)
        package static let configurationInvalid = Self("configuration-invalid", .internalServerError)
    }

    public var code: Code
    /// For the caller; holds no card data and no secret.
    public var reason: String
    /// Whether the same request was refused by it before.
    package var isReplayed = false
    package var file: String
    package var line: Int

    package init(code: Code, reason: String, file: String = #fileID, line: Int = #line) {
        self.code = code
        self.reason = reason
        self.file = file
        self.line = line
    }

    /// The same refusal, told again to whoever asks again.
    var replayed: Self {
        var error = self
        error.isReplayed = true
        return error
    }

    static var tokenRefused: CardPaymentsError {
        CardPaymentsError(code: .tokenRefused, reason: "the payment token was not accepted")
    }

    /// - Parameter thing: For example `payment`.
    static func lost(_ thing: String) -> CardPaymentsError {
        CardPaymentsError(code: .outcomeUnknown, reason: "the \(thing) was made here and its record is lost: its outcome is not known")
    }
}

extension CardPaymentsError: RequestRefusal {
    package static func malformed(_ reason: String) -> Self { Self(code: .malformedRequest, reason: reason) }
}

extension CardPaymentsError: ServedError {
    package var status: HTTPResponse.Status { code.status }
    package var headers: HTTPFields {
        let own: HTTPFields =
            switch code {
            case .idempotencyRunning, .rateLimited: [.retryAfter: "1"]
            case .outcomeUnknown: [.retryAfter: "60"]
            case .unauthorized: [.wwwAuthenticate: "Bearer"]
            default: [:]
            }
        return own.replaying(isReplayed)
    }
}

extension ErrorMapping {
    /// The mapping with this server's errors added, with what the books and the routes of events refuse.
    public func withCardPayments() -> ErrorMapping {
        var mapping = withEvents().adding(CardPaymentsError.self)
        mapping.add { ($0 as? PaymentsError).flatMap(booksRefusal) }
        return mapping
    }
}

private func booksRefusal(_ error: PaymentsError) -> Refusal? {
    CardPaymentsError.Code(error.code).map { Refusal(status: $0.status, code: $0.description, reason: error.reason) }
}

extension CardPaymentsError.Code {
    /// What the books' refusal is called outside; `nil` where it is no decision about a request.
    init?(_ code: PaymentsError.Code) {
        switch code {
        case .referenceTaken: self = .referenceTaken
        case .orderClosed: self = .orderClosed
        case .attemptInProgress: self = .paymentInProgress
        case .wrongState: self = .wrongState
        case .exceedsCaptured: self = .exceedsCaptured
        case .invalidAmount, .overflow: self = .invalidAmount
        case .orderNotFound: self = .orderNotFound
        case .paymentNotFound: self = .paymentNotFound
        case .modificationNotFound: self = .refundNotFound
        case .malformedIdentifier: self = .malformedRequest
        default: return nil
        }
    }
}
