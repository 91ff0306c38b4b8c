public import BillfoldDiagnosis
public import Foundation

/// The domain of an `NSError` made here. The real one's spelling is not public [I].
public let IAPWalletErrorDomain = "IAPWalletErrorDomain"

/// The codes with which a Wallet service says why it did not do what it was asked (mini-programs.md#error-codes [D]).
#if canImport(ObjectiveC)
    @objc
#endif
public enum IAPWalletErrorCode: Int, Sendable, CaseIterable, CustomStringConvertible {
    /// Nothing better is known. After a payment it does not mean that no money moved.
    case unknownError = 1000
    /// The person closed the page, refused, or went back.
    case userCancel = 1001
    /// The super app cannot do it: not implemented, not registered, not allowed, or refused by its server.
    case appServiceError = 1002
    /// No answer in time. After a payment it does not mean that no money moved.
    case timeout = 1003
    /// Later generations of the SDK add it [D].
    case systemError = 1005
    /// The person has to agree first: the container shows the consent page and asks once more. Never shown to a mini program.
    case authPendingAgreement = 2001

    /// The documented name, such as `ERROR_CODE_USER_CANCEL`.
    public var name: String {
        switch self {
        case .unknownError: "ERROR_CODE_UNKNOWN_ERROR"
        case .userCancel: "ERROR_CODE_USER_CANCEL"
        case .appServiceError: "ERROR_CODE_APP_SERVICE_ERROR"
        case .timeout: "ERROR_CODE_TIMEOUT"
        case .systemError: "ERROR_CODE_SYSTEM_ERROR"
        case .authPendingAgreement: "ERROR_CODE_AUTH_PENDING_AGREEMENT"
        }
    }

    /// Reads a code as samples write it: its number, or its documented name with or without `ERROR_CODE_`.
    public init?(text: String) {
        let found = Self.allCases.first { [String($0.rawValue), $0.name, String($0.name.dropFirst("ERROR_CODE_".count))].contains(text) }
        guard let found else { return nil }
        self = found
    }

    /// As in a log line: `1001 ERROR_CODE_USER_CANCEL`.
    public var description: String { "\(rawValue) \(name)" }

    /// The error as an `NSError` of ``IAPWalletErrorDomain``: the reason as its description, the name as its failure reason.
    public func nsError(_ reason: String) -> NSError {
        NSError(
            domain: IAPWalletErrorDomain, code: rawValue,
            userInfo: [NSLocalizedDescriptionKey: reason, NSLocalizedFailureReasonErrorKey: name])
    }
}

/// Why a service did not do what it was asked, whichever kind of error its result carried. Its description is as in a log line:
/// `1002 ERROR_CODE_APP_SERVICE_ERROR: OAuthService is not registered`.
public struct WalletFailure: CodedError, Hashable {
    public var code: IAPWalletErrorCode
    /// For engineers. A result's own text where it had one; never nothing.
    public var reason: String

    public init(_ code: IAPWalletErrorCode, _ reason: String) {
        self.code = code
        self.reason = reason
    }
}
