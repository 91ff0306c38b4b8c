public import BillfoldDiagnosis
import BillfoldEvents
public import BillfoldServer
package import HTTPTypes

/// What the issuer host refuses: the bank's app, the bank's back end and the card networks see the code and the reason.
public struct ProvisioningError: CodedError {
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
        /// No credential, or one that is not valid here. One code for every reason.
        package static let unauthorized = Self("unauthorized", .unauthorized)
        /// The customer has no such card; another customer's card is answered the same.
        package static let cardNotFound = Self("card-not-found", .notFound)
        package static let rateLimited = Self("rate-limited", .tooManyRequests)
        /// The app's session has ended; the customer logs in again.
        package static let sessionExpired = Self("session-expired", .unauthorized)
        /// The bank has switched the programme or the card off.
        package static let switchedOff = Self("switched-off", .forbidden)
        package static let programmeNotFound = Self("programme-not-found", .notFound)
        package static let cardBlocked = Self("card-blocked", .forbidden)
        package static let cardClosed = Self("card-closed", .forbidden)
        /// The nonce is not the four bytes that the wallet hands over (provisioning.md#nonce).
        package static let nonceLength = Self("nonce-length", .unprocessableContent)
        /// The signature of the nonce is not 81 bytes.
        package static let nonceSignatureLength = Self("nonce-signature-length", .unprocessableContent)
        /// Nonce or signature is not text of the encoding that the request names.
        package static let nonceEncoding = Self("nonce-encoding", .unprocessableContent)
        /// The session used the nonce for another request. The wallet makes a new one for each attempt.
        package static let nonceReused = Self("nonce-reused", .conflict)
        /// The nonce and its signature belong to another session's request.
        package static let sessionMixed = Self("session-mixed", .conflict)
        /// The certificates are not the wallet's. The trace holds the report, rule by rule.
        package static let chainRefused = Self("chain-refused", .unprocessableContent)
        /// The documented form has no place for what the card's scheme needs.
        package static let schemeUnfit = Self("scheme-unfit", .unprocessableContent)
        /// The pass data could not be made in time, or of a card that stayed as it was; nothing was stored.
        package static let timedOut = Self("timed-out", .serviceUnavailable)
        /// The keys that the pass data need cannot be used now; nothing was stored.
        package static let keysUnavailable = Self("keys-unavailable", .serviceUnavailable)
        /// This host takes no such call: what answers it is not configured.
        package static let notServed = Self("not-served", .notFound)
        package static let configurationInvalid = Self("configuration-invalid", .internalServerError)

        // What a ``CardSource`` throws.
        /// The card processor says that it has no such customer.
        public static let customerNotFound = Self("customer-not-found", .notFound)
        /// The card processor did not answer, and the customer's cards are not known here.
        public static let processorUnavailable = Self("processor-unavailable", .serviceUnavailable)
        /// The card processor answered with something that is not taken over.
        public static let processorAnswer = Self("processor-answer", .badGateway)
    }

    public var code: Code
    /// For the caller; holds no card data and no secret.
    public var reason: String
    package var file: String
    package var line: Int

    public init(code: Code, reason: String, file: String = #fileID, line: Int = #line) {
        self.code = code
        self.reason = reason
        self.file = file
        self.line = line
    }
}

extension ProvisioningError: ServedError {
    package var status: HTTPResponse.Status { code.status }
    package var headers: HTTPFields {
        switch code {
        case .rateLimited: [.retryAfter: "1"]
        case .unauthorized, .sessionExpired: [.wwwAuthenticate: "Bearer"]
        default: [:]
        }
    }
}

extension ErrorMapping {
    /// The mapping with this server's errors added, and what the routes of events refuse.
    public func withProvisioning() -> ErrorMapping { withEvents().adding(ProvisioningError.self) }
}
