public import BillfoldDiagnosis
public import HTTPTypes

/// What every server refuses, with the status and the stable code its caller sees.
public struct ServerError: CodedError {
    /// A stable code: callers compare its ``description``, and new ones are added without breaking them.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        public let description: String
        init(_ description: String) { self.description = description }

        // Requests. The first four are for routes of one's own.
        public static let malformedRequest = Self("malformed-request")
        public static let notFound = Self("not-found")
        public static let conflict = Self("conflict")
        public static let unavailable = Self("unavailable")
        package static let methodNotAllowed = Self("method-not-allowed")
        package static let unsupportedMediaType = Self("unsupported-media-type")
        /// The header fields of a request are larger than the listener takes.
        package static let headersTooLarge = Self("headers-too-large")
        package static let bodyTooLarge = Self("body-too-large")
        /// The request's body did not arrive in time. Nothing was begun.
        package static let requestTimeout = Self("request-timeout")
        /// The total time for a request ended. What was begun goes on: ask for the outcome before trying again.
        package static let deadlineExceeded = Self("deadline-exceeded")
        package static let rateLimited = Self("rate-limited")
        /// The `Host` or `Origin` header names somebody else: a page elsewhere is trying to reach this listener.
        package static let foreignHost = Self("foreign-host")
        package static let foreignOrigin = Self("foreign-origin")
        package static let internalFailure = Self("internal")

        // Operators.
        package static let signInRequired = Self("sign-in-required")
        /// One code for a wrong name and a wrong password.
        package static let signInRefused = Self("sign-in-refused")
        package static let csrfTokenMissing = Self("csrf-token-missing")
        package static let roleRequired = Self("role-required")
        package static let samePerson = Self("same-person")
        package static let approvalExpired = Self("approval-expired")
        package static let approvalDecided = Self("approval-decided")
        package static let unknownAction = Self("unknown-action")
        package static let weakPassword = Self("weak-password")

        // Starting.
        package static let portTaken = Self("port-taken")
        package static let addressUnusable = Self("address-unusable")
        package static let configurationInvalid = Self("configuration-invalid")
        package static let certificateUnusable = Self("certificate-unusable")
        /// A listener's certificate is past its end: one that is served still, or one that is not taken over.
        package static let certificateEnded = Self("certificate-ended")
        /// A key's file is open to other users, or another user's.
        package static let keyStoreExposed = Self("key-store-exposed")
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
    package var file: String
    package var line: Int

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

    /// With a code of one's own, or what another error says to its caller.
    public init(_ refusal: Refusal, file: String = #fileID, line: Int = #line) {
        self.init(
            code: Code(refusal.code), reason: refusal.reason, status: refusal.status, headers: refusal.headers, file: file, line: line)
    }

    static var signInFirst: Self { Self(code: .signInRequired, reason: "sign in first", status: .unauthorized) }
}
