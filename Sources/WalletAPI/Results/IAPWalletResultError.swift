import BillfoldConcurrency
public import Foundation

/// Why a result is no success, in the two forms that the published samples write: a text code, `result.error.code = "2001"`, and a whole
/// `NSError` that is assigned to the result (mini-programs.md#error-codes [D]).
///
/// Every result has one. It says nothing went wrong as long as it has neither a code nor a description.
#if canImport(ObjectiveC)
    @objcMembers
#endif
public final class IAPWalletResultError: NSObject, Sendable, IAPWalletErrorConstants {
    private struct Content {
        var code = ""
        var message = ""
        /// What was assigned, as long as nothing was changed since: its domain and its other information are the app's.
        var assigned: NSError?
    }

    private let content: Locked<Content>

    /// - Parameters:
    ///   - code: The number or the documented name of an ``IAPWalletErrorCode``; empty for no error.
    ///   - message: For engineers.
    public init(code: String = "", message: String = "") { content = Locked(Content(code: code, message: message)) }

    init(_ error: NSError?) {
        content = Locked(
            error.map { error in
                Content(
                    code: String(error.code), message: error.userInfo[NSLocalizedDescriptionKey] as? String ?? "", assigned: error)
            } ?? Content())
    }

    /// The number or the documented name of an ``IAPWalletErrorCode``; empty as long as nothing went wrong.
    public var code: String {
        get { content.withLock { $0.code } }
        set { content.withLock { $0 = Content(code: newValue, message: $0.message) } }
    }

    /// For engineers. Empty where nobody said anything.
    public var message: String {
        get { content.withLock { $0.message } }
        set { content.withLock { $0 = Content(code: $0.code, message: newValue) } }
    }

    /// As ``message``: the name that samples set [D]. A description without a code is an error too, of code 1000 [I].
    public var localizedDescription: String {
        get { message }
        set { message = newValue }
    }

    /// The error as an `NSError`; nil where nothing went wrong. A text that is no code becomes 1000.
    public var nsError: NSError? {
        let content = content.withLock { $0 }
        if let assigned = content.assigned { return assigned }
        guard !content.code.isEmpty || !content.message.isEmpty else { return nil }
        let number = Int(content.code) ?? (IAPWalletErrorCode(text: content.code) ?? .unknownError).rawValue
        let reason = content.message.isEmpty ? content.code : content.message
        return NSError(domain: IAPWalletErrorDomain, code: number, userInfo: [NSLocalizedDescriptionKey: reason])
    }

    var failure: WalletFailure? {
        let content = content.withLock { $0 }
        guard !content.code.isEmpty || !content.message.isEmpty else { return nil }
        if let known = IAPWalletErrorCode(text: content.code) {
            return WalletFailure(known, content.message.isEmpty ? known.name : content.message)
        }
        let place = content.assigned.map { " of \($0.domain)" } ?? ""
        let what = content.code.isEmpty ? "error without a code" : "error \(content.code.prefix(64))\(place)"
        return WalletFailure(.unknownError, content.message.isEmpty ? what : "\(what): \(content.message)")
    }

    /// The code and the message, as in a log line.
    public override var description: String { "\(code) \(message)" }
}
