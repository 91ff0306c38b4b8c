public import Foundation

/// The domain of ``PKAddSecureElementPassError``.
public let PKAddSecureElementPassErrorDomain = "PKAddSecureElementPassErrorDomain"

/// Why a pass that is no payment card, such as a car's key, was not added (provisioning.md#error-codes).
///
/// The flow for payment cards reports ``PKAddPaymentPassError``'s codes in another domain. A helper class that serves both compares with
/// either; nothing here makes such an error by itself.
public struct PKAddSecureElementPassError: Error, Sendable, Hashable {
    /// The numbers in ``PKAddSecureElementPassErrorDomain``.
    public enum Code: Int, Sendable {
        case genericError = 0
        case userCanceledError
        /// The device cannot now, or the app lacks the entitlement.
        case unavailableError
        case invalidConfigurationError
        case deviceNotSupportedError
        case deviceNotReadyError
        case osVersionNotSupportedError

        /// The name of systems before iOS 18.
        public static let unknownError = Self.genericError
    }

    public let code: Code

    public init(_ code: Code) { self.code = code }

    public static let genericError = Code.genericError
    public static let unknownError = Code.genericError
    public static let userCanceledError = Code.userCanceledError
    public static let unavailableError = Code.unavailableError
    public static let invalidConfigurationError = Code.invalidConfigurationError
    public static let deviceNotSupportedError = Code.deviceNotSupportedError
    public static let deviceNotReadyError = Code.deviceNotReadyError
    public static let osVersionNotSupportedError = Code.osVersionNotSupportedError
}

extension PKAddSecureElementPassError: CustomNSError {
    public static var errorDomain: String { PKAddSecureElementPassErrorDomain }
    public var errorCode: Int { code.rawValue }
}

extension PKAddSecureElementPassError.Code {
    /// Lets a `catch` name a code.
    public static func ~= (code: Self, error: any Error) -> Bool {
        let error = error as NSError
        return error.domain == PKAddSecureElementPassErrorDomain && error.code == code.rawValue
    }
}
