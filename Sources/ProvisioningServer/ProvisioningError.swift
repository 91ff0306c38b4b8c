public import BillfoldServer
import HTTPTypes

/// What the issuer host refuses: the bank's app, the bank's back end and the card networks see the code and the reason.
public struct ProvisioningError: Error, Sendable, CustomStringConvertible {
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
        /// No credential, or one that is not valid here. One code for every reason.
        public static let unauthorized = Self("unauthorized", .unauthorized)
        /// The customer has no such card; another customer's card is answered the same.
        public static let cardNotFound = Self("card-not-found", .notFound)
        public static let rateLimited = Self("rate-limited", .tooManyRequests)
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
}

extension ErrorMapping {
    /// The mapping with this server's errors added.
    public func withProvisioning() -> ErrorMapping {
        var mapping = self
        mapping.add { error in
            guard let error = error as? ProvisioningError else { return nil }
            var headers = HTTPFields()
            switch error.code {
            case .rateLimited: headers[.retryAfter] = "1"
            case .unauthorized: headers[.wwwAuthenticate] = "Bearer"
            default: break
            }
            return Refusal(status: error.code.status, code: error.code.description, reason: error.reason, headers: headers)
        }
        return mapping
    }
}
