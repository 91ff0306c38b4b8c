import BillfoldConcurrency
public import Foundation

/// What every Wallet service answers with: an error or none, and texts for whoever asked.
///
/// A result may be filled on one thread and read on another. It is answered once; what is changed afterwards nobody reads.
#if canImport(ObjectiveC)
    @objcMembers
#endif
// Unchecked only because the class can be subclassed: all state lies behind locks, here and in every subclass of this module.
open class IAPWalletBaseServiceResult: NSObject, @unchecked Sendable {
    struct Common {
        var error: NSError?
        var extendedInfo: [String: String] = [:]
    }

    let common = Locked(Common())

    public override init() { super.init() }

    /// What the service tells beside its result: a scene's answer lies here.
    public var extendedInfo: [String: String] {
        get { common.withLock { $0.extendedInfo } }
        set { common.withLock { $0.extendedInfo = newValue } }
    }

    /// Why it did not work, whatever kind of error was set; nil where none was. An unknown code is read as 1000.
    public var failure: WalletFailure? {
        common.withLock { $0.error }.map { error in
            let reason = error.userInfo[NSLocalizedDescriptionKey] as? String
            guard let code = IAPWalletErrorCode(rawValue: error.code) else {
                return WalletFailure(.unknownError, "error \(error.code) of \(error.domain)\(reason.map { ": \($0)" } ?? "")")
            }
            return WalletFailure(code, reason ?? code.name)
        }
    }

    /// Sets the error in the kind that this result's published sample gives it.
    public func fail(_ code: IAPWalletErrorCode, _ reason: String) {
        common.withLock { $0.error = code.nsError(reason) }
    }

    /// Sets the error and hands the result back, for one-line answers.
    public func failing(_ code: IAPWalletErrorCode, _ reason: String) -> Self {
        fail(code, reason)
        return self
    }
}

/// Results whose error is an `NSError`: all but the OAuth result, whose own `error` holds a text code.
///
/// The property lies in an extension so that ``IAPWalletOAuthResult`` can have another type under the same name: its published sample
/// sets a text, the consent result's an `NSError` [D].
public protocol IAPWalletErrorCarrying: AnyObject {}

extension IAPWalletBaseServiceResult: IAPWalletErrorCarrying {}

extension IAPWalletErrorCarrying where Self: IAPWalletBaseServiceResult {
    /// What went wrong; nil where nothing did. Its code is one of ``IAPWalletErrorCode``.
    public var error: NSError? {
        get { common.withLock { $0.error } }
        set { common.withLock { $0.error = newValue } }
    }
}
