/// The documented error codes as texts, for `result.error.code` (mini-programs.md#error-codes [D]).
///
/// They lie in an extension of a protocol that the services' base classes adopt, and not in the classes: samples read them from the base
/// class and declare them again in the subclass, which a static member of the class itself would forbid. Android has the same names in
/// its `ResultError`, as numbers [O].
public protocol IAPWalletErrorTexts {}

extension IAPWalletErrorTexts {
    /// Nothing better is known: `1000`.
    public static var ERROR_CODE_UNKNOWN_ERROR: String { IAPWalletErrorCode.unknownError.text }
    /// The person refused or left: `1001`.
    public static var ERROR_CODE_USER_CANCEL: String { IAPWalletErrorCode.userCancel.text }
    /// The super app cannot do it: `1002`.
    public static var ERROR_CODE_APP_SERVICE_ERROR: String { IAPWalletErrorCode.appServiceError.text }
    /// No answer in time: `1003`.
    public static var ERROR_CODE_TIMEOUT: String { IAPWalletErrorCode.timeout.text }
    /// A fault of the system, of later SDKs: `1005`.
    public static var ERROR_CODE_SYSTEM_ERROR: String { IAPWalletErrorCode.systemError.text }
    /// The person has to agree first: `2001`.
    public static var ERROR_CODE_AUTH_PENDING_AGREEMENT: String { IAPWalletErrorCode.authPendingAgreement.text }
}

/// The documented error codes as numbers too, for `NSError(domain:code:userInfo:)`. Where neither type is asked for, the number is taken.
public protocol IAPWalletErrorConstants: IAPWalletErrorTexts {}

extension IAPWalletErrorConstants {
    /// Nothing better is known: 1000.
    public static var ERROR_CODE_UNKNOWN_ERROR: Int { IAPWalletErrorCode.unknownError.rawValue }
    /// The person refused or left: 1001.
    public static var ERROR_CODE_USER_CANCEL: Int { IAPWalletErrorCode.userCancel.rawValue }
    /// The super app cannot do it: 1002.
    public static var ERROR_CODE_APP_SERVICE_ERROR: Int { IAPWalletErrorCode.appServiceError.rawValue }
    /// No answer in time: 1003.
    public static var ERROR_CODE_TIMEOUT: Int { IAPWalletErrorCode.timeout.rawValue }
    /// A fault of the system, of later SDKs: 1005.
    public static var ERROR_CODE_SYSTEM_ERROR: Int { IAPWalletErrorCode.systemError.rawValue }
    /// The person has to agree first: 2001.
    public static var ERROR_CODE_AUTH_PENDING_AGREEMENT: Int { IAPWalletErrorCode.authPendingAgreement.rawValue }
}

extension IAPWalletErrorCode {
    fileprivate var text: String { String(rawValue) }
}
