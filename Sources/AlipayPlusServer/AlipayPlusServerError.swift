public import BillfoldDiagnosis
import BillfoldJSON
public import BillfoldServer
package import HTTPTypes

/// What the gateway refuses at onboarding, on its pages and in its configuration. The signed API answers with results of its own.
public struct AlipayPlusServerError: CodedError {
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
        /// A wallet was chosen for a payment that is paid, cancelled, refused or over.
        package static let paymentClosed = Self("payment-closed", .conflict)
        /// The payment cannot be paid by the wallet that was chosen.
        package static let walletNotOffered = Self("wallet-not-offered", .unprocessableContent)
        package static let unusableKey = Self("unusable-key", .unprocessableContent)
        /// The id belongs to another party.
        package static let identityTaken = Self("identity-taken", .conflict)
        /// A day's reports are asked for before its cycle is over.
        package static let reportsNotReady = Self("reports-not-ready", .conflict)
        /// The ledger says otherwise than a payment or a refund of its.
        package static let booksDiffer = Self("books-differ", .internalServerError)
        /// A rate that is no price, or of no currency.
        package static let rateFile = Self("rate-file", .unprocessableContent)
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

extension AlipayPlusServerError: RequestRefusal {
    package static func malformed(_ reason: String) -> Self { Self(code: .malformedRequest, reason: reason) }
}

/// Reads bodies at onboarding, refusing with `malformed-request`.
typealias PartyReader = ClosedObjectReader<AlipayPlusServerError>

extension AlipayPlusServerError: ServedError {
    package var status: HTTPResponse.Status { code.status }
    package var headers: HTTPFields { code == .unauthorized ? [.wwwAuthenticate: "Bearer"] : [:] }
}

extension ErrorMapping {
    /// The mapping with this server's errors added.
    public func withAlipayPlus() -> ErrorMapping { adding(AlipayPlusServerError.self) }
}
