public import Foundation

public let PKPassKitErrorDomain = "PKPassKitErrorDomain"

/// Why the add-pass flow ended without a pass. Its codes share ``PKPassKitErrorDomain`` with ``PKPassKitError``, and 1 and 2
/// mean something else there: decide by the call that reported the error.
public enum PKAddPaymentPassError: Int, Sendable {
    case unsupported = 0
    case userCancelled
    case systemCancelled

    /// As the delegate receives it.
    var passKitError: NSError { NSError(domain: PKPassKitErrorDomain, code: rawValue) }
}

/// The errors of the pass library.
public struct PKPassKitError: Error, Sendable, Hashable {
    /// The numbers in the library's error domain.
    public enum Code: Int, Sendable {
        case unknownError = -1
        case invalidDataError = 1
        case unsupportedVersionError
        case invalidSignature
        case notEntitledError
    }

    public let code: Code

    public init(_ code: Code) { self.code = code }
}

extension PKPassKitError: CustomNSError {
    public static var errorDomain: String { PKPassKitErrorDomain }
    public var errorCode: Int { code.rawValue }
}
