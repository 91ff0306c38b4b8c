public import HTTPTypes

/// What every server refuses, with the status and the stable code its caller sees.
public struct ServerError: Error, Sendable, CustomStringConvertible {
    /// A stable code; new ones are added without breaking callers.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        public let description: String
        init(_ description: String) { self.description = description }

        // Requests.
        public static let malformedRequest = Self("malformed-request")
        public static let notFound = Self("not-found")
        public static let methodNotAllowed = Self("method-not-allowed")
        public static let unsupportedMediaType = Self("unsupported-media-type")
        /// The header fields of a request are larger than the listener takes.
        public static let headersTooLarge = Self("headers-too-large")
        public static let bodyTooLarge = Self("body-too-large")
        /// The request's body did not arrive in time. Nothing was begun.
        public static let requestTimeout = Self("request-timeout")
        /// The total time for a request ended. What was begun goes on: ask for the outcome before trying again.
        public static let deadlineExceeded = Self("deadline-exceeded")
        public static let rateLimited = Self("rate-limited")
        /// The `Host` or `Origin` header names somebody else: a page elsewhere is trying to reach this listener.
        public static let foreignHost = Self("foreign-host")
        public static let foreignOrigin = Self("foreign-origin")
        public static let internalFailure = Self("internal")
        public static let unavailable = Self("unavailable")
        public static let conflict = Self("conflict")

        // Operators.
        public static let signInRequired = Self("sign-in-required")
        /// One code for a wrong name and a wrong password.
        public static let signInRefused = Self("sign-in-refused")
        public static let csrfTokenMissing = Self("csrf-token-missing")
        public static let roleRequired = Self("role-required")
        public static let samePerson = Self("same-person")
        public static let approvalExpired = Self("approval-expired")
        public static let approvalDecided = Self("approval-decided")
        public static let unknownAction = Self("unknown-action")
        public static let weakPassword = Self("weak-password")

        // Starting.
        public static let portTaken = Self("port-taken")
        public static let addressUnusable = Self("address-unusable")
        public static let configurationInvalid = Self("configuration-invalid")
        public static let certificateUnusable = Self("certificate-unusable")
        /// A listener's certificate is past its end: one that is served still, or one that is not taken over.
        public static let certificateEnded = Self("certificate-ended")
        /// A key's file is open to other users, or another user's.
        public static let keyStoreExposed = Self("key-store-exposed")
        /// A data folder that cannot be made, read or written, or that others can read.
        package static let dataFolderUnusable = Self("data-folder-unusable")
        /// A key of ours is sealed, and there is no key to open it with.
        package static let keySealed = Self("key-sealed")
        package static let keyUnusable = Self("key-unusable")
        /// A store with tables of several servers, of none, or of another one than it was opened for.
        package static let storeMixed = Self("store-mixed")
        package static let storeUnknown = Self("store-unknown")
        package static let storeKindDiffers = Self("store-kind-differs")
    }

    public var code: Code
    /// For the caller: holds no secret and nothing of another party's answer.
    public var reason: String
    public var status: HTTPResponse.Status
    public var headers: HTTPFields
    public var file: String
    public var line: Int

    public init(
        code: Code, reason: String, status: HTTPResponse.Status, headers: HTTPFields = [:], file: String = #fileID, line: Int = #line
    ) {
        self.code = code
        self.reason = reason
        self.status = status
        self.headers = headers
        self.file = file
        self.line = line
    }

    /// What another error of ours says to its caller.
    public init(_ refusal: Refusal, file: String = #fileID, line: Int = #line) {
        self.init(
            code: Code(refusal.code), reason: refusal.reason, status: refusal.status, headers: refusal.headers, file: file, line: line)
    }

    public var description: String { "\(code): \(reason)" }

    static var signInFirst: Self { Self(code: .signInRequired, reason: "sign in first", status: .unauthorized) }
}
