import BillfoldPayments
public import BillfoldServer
import HTTPTypes

/// What the card-payments API refuses.
///
/// Every failure of a token, from its first byte to its binding, is ``Code/tokenRefused`` outside: whoever probes with altered
/// tokens learns nothing about which check they met. The trace and the log say which.
public struct CardPaymentsError: Error, Sendable, CustomStringConvertible {
    /// A stable code; new ones are added without breaking callers.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        public let description: String
        let status: HTTPResponse.Status
        init(_ description: String, _ status: HTTPResponse.Status) {
            self.description = description
            self.status = status
        }

        /// The body is not the strict JSON of this operation.
        public static let malformedRequest = Self("malformed-request", .badRequest)
        public static let idempotencyKeyMissing = Self("idempotency-key-missing", .badRequest)
        /// No credential, or one that is not valid here. One code for every reason.
        public static let unauthorized = Self("unauthorized", .unauthorized)
        public static let orderNotFound = Self("order-not-found", .notFound)
        public static let paymentNotFound = Self("payment-not-found", .notFound)
        public static let refundNotFound = Self("refund-not-found", .notFound)
        /// An amount, price or quantity cannot be what it says.
        public static let invalidAmount = Self("invalid-amount", .unprocessableContent)
        /// Two shipping methods have one identifier, or two coupons one code.
        public static let identifierRepeated = Self("identifier-repeated", .unprocessableContent)
        /// The order has no such shipping method.
        public static let shippingMethodUnknown = Self("shipping-method-unknown", .unprocessableContent)
        public static let referenceTaken = Self("reference-taken", .conflict)
        /// The key was used for a different request.
        public static let idempotencyConflict = Self("idempotency-conflict", .unprocessableContent)
        /// The same request is being worked on; ask again later with the same key.
        public static let idempotencyRunning = Self("idempotency-running", .conflict)
        public static let tokenRefused = Self("token-refused", .unprocessableContent)
        /// The token is good and holds card data that the acquirer cannot take, such as 3-D Secure data.
        public static let cardNotSupported = Self("card-not-supported", .unprocessableContent)
        public static let paymentInProgress = Self("payment-in-progress", .conflict)
        public static let orderClosed = Self("order-closed", .conflict)
        /// The payment's state does not allow the refund, void or reversal.
        public static let wrongState = Self("wrong-state", .conflict)
        public static let exceedsCaptured = Self("exceeds-captured", .unprocessableContent)
        /// The settlement day is over: refund instead.
        public static let voidTooLate = Self("void-too-late", .conflict)
        public static let rateLimited = Self("rate-limited", .tooManyRequests)
        public static let notificationRefused = Self("notification-refused", .badRequest)
        /// A notification that names another amount than the books.
        public static let notificationMismatch = Self("notification-mismatch", .conflict)
        /// The id, or the secret, is ours, and what it stood for is not in the store any more: a failover can lose rows of payments that
        /// were sent. Neither paid nor unpaid: what the acquirer says of it becomes an alarm.
        public static let outcomeUnknown = Self("outcome-unknown", .serviceUnavailable)
        /// The acquirer has no file for the day, or not yet.
        public static let fileMissing = Self("file-missing", .conflict)
        /// The acquirer did not answer, or its answer cannot be believed.
        public static let acquirerUnavailable = Self("acquirer-unavailable", .badGateway)
        /// A page's `validationURL` leads elsewhere than to Apple's session endpoint.
        public static let validationURLRefused = Self("validation-url-refused", .unprocessableContent)
        /// The domain is none of the merchant's.
        public static let domainUnknown = Self("domain-unknown", .unprocessableContent)
        /// The merchant has no usable identity certificate here, or no display name.
        public static let sessionNotConfigured = Self("session-not-configured", .conflict)
        /// Apple did not give a session. Asking again is safe: a session moves nothing.
        public static let sessionUnavailable = Self("session-unavailable", .badGateway)
        /// No merchant here has proof for that host.
        public static let domainAssociationMissing = Self("domain-association-missing", .notFound)
        public static let configurationInvalid = Self("configuration-invalid", .internalServerError)
    }

    public var code: Code
    /// For the caller; holds no card data and no secret.
    public var reason: String
    public var file: String
    public var line: Int

    public init(code: Code, reason: String, file: String = #fileID, line: Int = #line) {
        self.code = code
        self.reason = reason
        self.file = file
        self.line = line
    }

    public var description: String { "\(code): \(reason)" }

    static var tokenRefused: CardPaymentsError {
        CardPaymentsError(code: .tokenRefused, reason: "the payment token was not accepted")
    }

    /// - Parameter thing: For example `payment`.
    static func lost(_ thing: String) -> CardPaymentsError {
        CardPaymentsError(code: .outcomeUnknown, reason: "the \(thing) was made here and its record is lost: its outcome is not known")
    }
}

extension ErrorMapping {
    /// The mapping with this server's errors added.
    public func withCardPayments() -> ErrorMapping {
        var mapping = self
        mapping.add { error in
            switch error {
            case let error as CardPaymentsError:
                return Refusal(
                    status: error.code.status, code: error.code.description, reason: error.reason, headers: headers(of: error.code))
            case let error as PaymentsError: return booksRefusal(error)
            default: return nil
            }
        }
        return mapping
    }
}

private func headers(of code: CardPaymentsError.Code) -> HTTPFields {
    switch code {
    case .idempotencyRunning, .rateLimited: [.retryAfter: "1"]
    case .outcomeUnknown: [.retryAfter: "60"]
    case .unauthorized: [.wwwAuthenticate: "Bearer"]
    default: [:]
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
