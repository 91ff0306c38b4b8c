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

    public static let unknownError = Code.unknownError
    public static let invalidDataError = Code.invalidDataError
    public static let unsupportedVersionError = Code.unsupportedVersionError
    public static let invalidSignature = Code.invalidSignature
    public static let notEntitledError = Code.notEntitledError
}

extension PKPassKitError.Code {
    /// Lets a `catch` name a code. Of the add-pass flow's errors it says nothing: see ``PKAddPaymentPassError``.
    public static func ~= (code: Self, error: any Error) -> Bool {
        let error = error as NSError
        return error.domain == PKPassKitErrorDomain && error.code == code.rawValue
    }
}

extension PKPassKitError: CustomNSError {
    public static var errorDomain: String { PKPassKitErrorDomain }
    public var errorCode: Int { code.rawValue }
}
