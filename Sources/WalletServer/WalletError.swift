public import BillfoldServer
import HTTPTypes

/// What the wallet refuses: customers' browsers, merchants' clients and the gateway see the code and the reason.
public struct WalletError: Error, Sendable, CustomStringConvertible {
    /// A stable code; new ones are added without breaking callers.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        public let description: String
        let status: HTTPResponse.Status
        init(_ description: String, _ status: HTTPResponse.Status) {
            self.description = description
            self.status = status
        }

        public static let malformedRequest = Self("malformed-request", .badRequest)
        /// No credential, or one that is not valid here.
        public static let unauthorized = Self("unauthorized", .unauthorized)
        public static let rateLimited = Self("rate-limited", .tooManyRequests)
        /// One code for an unknown name, a wrong password and a locked login.
        public static let loginRefused = Self("login-refused", .unauthorized)
        /// The form was not made for this browser's session.
        public static let formForeign = Self("form-foreign", .forbidden)
        /// There is no such checkout, or it belongs to somebody else.
        public static let checkoutNotFound = Self("checkout-not-found", .notFound)
        /// The gateway refuses the order; its own code stands in ``WalletError/gatewayCode``.
        public static let orderRefused = Self("order-refused", .unprocessableContent)
        /// The gateway refuses to let this customer pay.
        public static let tradeRefused = Self("trade-refused", .conflict)
        /// The gateway cannot be asked now. Nothing was begun.
        public static let gatewayUnavailable = Self("gateway-unavailable", .serviceUnavailable)
        /// Another checkout is paying the same trade.
        public static let tradeBeingPaid = Self("trade-being-paid", .conflict)
        public static let insufficientBalance = Self("insufficient-balance", .unprocessableContent)
        /// What the customer was shown is not what is to be paid any more.
        public static let termsChanged = Self("terms-changed", .conflict)
        public static let accountNotFound = Self("account-not-found", .notFound)
        public static let accountExists = Self("account-exists", .conflict)
        public static let weakPassword = Self("weak-password", .unprocessableContent)
        public static let malformedName = Self("malformed-name", .unprocessableContent)
        public static let requestIDReused = Self("request-id-reused", .conflict)
        public static let paymentNotFound = Self("payment-not-found", .notFound)
        /// Whether the payment was taken is not known here yet: ask again.
        public static let paymentUnsettled = Self("payment-unsettled", .serviceUnavailable)
        /// The payment is settled already, and otherwise.
        public static let paymentSettled = Self("payment-settled", .conflict)
        /// More would be given back than was paid.
        public static let exceedsPayment = Self("exceeds-payment", .conflict)
        public static let invalidAmount = Self("invalid-amount", .unprocessableContent)
        public static let notFound = Self("not-found", .notFound)
        /// The id belongs to another author, or to a workspace of another kind.
        public static let identityTaken = Self("identity-taken", .conflict)
        /// A scope that the mini program may not ask for, or a client that is not the mini program's.
        public static let agreementRefused = Self("agreement-refused", .unprocessableContent)
        /// Keys that are none, or two under one name.
        public static let unusableKey = Self("unusable-key", .unprocessableContent)
        /// The mini program was taken down. A container ends copies of it that it keeps.
        public static let takenDown = Self("taken-down", .gone)
        /// A stored row does not read back as what was written.
        public static let corruptRecord = Self("corrupt-record", .internalServerError)
        public static let configurationInvalid = Self("configuration-invalid", .internalServerError)
    }

    public var code: Code
    /// For the caller; holds no secret.
    public var reason: String
    /// What the gateway answered, where it refused.
    public var gatewayCode: String?
    /// The text that the gateway verified, where it says so.
    public var verifiedText: String?
    public var file: String
    public var line: Int

    public init(
        code: Code, reason: String, gatewayCode: String? = nil, verifiedText: String? = nil, file: String = #fileID, line: Int = #line
    ) {
        self.code = code
        self.reason = reason
        self.gatewayCode = gatewayCode
        self.verifiedText = verifiedText
        self.file = file
        self.line = line
    }

    public var description: String { "\(code): \(reason)" }
}

extension ErrorMapping {
    /// The mapping with this server's errors added.
    public func withWallet() -> ErrorMapping {
        var mapping = self
        mapping.add { error in (error as? WalletError).map(Refusal.init) }
        return mapping
    }
}

extension Refusal {
    init(_ error: WalletError) {
        var headers = HTTPFields()
        switch error.code {
        case .rateLimited, .paymentUnsettled, .gatewayUnavailable: headers[.retryAfter] = "2"
        case .unauthorized: headers[.wwwAuthenticate] = "Bearer"
        default: break
        }
        self.init(
            status: error.code.status, code: error.gatewayCode ?? error.code.description, reason: error.reason, headers: headers)
    }
}
