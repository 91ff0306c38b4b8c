public import BillfoldDiagnosis
import BillfoldJSON
public import BillfoldServer
package import HTTPTypes

/// What the wallet refuses: customers' browsers, merchants' clients and the gateway see the code and the reason.
public struct WalletError: CodedError {
    /// A stable code: callers compare its ``description``, and new ones are added without breaking them.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        public let description: String
        let status: HTTPResponse.Status
        init(_ description: String, _ status: HTTPResponse.Status) {
            self.description = description
            self.status = status
        }

        package static let malformedRequest = Self("malformed-request", .badRequest)
        /// No credential, or one that is not valid here.
        package static let unauthorized = Self("unauthorized", .unauthorized)
        package static let rateLimited = Self("rate-limited", .tooManyRequests)
        /// One code for an unknown name, a wrong password and a locked login.
        package static let loginRefused = Self("login-refused", .unauthorized)
        /// The form was not made for this browser's session.
        package static let formForeign = Self("form-foreign", .forbidden)
        /// There is no such checkout, or it belongs to somebody else.
        package static let checkoutNotFound = Self("checkout-not-found", .notFound)
        /// The gateway refuses the order; its own code stands in ``WalletError/gatewayCode``.
        package static let orderRefused = Self("order-refused", .unprocessableContent)
        /// The gateway refuses to let this customer pay.
        package static let tradeRefused = Self("trade-refused", .conflict)
        /// The gateway cannot be asked now. Nothing was begun.
        package static let gatewayUnavailable = Self("gateway-unavailable", .serviceUnavailable)
        /// Another checkout is paying the same trade.
        package static let tradeBeingPaid = Self("trade-being-paid", .conflict)
        package static let insufficientBalance = Self("insufficient-balance", .unprocessableContent)
        /// What the customer was shown is not what is to be paid any more.
        package static let termsChanged = Self("terms-changed", .conflict)
        package static let accountNotFound = Self("account-not-found", .notFound)
        package static let accountExists = Self("account-exists", .conflict)
        package static let weakPassword = Self("weak-password", .unprocessableContent)
        package static let malformedName = Self("malformed-name", .unprocessableContent)
        package static let requestIDReused = Self("request-id-reused", .conflict)
        package static let paymentNotFound = Self("payment-not-found", .notFound)
        /// Whether the payment was taken is not known here yet: ask again.
        package static let paymentUnsettled = Self("payment-unsettled", .serviceUnavailable)
        /// The payment is settled already, and otherwise.
        package static let paymentSettled = Self("payment-settled", .conflict)
        /// More would be given back than was paid.
        package static let exceedsPayment = Self("exceeds-payment", .conflict)
        package static let invalidAmount = Self("invalid-amount", .unprocessableContent)
        package static let notFound = Self("not-found", .notFound)
        /// The id belongs to another author, or to a workspace of another kind.
        package static let identityTaken = Self("identity-taken", .conflict)
        /// A scope that the mini program may not ask for, or a client that is not the mini program's.
        package static let agreementRefused = Self("agreement-refused", .unprocessableContent)
        /// Keys that are none, or two under one name.
        package static let unusableKey = Self("unusable-key", .unprocessableContent)
        /// The mini program was taken down. A container ends copies of it that it keeps.
        package static let takenDown = Self("taken-down", .gone)
        /// A stored row does not read back as what was written.
        package static let corruptRecord = Self("corrupt-record", .internalServerError)
        package static let configurationInvalid = Self("configuration-invalid", .internalServerError)
    }

    public var code: Code
    /// For the caller; holds no secret.
    public var reason: String
    /// What the gateway answered, where it refused.
    package var gatewayCode: String?
    /// The text that the gateway verified, where it says so.
    package var verifiedText: String?
    /// The order's parameter that is wrong, where the gateway says so.
    package var parameter: String?
    /// The merchant's number of the refused order, in test mode.
    package var order: String?
    /// What a program is told of it beside code and reason, in test mode.
    package var details: [String: String] = [:]
    package var file: String
    package var line: Int

    package init(
        code: Code, reason: String, gatewayCode: String? = nil, verifiedText: String? = nil, parameter: String? = nil,
        order: String? = nil, file: String = #fileID, line: Int = #line
    ) {
        self.code = code
        self.reason = reason
        self.gatewayCode = gatewayCode
        self.verifiedText = verifiedText
        self.parameter = parameter
        self.order = order
        self.file = file
        self.line = line
    }
}

extension WalletError: ServedError {
    package var status: HTTPResponse.Status { code.status }
    package var answeredCode: String { gatewayCode ?? code.description }
    package var headers: HTTPFields {
        switch code {
        case .rateLimited, .paymentUnsettled, .gatewayUnavailable: [.retryAfter: "2"]
        case .unauthorized: [.wwwAuthenticate: "Bearer"]
        default: [:]
        }
    }
}

extension WalletError: RequestRefusal {
    package static func malformed(_ reason: String) -> Self { Self(code: .malformedRequest, reason: reason) }
}

extension ErrorMapping {
    /// The mapping with this server's errors added.
    public func withWallet() -> ErrorMapping { adding(WalletError.self) }
}
