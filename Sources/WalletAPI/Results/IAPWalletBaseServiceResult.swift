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
        var error = IAPWalletResultError()
        var extendedInfo: [String: String] = [:]
    }

    let common = Locked(Common())

    /// Makes a success without data.
    public override init() { super.init() }

    /// What the service tells beside its result: a scene's answer lies here.
    public var extendedInfo: [String: String] {
        get { common.withLock { $0.extendedInfo } }
        set { common.withLock { $0.extendedInfo = newValue } }
    }

    /// What went wrong, by a text code whose members can be set. It is always there; without code and description nothing did.
    ///
    /// An `NSError` may be assigned in its place, and read: see ``IAPWalletErrorCarrying``.
    public var error: IAPWalletResultError {
        get { common.withLock { $0.error } }
        set { common.withLock { $0.error = newValue } }
    }

    /// Why it did not work, whatever kind of error was set; nil where none was. An unknown code is read as 1000.
    public var failure: WalletFailure? { error.failure }

    /// Sets the error, with the code's documented name and the reason.
    public func fail(_ code: IAPWalletErrorCode, _ reason: String) { error = IAPWalletResultError(code.nsError(reason)) }

    /// Sets the error and hands the result back, for one-line answers.
    public func failing(_ code: IAPWalletErrorCode, _ reason: String) -> Self {
        fail(code, reason)
        return self
    }
}

/// What lets every result take an `NSError` beside a text code.
///
/// One published sample sets `result.error.code`, another assigns an `NSError` to `result.error` [D]. One property cannot have both types;
/// a property of the class and one of an extension of this protocol can, under the same name.
public protocol IAPWalletErrorCarrying: AnyObject {}

extension IAPWalletBaseServiceResult: IAPWalletErrorCarrying {}

extension IAPWalletErrorCarrying where Self: IAPWalletBaseServiceResult {
    /// What went wrong; nil where nothing did. Its code is one of ``IAPWalletErrorCode``. Chosen where an `NSError` or an optional fits.
    public var error: NSError? {
        get { common.withLock { $0.error }.nsError }
        set { common.withLock { $0.error = IAPWalletResultError(newValue) } }
    }
}
