public import Foundation

/// What the SDK refuses, with the documented code and message.
///
/// Handlers get it as an `NSError` of ``IAPErrorDomain``; async calls throw it as it is. Equality looks at the code alone.
public struct IAPError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The documented numbers.
    public enum Code: Int, Sendable, CaseIterable {
        /// Parameters are missing or wrong, or nothing was configured.
        case parameterIllegal = 1001
        /// Nothing came back: no network, or a time-out.
        case invalidNetwork = 1002
        /// What came back cannot be used.
        case systemError = 1003

        /// The documented word.
        public var message: String {
            switch self {
            case .parameterIllegal: "PARAM_ILLEGAL"
            case .invalidNetwork: "INVALID_NETWORK"
            case .systemError: "SYSTEM_ERROR"
            }
        }
    }

    public var code: Code
    /// For engineers; holds no address with a code in it.
    public var reason: String

    public init(_ code: Code, _ reason: String) {
        self.code = code
        self.reason = reason
    }

    /// As in the message of an exception event: `1001 PARAM_ILLEGAL: why`.
    public var description: String { "\(code.rawValue) \(code.message): \(reason)" }

    /// The error as Objective-C has it: the word as its description, the reason as its failure reason.
    public var nsError: NSError { NSError(domain: Self.errorDomain, code: errorCode, userInfo: errorUserInfo) }

    public static func == (lhs: Self, rhs: Self) -> Bool { lhs.code == rhs.code }
}

extension IAPError: CustomNSError {
    public static var errorDomain: String { IAPErrorDomain }
    public var errorCode: Int { code.rawValue }
    public var errorUserInfo: [String: Any] {
        [NSLocalizedDescriptionKey: code.message, NSLocalizedFailureReasonErrorKey: reason]
    }
}
