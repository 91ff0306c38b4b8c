public import BillfoldDiagnosis
public import BillfoldServer
package import HTTPTypes

/// What the gateway refuses on the wallet link, at onboarding and in its configuration. `/gateway.do` answers in its own forms.
public struct AlipayServerError: CodedError {
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
        /// No credential, or one that is not valid here.
        package static let unauthorized = Self("unauthorized", .unauthorized)
        package static let notFound = Self("not-found", .notFound)
        /// No payment with that request was received, or none yet: send it again with the same id.
        package static let paymentUnknown = Self("payment-unknown", .notFound)
        /// The trade of the payment was lost here: nothing is decided, so no wallet may take it for a refusal. Two persons settle it.
        package static let outcomeUnknown = Self("outcome-unknown", .serviceUnavailable)
        /// The request's id stands for another request.
        package static let requestIDReused = Self("request-id-reused", .conflict)
        /// A request of that id is being worked on: nothing is decided, so no wallet may take it for a refusal.
        package static let requestRunning = Self("request-running", .serviceUnavailable)
        /// No rate of these days is known for the order's currency: ask again once the day's rates are published.
        package static let noRate = Self("no-rate", .serviceUnavailable)
        /// A bill of that time has more bytes than the gateway makes in one file: ask for shorter times.
        package static let billTooLarge = Self("bill-too-large", .unprocessableContent)
        package static let rateFile = Self("rate-file", .unprocessableContent)
        package static let unusableKey = Self("unusable-key", .unprocessableContent)
        /// The id belongs to another merchant.
        package static let identityTaken = Self("identity-taken", .conflict)
        /// A payout of nothing, or in a currency that the merchant is not credited in.
        package static let invalidAmount = Self("invalid-amount", .unprocessableContent)
        /// The merchant has less than it is to be paid out.
        package static let balanceTooSmall = Self("balance-too-small", .conflict)
        package static let configurationInvalid = Self("configuration-invalid", .internalServerError)
    }

    public var code: Code
    /// For the caller; holds no secret.
    public var reason: String
    package var file: String
    package var line: Int

    package init(code: Code, reason: String, file: String = #fileID, line: Int = #line) {
        self.code = code
        self.reason = reason
        self.file = file
        self.line = line
    }
}

extension AlipayServerError: ServedError {
    package var status: HTTPResponse.Status { code.status }
    package var headers: HTTPFields {
        switch code {
        case .unauthorized: [.wwwAuthenticate: "Bearer"]
        case .outcomeUnknown: [.retryAfter: "60"]
        default: [:]
        }
    }
}

extension ErrorMapping {
    /// The mapping with this server's errors added.
    public func withAlipay() -> ErrorMapping { adding(AlipayServerError.self) }
}
